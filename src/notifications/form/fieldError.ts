import { html, nothing, type TemplateResult } from 'lit-html';

/** What the platform says of a field, below it; the field names it by the id `<field>-error`. */
export function fieldError(
  field: string,
  fieldErrors: Readonly<Record<string, string>>,
): TemplateResult | typeof nothing {
  const sentence = fieldErrors[field];
  return sentence === undefined ? nothing : html`<p class="field-error" id="${field}-error">${sentence}</p>`;
}
