import type { Page } from 'playwright-core';
import { crc32 } from 'node:zlib';

/** A picture of a moving one, and how long it stands, in milliseconds. */
export interface Frame {
  readonly png: Buffer;
  readonly duration: number;
}

/** What differs from the picture before: a PNG and where it goes. */
interface Patch {
  readonly png: string;
  readonly x: number;
  readonly y: number;
}

/**
 * Makes an animated PNG (https://www.w3.org/TR/png-3/#apng-frame-based-animation) that plays for ever. Each frame holds the part alone
 * that differs from the one before.
 *
 * @param frames of the same size.
 * @param page a browser that compares and cuts them.
 */
export async function animate(frames: readonly Frame[], page: Page): Promise<Buffer> {
  const sources = JSON.stringify(frames.map(({ png }) => `data:image/png;base64,${png.toString('base64')}`));
  const patches = (await page.evaluate(`(${cutPatches})(${sources})`)) as readonly Patch[];
  const chunks: Buffer[] = [];
  let sequence = 0;
  for (const [index, { png, x, y }] of patches.entries()) {
    const parts = chunksOf(Buffer.from(png, 'base64'));
    const header = parts.find(({ type }) => type === 'IHDR')?.data ?? Buffer.alloc(0);
    if (index === 0) {
      chunks.push(chunk('IHDR', header), chunk('acTL', numbers(patches.length, 0)));
    }
    const timing = Buffer.from([...shorts(frames[index]?.duration ?? 0, 1000), 0, 0]);
    chunks.push(chunk('fcTL', numbers(sequence++, header.readUInt32BE(0), header.readUInt32BE(4), x, y), timing));
    for (const { data } of parts.filter(({ type }) => type === 'IDAT')) {
      chunks.push(index === 0 ? chunk('IDAT', data) : chunk('fdAT', numbers(sequence++), data));
    }
  }
  return Buffer.concat([signature, ...chunks, chunk('IEND')]);
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Runs in the page: the first picture whole, of each other one the rectangle in which it differs. */
const cutPatches = `async (sources) => {
  const patches = [];
  let before;
  for (const source of sources) {
    const image = new Image();
    image.src = source;
    await image.decode();
    const { width, height } = image;
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    const pixels = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
    let [left, top, right, bottom] = before ? [width, height, -1, -1] : [0, 0, width - 1, height - 1];
    for (let at = 0; before && at < pixels.length; at += 1) {
      if (pixels[at] !== before[at]) {
        const [x, y] = [at % width, Math.floor(at / width)];
        left = Math.min(left, x); right = Math.max(right, x); top = Math.min(top, y); bottom = y;
      }
    }
    if (right < 0) [left, top, right, bottom] = [0, 0, 0, 0];
    const patch = new OffscreenCanvas(right - left + 1, bottom - top + 1);
    patch.getContext('2d').drawImage(canvas, -left, -top);
    const blob = await patch.convertToBlob({ type: 'image/png' });
    const url = await new Promise((resolve) => {
      const reader = new FileReader();
      reader.onload = () => resolve(reader.result);
      reader.readAsDataURL(blob);
    });
    patches.push({ png: url.split(',')[1], x: left, y: top });
    before = pixels;
  }
  return patches;
}`;

function chunksOf(png: Buffer): { readonly type: string; readonly data: Buffer }[] {
  const chunks = [];
  for (let at = signature.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

function chunk(type: string, ...data: readonly Buffer[]): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), ...data]);
  return Buffer.concat([numbers(content.length - 4), content, numbers(crc32(content))]);
}

function numbers(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => buffer.writeUInt32BE(value, 4 * index));
  return buffer;
}

function shorts(...values: readonly number[]): number[] {
  return values.flatMap((value) => [value >> 8, value & 0xff]);
}
