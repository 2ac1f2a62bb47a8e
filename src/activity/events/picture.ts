import type { EventIcon } from './eventIcon.ts';

/** Pixels: as many as GitLab scales the pictures of users to, and enough for each place that shows one. */
const width = 64;
/** Such a picture has 16 KiB before it is compressed; there are instances that do not scale. */
export const mostPictureBytes = 32 * 1024;
/** Pixels of a side: a few bytes can stand for a picture that fills the memory. */
const longestSide = 1024;

/**
 * Where to ask for the picture of a user: only at the instance's own origin, below its path, and where GitLab has such pictures,
 * which are public.
 *
 * @param address as the instance gave it.
 * @returns undefined for what may not be asked for.
 * @see https://docs.gitlab.com/administration/image_scaling/
 */
export function pictureAddress(instanceUrl: string, address: unknown): URL | undefined {
  const [instance, url] = [URL.parse(instanceUrl), URL.parse(typeof address === 'string' ? address : '')];
  if (!instance || !url || url.origin !== instance.origin || url.username + url.password !== '') {
    return undefined;
  }
  const base = instance.pathname.replace(/(?<!\/)\/+$/, '');
  const path = url.pathname.startsWith(base) ? url.pathname.slice(base.length) : '';
  return /^\/uploads\/-\/system\/user\/avatar\/\d{1,20}\/(?:[\w.+-]|%[89A-F][\dA-F]){1,255}$/i.test(path)
    ? new URL(`${url.origin}${url.pathname}?width=${width}`)
    : undefined;
}

/**
 * A picture as a `data:` URI.
 *
 * @returns undefined for what does not begin as a PNG, JPEG, GIF or WebP of a usual size does; SVG is none.
 */
export function pictureUri(bytes: Uint8Array): string | undefined {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const { type = '', sides = [] } = headerOf(text, new DataView(bytes.buffer, bytes.byteOffset, bytes.length)) ?? {};
  return type !== '' && sides.every((side) => side > 0 && side <= longestSide)
    ? `data:image/${type};base64,${btoa(text)}`
    : undefined;
}

interface Header {
  readonly type: string;
  readonly sides: readonly number[];
}

function headerOf(text: string, view: DataView): Header | undefined {
  try {
    if (text.startsWith('\x89PNG\r\n\x1A\n\0\0\0\rIHDR')) {
      return { type: 'png', sides: [view.getUint32(16), view.getUint32(20)] };
    }
    if (/^GIF8[79]a/.test(text)) {
      return { type: 'gif', sides: [view.getUint16(6, true), view.getUint16(8, true)] };
    }
    if (text.startsWith('\xFF\xD8\xFF')) {
      return { type: 'jpeg', sides: jpegSides(view) };
    }
    switch (/^RIFF[^]{4}WEBP(VP8[ LX])/.exec(text)?.[1] ?? '') {
      case 'VP8 ':
        return { type: 'webp', sides: [26, 28].map((at) => view.getUint16(at, true) & 0x3fff) };
      case 'VP8L':
        return { type: 'webp', sides: [0, 14].map((bits) => 1 + ((view.getUint32(21, true) >>> bits) & 0x3fff)) };
      case 'VP8X':
        return { type: 'webp', sides: [23, 26].map((at) => 1 + (view.getUint32(at, true) >>> 8)) };
    }
  } catch {
    // It ends before its header does.
  }
  return undefined;
}

/** @throws RangeError if the picture has none. */
function jpegSides(view: DataView): readonly number[] {
  for (let at = 2; ; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint16(at);
    // Beginnings of frames, without those that define tables.
    if ((marker & 0xfff0) === 0xffc0 && ![0xffc4, 0xffc8, 0xffcc].includes(marker)) {
      return [view.getUint16(at + 7), view.getUint16(at + 5)];
    }
  }
}

/**
 * A picture in a circle, as the `data:` URI of an SVG.
 *
 * @param badge in its corner.
 */
export function circled(picture: string, badge = ''): string {
  // The badge is cut out of the picture, so that it stands out on any background.
  const gap = badge && '<circle cx="12" cy="12" r="5"/>';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><mask id="m"><circle cx="8" cy="8" r="8" fill="#fff"/>${gap}</mask><image href="${picture}" width="16" height="16" preserveAspectRatio="xMidYMid slice" mask="url(#m)"/>${badge}</svg>`;
  return `data:image/svg+xml;base64,${btoa(svg)}`;
}

/** What was done, as a sign of the shape and colour of the event's icon; no theme reaches into a picture. */
export function badge({ id, color = '' }: EventIcon, theme: 'light' | 'dark'): string {
  const isDark = theme === 'dark';
  const [, light, dark] = colors.find(([name]) => name.test(color)) ?? ['', '#616161', '#c5c5c5'];
  const sign = signs.get(id) ?? (id === 'pulse' ? dots : 'M12 10v4M10 12h4');
  return `<circle cx="12" cy="12" r="4" fill="${isDark ? dark : light}"/><path d="${sign}" fill="none" stroke="${isDark ? '#1f1f1f' : '#fff'}" stroke-width="1.2" stroke-linecap="round"/>`;
}

/** The colours of the editor's own themes, light and dark, by the names of what they stand for. */
const colors: readonly (readonly [name: RegExp, light: string, dark: string])[] = [
  [/green|added/, '#388a34', '#89d185'],
  [/purple/, '#652d90', '#b180d7'],
  [/red|deleted/, '#c72e0f', '#f14c4c'],
  [/blue/, '#0063d3', '#3794ff'],
  [/modified/, '#895503', '#e2c08d'],
];

const check = 'M10.2 12.2l1.3 1.3 2.3-2.8';
const cross = 'M10.6 10.6l2.8 2.8m0-2.8l-2.8 2.8';
const dots = 'M10 12h0m2 0h0m2 0h0';
/** By the id of the icon; what has no sign here begins or adds something. */
const signs = new Map(
  Object.entries<string>({
    'repo-push': 'M12 14v-4m-1.7 1.6L12 9.9l1.7 1.7',
    'cloud-download': 'M12 10v4m-1.7-1.6l1.7 1.7 1.7-1.7',
    'sign-out': 'M10 12h4m-1.6-1.7l1.7 1.7-1.7 1.7',
    'git-merge': 'M12 14.2V12l-1.6-2M12 12l1.6-2',
    'issue-reopened': 'M13.7 11a2 2 0 1 0 .2 1.7',
    'issue-closed': check,
    check,
    'git-pull-request-closed': cross,
    trash: cross,
    comment: dots,
    edit: 'M10.6 13.4l2.8-2.8',
  }),
);
