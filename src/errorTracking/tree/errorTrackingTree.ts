import * as vscode from 'vscode';
import type { ClientKeyRecord } from '../../api/errorTracking.ts';
import { type Step, stepItem } from '../../views/steps.ts';
import type { ErrorTrackingState, ProjectState, ProjectStates } from '../projectStates.ts';
import type { TrackedProject, TrackedProjects } from '../trackedProjects.ts';
import { keyNotices, nextSteps, noticesOf } from './notices.ts';
import { keyItem, projectItem, settingsItem } from './treeItems.ts';

/** What the tree consists of. */
export type ErrorTrackingNode =
  | { readonly kind: 'project'; readonly project: TrackedProject }
  | { readonly kind: 'settings'; readonly project: TrackedProject; readonly tracking: ErrorTrackingState }
  | KeyNode
  | { readonly kind: 'step'; readonly project: TrackedProject; readonly step: Step };

export interface KeyNode {
  readonly kind: 'key';
  readonly project: TrackedProject;
  readonly key: ClientKeyRecord;
}

/** Shows projects with their error tracking settings and client keys. A project is loaded when it is opened. */
export class ErrorTrackingTree implements vscode.TreeDataProvider<ErrorTrackingNode>, vscode.Disposable {
  readonly #projects: TrackedProjects;
  readonly #states: ProjectStates;
  readonly #load: (project: TrackedProject) => Promise<ProjectState>;
  readonly #changed = new vscode.EventEmitter<ErrorTrackingNode | undefined>();
  readonly #subscription: vscode.Disposable;
  /** The nodes of projects that are shown, by which the editor is told of changes. */
  #roots: readonly Extract<ErrorTrackingNode, { kind: 'project' }>[] = [];
  readonly onDidChangeTreeData = this.#changed.event;

  /** @param load what is known of a project, asking where nothing is known. */
  constructor(
    projects: TrackedProjects,
    states: ProjectStates,
    load: (project: TrackedProject) => Promise<ProjectState>,
  ) {
    this.#projects = projects;
    this.#states = states;
    this.#load = load;
    this.#subscription = vscode.Disposable.from(
      projects.onDidChange(() => this.update()),
      states.onDidChange(({ accountId, idOrPath }) => {
        const shown = this.#roots.find(
          ({ project }) => project.accountId === accountId && project.idOrPath === idOrPath,
        );
        if (shown) {
          this.#changed.fire(shown);
        }
      }),
    );
  }

  /** Shows what there is now. */
  update(): void {
    this.#changed.fire(undefined);
  }

  async getChildren(node?: ErrorTrackingNode): Promise<ErrorTrackingNode[]> {
    if (!node) {
      this.#roots = this.#projects.all.map((project) => ({ kind: 'project', project }));
      return [...this.#roots];
    }
    return node.kind === 'project' ? this.#childrenOf(node.project) : [];
  }

  getTreeItem(node: ErrorTrackingNode): vscode.TreeItem {
    switch (node.kind) {
      case 'project':
        return projectItem(
          node.project,
          this.#states.get(node.project),
          this.#roots.findIndex(({ project }) => project === node.project) === 0,
          this.#projects.isOfOtherAccount(node.project),
        );
      case 'settings':
        return settingsItem(node.project, node.tracking.settings);
      case 'key':
        return keyItem(node.project, node.key, this.#states.get(node.project));
      case 'step':
        return stepItem(node.step);
    }
  }

  getParent(node: ErrorTrackingNode): ErrorTrackingNode | undefined {
    return node.kind === 'project' ? undefined : this.#roots.find(({ project }) => project === node.project);
  }

  /** The node of a project if it is shown. */
  rootOf(project: TrackedProject): ErrorTrackingNode | undefined {
    return this.#roots.find(
      (root) => root.project.accountId === project.accountId && root.project.idOrPath === project.idOrPath,
    );
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  async #childrenOf(project: TrackedProject): Promise<ErrorTrackingNode[]> {
    const state = await this.#load(project);
    const { tracking } = state;
    const stepNode = (step: Step): ErrorTrackingNode => ({ kind: 'step', project, step });
    const notices = noticesOf(project, state, this.#projects.movedFrom(project)).map(stepNode);
    if (!tracking) {
      return notices;
    }
    return [
      ...notices,
      { kind: 'settings', project, tracking },
      ...nextSteps(project, tracking).map(stepNode),
      ...tracking.keys.map((key): ErrorTrackingNode => ({ kind: 'key', project, key })),
      ...keyNotices(tracking).map(stepNode),
    ];
  }
}
