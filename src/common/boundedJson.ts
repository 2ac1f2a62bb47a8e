/** Far deeper than any answer of the API is nested; a program that follows a value that is deeper still may exceed its stack. */
const mostNesting = 1000;
/** More than any page of the API has: at most 100 records, of at most some hundred values. */
const mostValuesOfPage = 200_000;

/** Reads JSON, or says what of it is out of all proportion: parsing alone can take all memory. @throws SyntaxError if it is none. */
export function parseBounded(text: string): { readonly json: unknown } | { readonly excess: string } {
  // So few characters hold no more values, and so few brackets no more levels.
  const isSmall = text.length <= mostValuesOfPage && countOf('{', text) + countOf('[', text) <= mostNesting;
  const excess = isSmall ? undefined : excessOf(text);
  return excess === undefined ? { json: JSON.parse(text) as unknown } : { excess };
}

function countOf(character: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) {
    count += 1;
  }
  return count;
}

/** What of a JSON text is too much, found before it is parsed, such as `more than 1000 levels of nesting`; undefined for other text. */
export function excessOf(text: string, mostValues = mostValuesOfPage): string | undefined {
  let depth = 0;
  let values = 0;
  // Texts are matched whole: what is in them does not count.
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\[^][^"\\]*)*"?|[[\]{},]/g)) {
    if (token === '[' || token === '{') {
      depth += 1;
    } else if (token === ']' || token === '}') {
      depth -= 1;
    }
    values += /^[[{,]$/.test(token) ? 1 : 0;
    if (depth > mostNesting) {
      return `more than ${mostNesting} levels of nesting`;
    }
    if (values > mostValues) {
      return `more than ${mostValues} values`;
    }
  }
  return undefined;
}
