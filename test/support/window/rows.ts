import type * as vscode from 'vscode';
import type { View } from '../editor/editor.ts';
import { TreeItemCollapsibleState } from 'vscode';
import { visible } from './questions.ts';

/** A row that a view has. */
export interface Row {
  readonly node: object;
  readonly item: vscode.TreeItem;
  readonly depth: number;
  /** Undefined where it is closed, or has none. */
  readonly children: readonly Row[] | undefined;
}

/** The rows of a view as the editor has them: read as far as they are open, and again where the tree says that they changed. */
export class Rows {
  readonly view: View;
  readonly #subscription: vscode.Disposable | undefined;
  /** The rows that were opened, by their ids. */
  readonly #isOpen = new Set<string>();
  readonly #outdated = new Set<object | undefined>();
  #top: readonly Row[] = [];
  #reading = Promise.resolve();

  constructor(view: View) {
    this.view = view;
    view.goTo = (node) => this.#goTo(node);
    this.#subscription = this.#tree.onDidChangeTreeData?.((changed) => {
      for (const node of Array.isArray(changed) ? (changed as object[]) : [changed ?? undefined]) {
        this.#outdated.add(node ?? undefined);
      }
      this.#schedule();
    });
    this.#outdated.add(undefined);
    this.#schedule();
  }

  /** All rows from the top, once what changed was read. */
  async all(): Promise<readonly Row[]> {
    for (let reading; reading !== this.#reading;) {
      reading = this.#reading;
      await reading;
    }
    const below = (rows: readonly Row[]): readonly Row[] => rows.flatMap((row) => [row, ...below(row.children ?? [])]);
    return below(this.#top);
  }

  /** What the editor shows as tooltip. */
  async tooltip({ node, item }: Row): Promise<string> {
    const token = { isCancellationRequested: false } as vscode.CancellationToken;
    const resolved = item.tooltip === undefined ? await this.#tree.resolveTreeItem?.(item, node, token) : item;
    const tooltip = resolved?.tooltip;
    return visible(typeof tooltip === 'object' ? tooltip.value : (tooltip ?? labelOf(item)));
  }

  dispose(): void {
    this.#subscription?.dispose();
  }

  get #tree(): vscode.TreeDataProvider<object> {
    return this.view.provider;
  }

  #schedule(): void {
    this.#reading = this.#reading.then(async () => {
      const outdated = [...this.#outdated];
      this.#outdated.clear();
      if (outdated.includes(undefined)) {
        this.#top = await this.#below(undefined, 0);
      } else if (outdated.length > 0) {
        this.#top = await Promise.all(this.#top.map((row) => this.#again(row, new Set(outdated))));
      }
    });
  }

  async #again(row: Row, outdated: ReadonlySet<object | undefined>): Promise<Row> {
    return outdated.has(row.node)
      ? await this.#read(row.node, row.depth)
      : {
          ...row,
          children: row.children && (await Promise.all(row.children.map((one) => this.#again(one, outdated)))),
        };
  }

  async #below(node: object | undefined, depth: number): Promise<readonly Row[]> {
    const nodes = (await this.#tree.getChildren(node)) ?? [];
    return await Promise.all(nodes.map((one) => this.#read(one, depth)));
  }

  async #read(node: object, depth: number): Promise<Row> {
    const item = await this.#tree.getTreeItem(node);
    const { collapsibleState: state = TreeItemCollapsibleState.None } = item;
    const isOpen =
      state !== TreeItemCollapsibleState.None &&
      (this.#isOpen.has(idOf(item)) || state === TreeItemCollapsibleState.Expanded);
    return { node, item, depth, children: isOpen ? await this.#below(node, depth + 1) : undefined };
  }

  async #goTo(node: object): Promise<void> {
    const path: object[] = [];
    for (let one = await this.#tree.getParent?.(node); one; one = await this.#tree.getParent?.(one)) {
      path.unshift(one);
    }
    for (const above of path) {
      const row = (await this.all()).find((one) => one.node === above);
      if (row && !row.children) {
        this.#isOpen.add(idOf(row.item));
        this.#outdated.add(row.node);
        this.#schedule();
      }
    }
    if (!(await this.all()).some((row) => row.node === node)) {
      throw new Error('The view has no such row');
    }
  }
}

export function labelOf({ label, resourceUri }: vscode.TreeItem): string {
  const text = typeof label === 'object' ? label.label : (label ?? resourceUri?.path.split('/').at(-1) ?? '');
  return visible(text);
}

/** A row in one line: indented by its depth, with its description. */
export function lineOf({ item, depth }: Row): string {
  const { description } = item;
  const texts = [labelOf(item), ...(typeof description === 'string' ? [visible(description)] : [])];
  return `${'  '.repeat(depth)}${texts.filter(Boolean).join(' ')}`;
}

const idOf = (item: vscode.TreeItem): string => item.id ?? labelOf(item);
