import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { loadOnce } from './commands.ts';

/** A tree data provider that can be disposed. */
type Tree<Node> = vscode.TreeDataProvider<Node> & vscode.Disposable;

/** Whether there can be rows. */
export interface RowsCondition {
  isMet(): boolean;
  readonly onDidChange: vscode.Event<void>;
}

/** Stands for a tree whose code is loaded when the editor asks for its first rows, which it does when a view is seen. */
export class LoadedTree<Node, Rows extends Tree<Node>> implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<Node | Node[] | undefined | null | void>();
  readonly #load: () => Promise<Rows>;
  readonly #condition: RowsCondition;
  readonly #subscription: vscode.Disposable;
  #wasAskedInVain = false;
  #rows: Rows | undefined;
  readonly onDidChangeTreeData = this.#changed.event;

  /**
   * @param load loads the code and builds the tree.
   * @param condition there are no rows, and nothing is loaded, before it is met.
   */
  constructor(load: () => Promise<Rows>, condition: RowsCondition) {
    this.#condition = condition;
    this.#subscription = condition.onDidChange(() => {
      if (this.#wasAskedInVain && condition.isMet()) {
        this.#wasAskedInVain = false;
        this.#changed.fire();
      }
    });
    this.#load = loadOnce(async () => {
      const rows = await load();
      rows.onDidChangeTreeData?.((changed) => this.#changed.fire(changed));
      this.#rows = rows;
      return rows;
    });
  }

  /** The tree itself. Undefined as long as no row was asked for, so that none can be outdated either. */
  get rows(): Rows | undefined {
    return this.#rows;
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (!this.#rows && !this.#condition.isMet()) {
      this.#wasAskedInVain = true;
      return [];
    }
    return (await (await this.#load()).getChildren(node)) ?? [];
  }

  async getTreeItem(node: Node): Promise<vscode.TreeItem> {
    return await (await this.#load()).getTreeItem(node);
  }

  async getParent(node: Node): Promise<Node | undefined> {
    return (await (await this.#load()).getParent?.(node)) ?? undefined;
  }

  async resolveTreeItem(item: vscode.TreeItem, node: Node, token: vscode.CancellationToken): Promise<vscode.TreeItem> {
    return (await (await this.#load()).resolveTreeItem?.(item, node, token)) ?? item;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#rows?.dispose();
    this.#changed.dispose();
  }
}

/**
 * Reveals a row if the view is visible. The editor cannot do so while it reads the rows again, for example because new
 * events have arrived: then the focus stays where it is, and the log says why.
 */
export async function revealRow<T>(
  view: Pick<vscode.TreeView<T>, 'visible' | 'reveal'>,
  row: T,
  log: Pick<vscode.LogOutputChannel, 'warn'>,
  focus = true,
): Promise<void> {
  if (view.visible) {
    try {
      await view.reveal(row, { select: true, focus });
    } catch (error) {
      log.warn(`A row could not be revealed: ${inspect(error)}`);
    }
  }
}
