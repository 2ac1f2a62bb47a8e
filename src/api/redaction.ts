/** Replaces what must not reach a text, which is the token. */
export type Redact = (text: string) => string;

/** Blots out a token wherever it stands in a text that the instance gave. */
export function redacting(token: string | undefined): Redact {
  if (token === undefined) {
    return (text) => text;
  }
  const forms = [token, encodeURIComponent(token), token.toLowerCase()];
  return (text) => forms.reduce((result, form) => result.replaceAll(form, '[token]'), text);
}
