import * as vscode from 'vscode';
import { accountLabel } from '../../accounts/accountInUse.ts';
import type { AccountStore } from '../../accounts/accountStore.ts';
import { isUnrecognized } from '../../api/unrecognized.ts';
import type { Commands } from '../../common/commands.ts';
import { showInformationMessage, showQuickPick } from '../../common/inertWindow.ts';
import type { Target, ViewContext } from '../viewContext.ts';
import { eventKind } from '../events/eventKind.ts';
import { authorName } from '../events/eventLabel.ts';
import { kindLabel } from '../events/kindLabels.ts';
import { isAboveRead } from '../feed/feedState.ts';
import { usernameOf } from '../feed/filter.ts';
import { feedLabelAmong, type OpenFeeds } from '../feed/openFeeds.ts';
import type { Projects } from '../feed/projects.ts';
import type { Mute, Mutes, ReadState, ReadStep } from '../feed/readState.ts';

/** The codicons of what can be muted. */
const muteIcons = { author: 'account', project: 'repo', kind: 'tag' } as const;

/** What reading depends on. */
export interface ReadCommandsDeps {
  readonly accounts: Pick<AccountStore, 'all'>;
  readonly feeds: OpenFeeds;
  readonly context: ViewContext;
  readonly readState: ReadState;
  readonly mutes: Mutes;
  readonly projects: Projects;
}

/** Marks events as read, mutes, and leaves out what has been read. */
export class ReadCommands {
  readonly #deps: ReadCommandsDeps;
  readonly commands = {
    'beacon.activity.markAllRead': () => this.markAllRead(),
    'beacon.activity.markFeedRead': (target?: Target) => this.markAllRead(target),
    'beacon.activity.markReadUpTo': (target?: Target) => this.markReadUpTo(target),
    'beacon.activity.leaveOutOfBadge': (target?: Target) => this.setCounts(target, false),
    'beacon.activity.countInBadge': (target?: Target) => this.setCounts(target, true),
    'beacon.activity.muteAuthor': (target?: Target) => this.mute(target, 'author'),
    'beacon.activity.muteProject': (target?: Target) => this.mute(target, 'project'),
    'beacon.activity.muteKind': (target?: Target) => this.mute(target, 'kind'),
    'beacon.activity.manageMutes': () => this.manageMutes(),
    'beacon.activity.showOnlyNew': () => this.#deps.readState.setOnlyNew(true),
    'beacon.activity.showRead': () => this.#deps.readState.setOnlyNew(false),
  } satisfies Commands;

  constructor(deps: ReadCommandsDeps) {
    this.#deps = deps;
  }

  /** Marks all events as read: of the feed that the command was chosen on, else of all feeds of the view. */
  async markAllRead(target?: Target): Promise<void> {
    const { accounts, context, feeds, readState } = this.#deps;
    const only = target ? context.feed(target) : undefined;
    // Also those that a filter leaves out: they count in the badge.
    const meant = only ? [only, ...feeds.whole.filter(({ id }) => id === only.id)] : feeds.followed;
    const names = new Map(meant.map(({ id, ref }) => [id, feedLabelAmong(ref, accounts)]));
    const steps: ReadStep[] = [];
    for (const feed of meant) {
      const step = await readState.markAllRead(feed.id, feed.state.items);
      steps.push(...(step ? [step] : []));
    }
    const { t } = vscode.l10n;
    if (steps.length === 0) {
      await showInformationMessage(t('Nothing is new'));
    } else {
      const list = (ids: Iterable<string>): string =>
        new Intl.ListFormat(vscode.env.language, { type: 'unit' }).format([...ids].map((id) => names.get(id) ?? id));
      const message = meant.some(({ isNarrowed }) => isNarrowed)
        ? t('Marked as read, also what is filtered out: {0}', list(names.keys()))
        : t('Marked as read: {0}', list(names.keys()));
      offerUndo(message, async () => {
        const restored = await readState.takeBack(steps);
        return restored.size > 0
          ? t('Undone: {0}', list(restored))
          : t('Nothing was undone: more was marked as read since then.');
      });
    }
  }

