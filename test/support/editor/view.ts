import * as vscode from 'vscode';
import { CancellationTokenSource, EventEmitter } from './types.ts';

/** A row that a view has. */
export interface Row {
  readonly node: object;
  readonly item: vscode.TreeItem;
  readonly depth: number;
  /** Undefined where it is closed, or has none. */
  readonly children: readonly Row[] | undefined;
}

/**
 * A view of the side bar. Once somebody looks at its rows it reads them, as far as they are open, and again where the tree says that they
 * changed: the editor does so as soon as the view is visible, but a test is to say when.
 */
export class View {
  readonly drag: vscode.TreeDragAndDropController<object> | undefined;
  visible = false;
  selection: readonly object[] = [];
  title?: string;
  description?: string;
  message?: string;
  badge?: vscode.ViewBadge;
  readonly #visibility = new EventEmitter<{ visible: boolean }>();
  readonly #selected = new EventEmitter<{ selection: readonly object[] }>();
  readonly onDidChangeVisibility = this.#visibility.event;
  readonly onDidChangeSelection = this.#selected.event;
  readonly #tree: vscode.TreeDataProvider<object>;
  readonly #subscription: vscode.Disposable | undefined;
  /** The rows that were opened, by their ids. */
  readonly #isOpen = new Set<string>();
  readonly #outdated = new Set<object | undefined>([undefined]);
  #top: readonly Row[] = [];
  #reading: Promise<void> | undefined;

  constructor({ treeDataProvider, dragAndDropController }: vscode.TreeViewOptions<object>) {
    [this.#tree, this.drag] = [treeDataProvider, dragAndDropController];
    this.#subscription = treeDataProvider.onDidChangeTreeData?.((changed) => {
      for (const node of Array.isArray(changed) ? (changed as object[]) : [changed]) {
        this.#outdated.add(node ?? undefined);
      }
      if (this.#reading) {
        this.#read();
      }
    });
  }

  show(isVisible: boolean): void {
    if (this.visible !== isVisible) {
      this.visible = isVisible;
      this.#visibility.fire({ visible: isVisible });
    }
  }

  select(...nodes: readonly object[]): void {
    this.selection = nodes;
    this.#selected.fire({ selection: nodes });
  }

  /** Opens what is above a row, and selects it. */
  async reveal(node: object): Promise<void> {
    this.show(true);
    this.select((await (this.#reading && this.#goTo(node))) ?? node);
  }

  /** All rows from the top, once what changed was read. */
  async rows(): Promise<readonly Row[]> {
    if (!this.#reading) {
      this.#read();
    }
    for (let reading; reading !== this.#reading;) {
      reading = this.#reading;
      await reading;
    }
    const below = (rows: readonly Row[]): readonly Row[] => rows.flatMap((row) => [row, ...below(row.children ?? [])]);
    return below(this.#top);
  }

  async tooltip({ node, item }: Row): Promise<string> {
    const { token } = new CancellationTokenSource();
    const resolved = item.tooltip === undefined ? await this.#tree.resolveTreeItem?.(item, node, token) : item;
    const tooltip = resolved?.tooltip;
    return visible(typeof tooltip === 'object' ? tooltip.value : (tooltip ?? ''));
  }

  dispose(): void {
    this.#subscription?.dispose();
  }

  /** @returns what the view has in the place of a node, which may have been made anew. */
  async #goTo(node: object): Promise<object> {
    const path: object[] = [];
    for (let one = await this.#tree.getParent?.(node); one; one = await this.#tree.getParent?.(one)) {
      path.unshift(one);
    }
    for (const above of path) {
      const row = (await this.rows()).find((one) => one.node === above);
      if (row && !row.children) {
        this.#isOpen.add(idOf(row.item));
        this.#outdated.add(row.node);
        this.#read();
      }
    }
    const id = idOf(await this.#tree.getTreeItem(node));
    const shown = (await this.rows()).find(({ item }) => idOf(item) === id);
    if (!shown) {
      throw new Error('The view has no such row');
    }
    return shown.node;
  }

  /** Reads what is outdated, after what is being read. */
  #read(): void {
    this.#reading = (this.#reading ?? Promise.resolve()).then(async () => {
      const outdated = new Set(this.#outdated);
      this.#outdated.clear();
      this.#top = outdated.has(undefined)
        ? await this.#below(undefined, 0)
        : await Promise.all(this.#top.map((row) => this.#again(row, outdated)));
    });
  }

  async #again(row: Row, outdated: ReadonlySet<object | undefined>): Promise<Row> {
    if (outdated.has(row.node)) {
      return await this.#rowOf(row.node, row.depth);
    }
    const { children } = row;
    return { ...row, children: children && (await Promise.all(children.map((one) => this.#again(one, outdated)))) };
  }

  async #below(node: object | undefined, depth: number): Promise<readonly Row[]> {
    const nodes = (await this.#tree.getChildren(node)) ?? [];
    return await Promise.all(nodes.map((one) => this.#rowOf(one, depth)));
  }

  async #rowOf(node: object, depth: number): Promise<Row> {
    const item = await this.#tree.getTreeItem(node);
    const { None, Expanded } = vscode.TreeItemCollapsibleState;
    const { collapsibleState: state } = item;
    const isOpen = state !== None && (this.#isOpen.has(idOf(item)) || state === Expanded);
    return { node, item, depth, children: isOpen ? await this.#below(node, depth + 1) : undefined };
  }
}

/** Text as it looks: without characters that take no room. */
export function visible(text: string): string {
  return text.replaceAll(/[\u200B-\u200F\u2060-\u2069\uFEFF]/g, '');
}

export function labelOf({ label = '' }: vscode.TreeItem): string {
  return visible(label as string);
}

/** A row in one line: indented by its depth, with its description. */
export function lineOf({ item, depth }: Row): string {
  const { description } = item;
  const texts = [labelOf(item), ...(typeof description === 'string' ? [visible(description)] : [])];
  return `${'  '.repeat(depth)}${texts.filter(Boolean).join(' ')}`;
}

const idOf = (item: vscode.TreeItem): string => item.id ?? labelOf(item);
