/**
 * An address that an instance gave, if it is one that may be opened: of the web, which no command, no script and no file is.
 *
 * @returns the address as it stands, undefined if it is another.
 */
export function webAddress(address: string | null | undefined): string | undefined {
  return typeof address === 'string' && /^https?:\/\/[^\p{Cc}\s]+$/iu.test(address) && URL.canParse(address)
    ? address
    : undefined;
}
