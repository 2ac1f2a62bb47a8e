import type { User } from './model.ts';
import { Random } from './random.ts';

/** Pixels. */
const side = 64;

/** What an instance says of a user's picture: some have uploaded one, some have one elsewhere, some have none. */
export function avatarUrl(url: string, { id }: User): string | null {
  switch (id % 4) {
    case 2:
      return null;
    case 3:
      return `https://gravatar.example/avatar/${id}?s=80&d=identicon`;
    default:
      return `${url}/uploads/-/system/user/avatar/${id}/avatar.png`;
  }
}

/** Draws head and shoulders in the colours of a user, as a PNG. */
export async function drawPicture({ id }: User): Promise<Uint8Array<ArrayBuffer>> {
  const random = new Random(id);
  const [back, front] = [90, 190].map((least) => [0, 1, 2].map(() => random.integer(least - 60, least + 60)));
  const pixel = (x: number, y: number): readonly number[] =>
    (Math.hypot(x - side / 2, y - 25) < 12 || Math.hypot(x - side / 2, y - 66) < 25 ? front : back) ?? [];
  const rows = Array.from({ length: side }, (_, y) => [
    0,
    ...Array.from({ length: side }, (_, x) => pixel(x, y)).flat(),
  ]);
  const packed = new Blob([new Uint8Array(rows.flat())]).stream().pipeThrough(new CompressionStream('deflate'));
  const data = new Uint8Array(await new Response(packed).arrayBuffer());
  const header = [0, 0, 0, side, 0, 0, 0, side, 8, 2, 0, 0, 0];
  const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
  return new Uint8Array([...signature, ...chunk('IHDR', header), ...chunk('IDAT', [...data]), ...chunk('IEND', [])]);
}

/** @see https://www.w3.org/TR/png-3/#5Chunk-layout */
function chunk(type: string, data: readonly number[]): number[] {
  const body = [...new TextEncoder().encode(type), ...data];
  let crc = ~0;
  for (const byte of body) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
  }
  return [...uint32(data.length), ...body, ...uint32(~crc)];
}

function uint32(value: number): number[] {
  return [24, 16, 8, 0].map((bits) => (value >>> bits) & 0xff);
}
