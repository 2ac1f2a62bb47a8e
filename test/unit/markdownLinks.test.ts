import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const pages = globSync('{*,{docs,src,test,.gitlab}/**/*}.md', { cwd: root });

/** The text of a page without its code, which has no links and no headings. */
function textOf(page: string): string {
  return readFileSync(join(root, page), 'utf8')
    .replaceAll(/^ *(```|~~~)[^]*?^ *\1/gm, '')
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, ' '));
}

/** The anchors of a page's headings, as GitLab and the marketplaces make them. */
function anchorsOf(page: string): string[] {
  const counts = new Map<string, number>();
  return [...textOf(page).matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = '']) => {
    const name = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)|[`*]/g, '$1')
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
      .replaceAll(/\s/g, '-');
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return count === 0 ? name : `${name}-${count}`;
  });
}

/** The links and pictures of a page that lead into the project. */
function linksOf(page: string): string[] {
  const targets = [...textOf(page).matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)|^\[[^\]]+\]:\s*(\S+)/gm)];
  return targets.map(([, inline, reference]) => inline ?? reference ?? '').filter((to) => !/^[a-z][\w+.-]*:/i.test(to));
}

/** What is wrong with a link; undefined if it leads somewhere. */
function problemOf(page: string, link: string): string | undefined {
  const [path = '', anchor] = decodeURI(link).split('#');
  const target = path === '' ? page : relative(root, join(root, dirname(page), path));
  if (target.startsWith('..') || !existsSync(join(root, target))) {
    return `${page}: there is no ${target}`;
  }
  return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor)
    ? `${page}: ${target} has no heading for #${anchor}`
    : undefined;
}

describe('the links and names of the Markdown files', () => {
  it('lead to files and headings that are there', () => {
    const links = pages.flatMap((page) => linksOf(page).map((link) => ({ page, link })));
    assert.ok(pages.includes('README.md') && links.length > 30, `${links.length} links in ${pages.length} pages`);
    assert.deepEqual(
      links.flatMap(({ page, link }) => problemOf(page, link) ?? []),
      [],
    );
  });

  it('name no source that is not there', () => {
    const files = globSync('{*,{src,test,scripts}/**/*}.ts', { cwd: root }).map((file) => `/${file}`);
    const names = ['docs/architecture.md', 'CONTRIBUTING.md'].flatMap((page) =>
      [...readFileSync(join(root, page), 'utf8').matchAll(/`([\w./]+\.ts)`/g)].map(([, name = '']) => name),
    );
    assert.ok(names.length > 40, String(names.length));
    // Those of the example are to be made.
    const missing = names.filter((name) => !/\btodos\b/.test(name) && !files.some((file) => file.endsWith(`/${name}`)));
    assert.deepEqual(missing, []);
  });

  it('show pictures that are not too large to be looked at', () => {
    const pictures = pages.flatMap((page) =>
      linksOf(page)
        .filter((link) => /\.(?:png|gif|webp)$/.test(link))
        .map((link) => join(root, dirname(page), link)),
    );
    assert.ok(pictures.length > 2);
    for (const picture of pictures.filter(existsSync)) {
      assert.ok(readFileSync(picture).length < 2 * 1024 * 1024, picture);
    }
  });
});
