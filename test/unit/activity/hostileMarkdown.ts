/** Texts that are designed to make a renderer of Markdown slow, each of so many characters. */
export function hostileMarkdown(length: number): readonly string[] {
  const units = [
    '[¦*¦**a ¦*a _b¦_a¦>¦> - ¦>>>\n¦> a\nb\n¦| a |\n|-|\n¦a|b\n-|-\n¦|a¦[](¦![¦[a](b ¦[a](b "¦`a``¦`',
    '<¦<a ¦<!--¦- a\n¦- a\n\n¦1) ¦~~a¦a\n=\n¦# a\n¦[a]: b\n¦[a][b] ¦*_¦**a*b**¦[[a](b)](c)¦\\¦&#1;¦\n',
    '    a\n¦```\n¦a/b#1 ¦@a/¦a/¦https://¦https://a.b/ ¦https://a/(((¦https://a/)))¦@a.-¦a@b.c ¦#1 ',
    '!(a',
  ].flatMap((line) => line.split('¦'));
  const nested = Array.from({ length: 400 }, (_, index) => `${' '.repeat(2 * index)}- a`).join('\n');
  return [
    nested,
    `${'|a'.repeat(5000)}|\n${'|-'.repeat(5000)}|\n`,
    `${'|a'.repeat(2000)}|\n${'|-'.repeat(2000)}|\n${'|a\n'.repeat(5000)}`,
    ...units.map((unit) => unit.repeat(Math.ceil(length / unit.length))),
  ].map((text) => text.slice(0, length));
}
