import { HTTPException } from 'hono/http-exception';

/** An answer that ends the handling of a request wherever it is thrown. */
function refusal(status: 400 | 403 | 404, body: object): HTTPException {
  return new HTTPException(status, { res: Response.json(body, { status }) });
}

/** 400 for parameters. @param error such as `active is missing`. */
export function badParameters(error: string): HTTPException {
  return refusal(400, { error });
}

/** 400 for values that the platform's own rules refuse. @param message a sentence, or the sentences by field. */
export function badValue(message: string | Readonly<Record<string, readonly string[]>>): HTTPException {
  return refusal(400, { message });
}

/** 403 for a role that does not do. */
export function forbidden(): HTTPException {
  return refusal(403, { message: '403 Forbidden' });
}

/** 404 for what does not exist or is not to be seen. @param what such as `Project`; nothing for what has no name. */
export function notFound(what?: string): HTTPException {
  return refusal(404, { message: what === undefined ? '404 Not found' : `404 ${what} Not Found` });
}
