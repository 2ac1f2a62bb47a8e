import { setTimeout } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';

interface TransformState {
  Bindings: HttpBindings;
}

/**
 * Makes an answer.
 *
 * @param own carries the request out, and answers with what the sandbox does; whoever does not call it keeps the request from it.
 */
export type Answer = (own: () => Promise<Response>, context: Context<TransformState>) => Response | Promise<Response>;

/** What becomes of the answers to some requests. */
export interface Rule {
  /** A path of the API without its prefix, such as `/projects/501/events`; `*` stands for anything. All paths if absent. */
  readonly path?: string;
  readonly method?: string;
  /** How many requests it is for; for ever if absent. */
  readonly times?: number;
  /** A status, with which the request fails instead of being carried out, or what makes the answer. */
  readonly answer: number | Answer;
}

/** The rules that are in force. */
export class Transforms {
  #rules: { readonly rule: Rule; left: number }[] = [];

  /** Takes the place of all rules before. */
  set(rules: readonly Rule[]): void {
    this.#rules = rules.map((rule) => ({ rule, left: rule.times ?? Number.POSITIVE_INFINITY }));
  }

  middleware() {
    return createMiddleware<TransformState>(async (context, next) => {
      const path = new URL(context.req.url).pathname.slice('/api/v4'.length);
      const rules = this.#match(context.req.method, path);
      if (rules.length === 0) {
        return next();
      }
      const answered = rules.reduceRight<() => Promise<Response>>(
        (own, { answer }) =>
          async () =>
            await (typeof answer === 'number' ? failing(answer) : answer)(own, context),
        async () => {
          await next();
          return context.res;
        },
      );
      const response = await answered();
      // Else the headers of the answer before would be kept.
      context.res = undefined;
      context.res = response;
      return undefined;
    });
  }

  /** The rules for a request, each of which has one request less to be for. */
  #match(method: string, path: string): Rule[] {
    const met = this.#rules.filter(({ rule, left }) => left > 0 && concerns(rule, method, path));
    for (const entry of met) {
      entry.left -= 1;
    }
    return met.map(({ rule }) => rule);
  }
}

function concerns(rule: Rule, method: string, path: string): boolean {
  const parts = rule.path?.split('*').map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`));
  return (
    (rule.method === undefined || rule.method === method) &&
    (parts === undefined || new RegExp(`^${parts.join('.*')}$`).test(path))
  );
}

/** Fails instead of carrying the request out. */
export function failing(status: number, body?: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return () =>
    new Response(body ?? JSON.stringify({ message: `${status} by request of a test` }), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    });
}

/** Answers later. @param wait by which clock. */
export function late(milliseconds: number, wait: (milliseconds: number) => Promise<unknown> = setTimeout): Answer {
  return async (own) => {
    await wait(milliseconds);
    return await own();
  };
}

/** Answers never. */
export const never: Answer = () => new Promise(() => undefined);

/** The connection ends before the request is carried out. */
export const dropped: Answer = (_own, { env }) => {
  env.incoming.destroy();
  return RESPONSE_ALREADY_SENT;
};

/** The connection ends in the middle of the body. */
export const truncated: Answer = async (own, { env: { outgoing } }) => {
  const { status, headers, body } = await ownBytes(own);
  outgoing.writeHead(status, headers);
  await new Promise((resolve) => {
    outgoing.write(body.subarray(0, body.length / 2), resolve);
  });
  outgoing.destroy();
  return RESPONSE_ALREADY_SENT;
};

/** What the sandbox answers, to be sent by other means. */
export async function ownBytes(own: () => Promise<Response>) {
  const response = await own();
  const body = Buffer.from(await response.arrayBuffer());
  const headers = { ...Object.fromEntries(response.headers), 'content-length': body.length };
  return { status: response.status, headers, body };
}

/** Changes each record of an answer, or what the answer is instead of a list. */
export function withRecords(change: (record: object) => object): Answer {
  return async (own) => {
    const response = await own();
    if (!response.headers.get('content-type')?.startsWith('application/json')) {
      return response;
    }
    const json = (await response.json()) as object;
    const changed = Array.isArray(json) ? json.map(change) : change(json);
    return Response.json(changed, { status: response.status, headers: withoutIdentity(response.headers) });
  };
}

/** Names a next page on every page, by rising numbers or ever new cursors. Beyond the end there is still one, without records. */
export function endless(by: 'page' | 'cursor' = 'page'): Answer {
  return async (own, { req }) => {
    const response = await own();
    if (!response.headers.get('content-type')?.startsWith('application/json') || response.status >= 500) {
      return response;
    }
    const next = new URL(req.url);
    next.searchParams.set(by, String(Number(next.searchParams.get(by) ?? 1) + 1));
    const headers = withoutIdentity(response.headers);
    headers.set('link', `<${next.href}>; rel="next"`);
    return new Response(response.ok ? response.body : '[]', { status: 200, headers });
  };
}

/** Headers without what is true of the bytes before alone. */
function withoutIdentity(headers: Headers): Headers {
  const kept = new Headers(headers);
  kept.delete('content-length');
  kept.delete('etag');
  return kept;
}
