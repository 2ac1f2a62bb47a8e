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
      return `${url}/uploads/-/system/user/avatar/${id}/avatar.gif`;
  }
}

/**
 * Draws head and shoulders in the colours of a user, as a GIF whose pixels are not compressed: each row starts anew (code 128), so that
 * all codes keep their eight bits.
 *
 * @see https://www.w3.org/Graphics/GIF/spec-gif89a.txt
 */
export function drawPicture({ id }: User): Uint8Array<ArrayBuffer> {
  const random = new Random(id);
  const [back, front] = [90, 190].map((least) => [0, 1, 2].map(() => random.integer(least - 60, least + 60)));
  const pixel = (x: number, y: number) =>
    Math.hypot(x - side / 2, y - 25) < 12 || Math.hypot(x - side / 2, y - 66) < 25 ? 1 : 0;
  const steps = Array.from({ length: side }, (_, step) => step);
  const rows = steps.flatMap((y) => [side + 1, 128, ...steps.map((x) => pixel(x, y))]);
  const size = [side, 0, side, 0];
  const screen = [...size, 0x80, 0, 0, ...(back ?? []), ...(front ?? [])];
  return new Uint8Array([
    ...new TextEncoder().encode('GIF89a'),
    ...screen,
    0x2c,
    0,
    0,
    0,
    0,
    ...size,
    0,
    7,
    ...rows,
    1,
    129,
    0,
    0x3b,
  ]);
}
