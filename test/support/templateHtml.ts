import { nothing } from 'lit-html';

/** An attribute in a page: its name as the template has it, and its value. */
export interface ShownAttribute {
  readonly element: string;
  readonly name: string;
  readonly value: unknown;
}

/** What a template of lit-html makes. */
export interface ShownTemplate {
  /** With values escaped, without the handlers of events. */
  readonly html: string;
  /** The text alone. */
  readonly text: string;
  /** Attributes whose values are not part of the template. */
  readonly attributes: readonly ShownAttribute[];
}

/**
 * Shows without a browser what a template of lit-html makes of its values.
 *
 * @throws TypeError for a value that is neither text nor another template, such as a directive.
 */
export function shownTemplate(template: unknown): ShownTemplate {
  const attributes: ShownAttribute[] = [];
  const htmlOf = (value: unknown): string => {
    if (value === nothing) {
      return '';
    }
    if (typeof value === 'string') {
      return escaped(value);
    }
    if (Array.isArray(value)) {
      return value.map(htmlOf).join('');
    }
    if (typeof value !== 'object' || value === null || !('strings' in value) || !('values' in value)) {
      throw new TypeError(`${typeof value} is neither text nor a template`);
    }
    const { strings, values } = value as { readonly strings: readonly string[]; readonly values: readonly unknown[] };
    let html = strings[0] ?? '';
    values.forEach((one, index) => {
      const [attribute, name = ''] = /\s([@?.]?[\w-]+)=$/.exec(strings[index] ?? '') ?? [];
      if (attribute === undefined) {
        html += htmlOf(one);
      } else {
        const element = /<([\w-]+)[^<]*$/.exec(html)?.[1] ?? '';
        attributes.push({ element, name, value: one });
        html = name.startsWith('@') ? html.slice(0, -attribute.length) : `${html}"${escaped(String(one))}"`;
      }
      html += strings[index + 1] ?? '';
    });
    return html;
  };
  const html = htmlOf(template);
  const text = html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  return { html, text, attributes };
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
