/**
 * Finds the target of a relation in a `link` header: `<target>; rel="relation"`, several joined by commas. A link may have
 * several relations in one `rel`; names are compared in lower case.
 *
 * @returns The target as it stands, which may be relative; undefined if there is no such link.
 */
export function linkTarget(header: string, relation: string): string | undefined {
  let target: string | undefined;
  let name = '';
  // Quoted texts are read whole, because they may hold what looks like a link or a parameter.
  for (const [token] of header.matchAll(/<[^>]*>?|"(?:[^"\\]|\\.)*(?:"|\\?$)|[;,=]|[^\s;,="<]+/g)) {
    if (token.startsWith('<')) {
      // What is not closed goes on to the end, so that no part is read twice.
      target = token.endsWith('>') ? token.slice(1, -1) : undefined;
      name = '';
    } else if (token === ',') {
      target = undefined;
    } else if (token === ';') {
      name = '';
    } else if (name === '') {
      name = token.toLowerCase();
    } else if (token !== '=' && name === 'rel' && target !== undefined) {
      const relations = token.replaceAll(/["']/g, '').toLowerCase().split(/\s+/);
      if (relations.includes(relation)) {
        return target;
      }
    }
  }
  return undefined;
}
