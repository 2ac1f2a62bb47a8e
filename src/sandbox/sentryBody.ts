import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import * as z from 'zod';

/** Bytes of a body, before and after decompression. */
export const maxIngestSize = 5 * 1024 * 1024;

const decoders = { gzip: promisify(gunzip), deflate: promisify(inflate), br: promisify(brotliDecompress) };

const exceptionSchema = z.object({ type: z.string().nullish(), value: z.string().nullish() });
const eventSchema = z.object({
  event_id: z.string().optional(),
  level: z.string().optional(),
  message: z.string().nullish(),
  exception: z.object({ values: z.array(exceptionSchema) }).nullish(),
});
const headerSchema = z.object({ event_id: z.string().optional(), dsn: z.string().optional() });
const itemSchema = z.object({ type: z.string(), length: z.int().nonnegative().optional() });

/** The headline of what an SDK sent. */
export interface SentBody {
  readonly eventId: string | undefined;
  /** The public key in the DSN of an envelope's header. */
  readonly publicKey: string | undefined;
  readonly types: readonly string[];
  readonly level: string | null;
  readonly title: string | null;
}

/**
 * Undoes the compression of a body.
 *
 * @param encoding the Content-Encoding, if there is one.
 * @throws an error if the encoding is unknown, the bytes are not of it, or there are too many.
 */
export async function decompress(body: Uint8Array, encoding: string | undefined): Promise<Buffer> {
  if (encoding === undefined || encoding === 'identity') {
    return Buffer.from(body);
  }
  const decode = new Map(Object.entries(decoders)).get(encoding);
  if (!decode) {
    throw new TypeError('The encoding is unknown');
  }
  return await decode(body, { maxOutputLength: maxIngestSize });
}

/** Reads the older form of a body: one event in JSON. @throws an error if it is not that. */
export function parseStore(body: Buffer): SentBody {
  return { ...headline(body), publicKey: undefined, types: ['event'] };
}

/** Reads an envelope: a line with a header, then items of a header line and a payload. @throws an error if it is not that. */
export function parseEnvelope(body: Buffer): SentBody {
  let position = 0;
  const readLine = (): Buffer => {
    const end = body.indexOf('\n', position);
    const line = body.subarray(position, end === -1 ? body.length : end);
    position += line.length + 1;
    return line;
  };
  const header = headerSchema.parse(JSON.parse(readLine().toString()));
  const types: string[] = [];
  let event: ReturnType<typeof headline> | undefined;
  while (position < body.length) {
    const line = readLine();
    if (line.length === 0) {
      continue;
    }
    const { type, length } = itemSchema.parse(JSON.parse(line.toString()));
    const payload = length === undefined ? readLine() : body.subarray(position, position + length);
    if (length !== undefined) {
      if (payload.length < length) {
        throw new RangeError('An item of the envelope ends too early');
      }
      position += length + 1;
    }
    types.push(type);
    event = type === 'event' ? headline(payload) : event;
  }
  return {
    eventId: header.event_id ?? event?.eventId,
    publicKey: header.dsn === undefined ? undefined : URL.parse(header.dsn)?.username,
    types,
    level: event?.level ?? null,
    title: event?.title ?? null,
  };
}

function headline(payload: Buffer) {
  const { event_id: eventId, level, message, exception } = eventSchema.parse(JSON.parse(payload.toString()));
  const thrown = exception?.values.at(-1);
  const title = thrown ? [thrown.type, thrown.value].filter(Boolean).join(': ') : (message ?? null);
  return { eventId, level: level ?? 'error', title };
}
