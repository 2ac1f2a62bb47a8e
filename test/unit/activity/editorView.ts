import * as vscode from 'vscode';

/** A row as the editor has it. */
interface Row<Node> {
  readonly node: Node;
  item: vscode.TreeItem;
  /** Undefined as long as it was not opened. */
  children: readonly Row<Node>[] | undefined;
}

/**
 * The editor's side of a view: reads rows from the top as far as they are open, reads those again that are outdated, one
 * notification after the other, and goes to a row only while it has it.
 */
export class EditorView<Node extends object> implements vscode.TreeView<Node> {
  readonly onDidExpandElement = noEvent;
  readonly onDidCollapseElement = noEvent;
  readonly onDidChangeCheckboxState = noEvent;
  readonly onDidChangeVisibility;
  readonly onDidChangeSelection;
  visible = true;
  selection: readonly Node[] = [];
  message?: string;
  title?: string;
  description?: string;
  badge?: vscode.ViewBadge | undefined;
  /** The rows that it went to. */
  readonly revealed: Node[] = [];
  /** For which rows those below were asked for, in order; undefined for the top. */
  readonly asked: (Node | undefined)[] = [];
  readonly #tree: vscode.TreeDataProvider<Node>;
  readonly #subscription: vscode.Disposable | undefined;
  readonly #visibility = new vscode.EventEmitter<vscode.TreeViewVisibilityChangeEvent>();
  readonly #selection = new vscode.EventEmitter<vscode.TreeViewSelectionChangeEvent<Node>>();
  /** The rows that are to be read again. */
  readonly #outdated = new Set<Node | undefined>();
  #rows: readonly Row<Node>[] | undefined;
  #queue: Promise<void> = Promise.resolve();

  constructor(tree: vscode.TreeDataProvider<Node>) {
    this.#tree = tree;
    this.onDidChangeVisibility = this.#visibility.event;
    this.onDidChangeSelection = this.#selection.event;
    this.#subscription = tree.onDidChangeTreeData?.((changed) => {
      const nodes: readonly (Node | undefined)[] = Array.isArray(changed) ? changed : [changed ?? undefined];
      nodes.forEach((node) => this.#outdated.add(node));
      this.#queue = this.#queue.then(() => this.#refresh());
    });
  }

  /** Comes into view: asks for the rows. */
  async look(): Promise<void> {
    this.#queue = this.#queue.then(async () => {
      this.#rows ??= await this.#read(undefined);
    });
    await this.settled();
  }

  /** Resolves when it has all rows. */
  async settled(): Promise<void> {
    for (let queue; queue !== this.#queue;) {
      queue = this.#queue;
      await queue;
    }
  }

  /** Selects rows, as by clicks. */
  select(...rows: readonly Node[]): void {
    this.selection = rows;
    this.#selection.fire({ selection: rows });
  }

  show(isVisible: boolean): void {
    this.visible = isVisible;
    this.#visibility.fire({ visible: isVisible });
  }

  /** The rows that are there, from the top, as far as they are open. */
  get rows(): readonly Node[] {
    return this.#all().map(({ node }) => node);
  }

  /** What is read of a row. */
  itemOf(node: Node): vscode.TreeItem | undefined {
    return this.#find(node)?.item;
  }

  async reveal(node: Node): Promise<void> {
    await this.settled();
    const path: Node[] = [];
    for (let row: Node | null | undefined = node; row; row = await this.#tree.getParent?.(row)) {
      path.unshift(row);
    }
    for (const row of path) {
      const found = this.#find(row);
      if (!found) {
        throw new Error('The view has no such row');
      }
      if (row !== node) {
        found.children ??= await this.#read(row);
      }
    }
    this.revealed.push(node);
    this.select(node);
  }

  dispose(): void {
    this.#subscription?.dispose();
    this.#visibility.dispose();
    this.#selection.dispose();
  }

  async #read(node: Node | undefined): Promise<readonly Row<Node>[]> {
    this.asked.push(node);
    const nodes = (await this.#tree.getChildren(node)) ?? [];
    const before = new Map((node ? this.#find(node)?.children : this.#rows)?.map((row) => [row.item.id, row]));
    const rows: Row<Node>[] = [];
    for (const child of nodes) {
      const item = await this.#tree.getTreeItem(child);
      const known = before.get(item.id);
      const isOpen = known
        ? known.children !== undefined
        : item.collapsibleState === vscode.TreeItemCollapsibleState.Expanded;
      rows.push({ node: child, item, children: isOpen ? await this.#read(child) : undefined });
    }
    return rows;
  }

  /** Reads again what is outdated, if it has rows at all. */
  async #refresh(): Promise<void> {
    const nodes = [...this.#outdated];
    this.#outdated.clear();
    if (nodes.includes(undefined) && this.#rows) {
      this.#rows = await this.#read(undefined);
      return;
    }
    for (const node of nodes) {
      const row = node && this.#find(node);
      if (row) {
        row.item = await this.#tree.getTreeItem(row.node);
        row.children = row.children && (await this.#read(row.node));
      }
    }
  }

  #all(rows = this.#rows ?? []): readonly Row<Node>[] {
    return rows.flatMap((row) => [row, ...this.#all(row.children ?? [])]);
  }

  #find(node: Node): Row<Node> | undefined {
    return this.#all().find((row) => row.node === node);
  }
}

const noEvent = (): vscode.Disposable => ({ dispose: () => undefined });
