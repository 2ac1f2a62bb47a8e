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
  /** The rows that it went to, and those of them that got the focus. */
  readonly revealed: Node[] = [];
  readonly focused: Node[] = [];
  /** For which rows those below were asked for, in order; undefined for the top. */
  readonly asked: (Node | undefined)[] = [];
  /**
   * Notifications of rows that it was still waiting for, and those after which nothing was different, unless there may have
   * been something until another one came.
   */
  readonly needless: string[] = [];
  readonly #tree: vscode.TreeDataProvider<Node>;
  readonly #subscription: vscode.Disposable | undefined;
  readonly #visibility = new vscode.EventEmitter<vscode.TreeViewVisibilityChangeEvent>();
  readonly #selection = new vscode.EventEmitter<vscode.TreeViewSelectionChangeEvent<Node>>();
  /** What it waits for, by the reading that waits. */
  readonly #waiting = new Map<Node | undefined, symbol>();
  /** The rows that are to be read again. */
  readonly #outdated = new Set<Node | undefined>();
  /** Whether there were several notifications, or one while rows were read: then what each of them is for cannot be said. */
  #isBusy = false;
  /** Whether something else has happened since it began to read. */
  #isDisturbed = false;
  #rows: readonly Row<Node>[] | undefined;
  #queue: Promise<void> = Promise.resolve();

  constructor(tree: vscode.TreeDataProvider<Node>) {
    this.#tree = tree;
    this.onDidChangeVisibility = this.#visibility.event;
    this.onDidChangeSelection = this.#selection.event;
    this.#subscription = tree.onDidChangeTreeData?.((changed) => {
      const nodes: readonly (Node | undefined)[] = Array.isArray(changed) ? changed : [changed ?? undefined];
      nodes
        .filter((node) => this.#waiting.has(node))
        .forEach((node) => {
          const reading = this.#waiting.get(node);
          // What is answered in the same turn was answered before, and has only not arrived yet.
          setImmediate(() => {
            if (this.#waiting.get(node) === reading) {
              this.needless.push(`It was still asking for ${this.#name(node)}`);
            }
          });
        });
      this.#isBusy ||= this.#outdated.size > 0;
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

  /** Something else happens: what it still reads may become the same again, so that no notification is needless for that. */
  disturb(): void {
    this.#isBusy ||= this.#outdated.size > 0;
    this.#isDisturbed = true;
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

  async reveal(node: Node, options?: { readonly focus?: boolean }): Promise<void> {
    await this.settled();
    const path: Node[] = [];
    for (let row: Node | null | undefined = node; row; row = await this.#tree.getParent?.(row)) {
      path.unshift(row);
    }
    for (const row of path) {
      const found = this.#find(row);
      if (!found) {
        throw new Error(`The view has no row ${this.#name(row)}`);
      }
      if (row !== node) {
        found.children ??= await this.#read(row);
      }
    }
    this.revealed.push(node);
    this.focused.push(...(options?.focus === true ? [node] : []));
    this.select(node);
  }

  dispose(): void {
    this.#subscription?.dispose();
    this.#visibility.dispose();
    this.#selection.dispose();
  }

  async #read(node: Node | undefined): Promise<readonly Row<Node>[]> {
    this.asked.push(node);
    // What is answered at once is only on its way.
    const late = setImmediate(() => this.#waiting.set(node, Symbol('reading')));
    const nodes = (await this.#tree.getChildren(node)) ?? [];
    clearImmediate(late);
    this.#waiting.delete(node);
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
    const wasAlone = !this.#isBusy;
    // What another notification is for may be read before it is handled.
    const isAlone = (): boolean => wasAlone && this.#outdated.size === 0 && !this.#isDisturbed;
    this.#isDisturbed = false;
    this.#outdated.clear();
    this.#isBusy = true;
    if (nodes.includes(undefined) && this.#rows) {
      const before = this.#picture(this.#rows);
      let isLate = false;
      setImmediate(() => (isLate = true));
      this.#rows = await this.#read(undefined);
      // While it waits for rows that were others, they may become the same again.
      this.#compare(isAlone() && !isLate, undefined, before, this.#picture(this.#rows));
    } else {
      for (const node of nodes) {
        const row = node && this.#find(node);
        if (row) {
          const before = this.#picture([row]);
          row.item = await this.#tree.getTreeItem(row.node);
          row.children = row.children && (await this.#read(row.node));
          // Of a closed row the editor reads nothing below: to name it where other events are in it costs nothing.
          const isClosed = !row.children && row.item.collapsibleState !== vscode.TreeItemCollapsibleState.None;
          this.#compare(isAlone() && !isClosed, node, before, this.#picture([row]));
        }
      }
    }
    this.#isBusy = this.#outdated.size > 0;
  }

  #compare(isAlone: boolean, node: Node | undefined, before: string, after: string): void {
    if (isAlone && before === after) {
      this.needless.push(`Nothing is different below ${this.#name(node)}`);
    }
  }

  /** All that a user can see of rows. */
  #picture(rows: readonly Row<Node>[]): string {
    return JSON.stringify(
      rows.map(({ item, children }) => {
        const { command: _, ...seen } = item;
        return [seen, children && this.#picture(children)];
      }),
    );
  }

  #name(node: Node | undefined): string {
    return node ? (this.#find(node)?.item.id ?? 'a row that it does not have') : 'the top';
  }

  #all(rows = this.#rows ?? []): readonly Row<Node>[] {
    return rows.flatMap((row) => [row, ...this.#all(row.children ?? [])]);
  }

  #find(node: Node): Row<Node> | undefined {
    return this.#all().find((row) => row.node === node);
  }
}

const noEvent = (): vscode.Disposable => ({ dispose: () => undefined });