  /** Marks an event and all before it as read. */
  async markReadUpTo(target?: Target): Promise<void> {
    const node = this.#deps.context.event(target);
    // It never makes something new again.
    if (node && !isUnrecognized(node.item) && isAboveRead(node.feed.state.reading, node.item)) {
      await this.#deps.readState.markReadUpTo(node.feed.id, node.item.id);
    }
  }

  /** Lets new events of a feed count in the badge, or leaves them out of it. */
  async setCounts(target: Target, counts: boolean): Promise<void> {
    const { context, readState } = this.#deps;
    const feed = context.feed(target);
    if (feed) {
      await readState.setCounts(feed.id, counts);
    }
  }

  /** Leaves out all events of an event's author, project or kind, and offers to take that back. */
  async mute(target: Target, what: Mute['what']): Promise<void> {
    const mute = this.#muteOf(target, what);
    if (mute) {
      await this.#deps.mutes.add(mute);
      const account = accountLabel(mute.accountId);
      const message = vscode.l10n.t(
        'Muted {0} in Beacon for {1}: these events are neither shown nor counted.',
        mute.name,
        account,
      );
      offerUndo(message, async () => {
        await this.#deps.mutes.remove([mute]);
        // The view may show none of these events, or another account.
        return vscode.l10n.t('{0} is not muted any more for {1}.', mute.name, account);
      });
    }
  }

  /** Lets the user choose what stays muted. */
  async manageMutes(): Promise<void> {
    const { mutes } = this.#deps;
    if (mutes.all.length === 0) {
      await showInformationMessage(vscode.l10n.t('Nothing is muted.'));
      return;
    }
    const lines = mutes.all.map((mute) => ({
      mute,
      label: mute.name,
      description: vscode.l10n.t('for {0}', accountLabel(mute.accountId)),
      iconPath: new vscode.ThemeIcon(muteIcons[mute.what]),
      picked: true,
    }));
    const kept = await showQuickPick(lines, {
      title: vscode.l10n.t('Manage Muted Activity'),
      placeHolder: vscode.l10n.t('Deselect what you want to see again'),
      canPickMany: true,
    });
    if (kept) {
      // What was muted while the list was open was not in it.
      await mutes.remove(lines.filter((line) => !kept.includes(line)).map(({ mute }) => mute));
    }
  }

  #muteOf(target: Target, what: Mute['what']): Mute | undefined {
    const node = this.#deps.context.event(target);
    if (!node || isUnrecognized(node.item)) {
      return undefined;
    }
    const { item: event } = node;
    const { accountId } = node.feed.ref;
    switch (what) {
      case 'author': {
        const username = usernameOf(event);
        return username === undefined ? undefined : { accountId, what, value: username, name: authorName(event) };
      }
      case 'project': {
        const id = event.project_id;
        // A token that may not read projects still tells which one it is.
        const name = this.#deps.projects.get(accountId, id)?.path ?? vscode.l10n.t('project {0}', id ?? '');
        return typeof id === 'number' ? { accountId, what, value: String(id), name } : undefined;
      }
      case 'kind': {
        const kind = eventKind(event);
        return { accountId, what, value: kind, name: kindLabel(kind) };
      }
    }
  }
}

/**
 * Says what was done, and offers to take that back. Waits for no answer: the command is done, whether the user reads this or not.
 *
 * @param takeBack gives what to say of it.
 */
function offerUndo(message: string, takeBack: () => Promise<string>): void {
  const undo = vscode.l10n.t('Undo');
  void showInformationMessage(message, undo).then(async (chosen) => {
    if (chosen === undo) {
      await showInformationMessage(await takeBack());
    }
  });
}
