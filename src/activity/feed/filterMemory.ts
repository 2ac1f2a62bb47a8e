import * as vscode from 'vscode';
import { plainText } from '../../common/inertText.ts';
import { actionLabel, kindLabel, targetTypeLabel } from '../events/kindLabels.ts';
import { type FeedFilter, isEmptyFilter, readFilter } from './filter.ts';

const mementoKey = 'activity.filters';

/** The filter of each feed, remembered across windows and restarts. */
export class FilterMemory implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  /** The filter of a feed, by the feed's id. */
  of(feedId: string): FeedFilter {
    return readFilter(this.#remembered[feedId]);
  }

  async set(feedId: string, filter: FeedFilter): Promise<void> {
    const { [feedId]: _, ...others } = this.#remembered;
    await this.#memento.update(mementoKey, isEmptyFilter(filter) ? others : { ...others, [feedId]: filter });
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  get #remembered(): Readonly<Record<string, unknown>> {
    return this.#memento.get<Record<string, unknown>>(mementoKey, {});
  }
}

/** A short label of a filter, for the view's description; empty for none. */
export function filterLabel({ action, targetType, since, until, order, author, project, kind }: FeedFilter): string {
  const { t } = vscode.l10n;
  return [
    action === undefined ? undefined : actionLabel(action),
    targetType === undefined ? undefined : targetTypeLabel(targetType),
    kind === undefined ? undefined : kindLabel(kind),
    author === undefined ? undefined : t('by @{0}', plainText(author)),
    project === undefined ? undefined : t('in {0}', project.path),
    spanLabel(since, until),
    order === 'asc' ? t('oldest first') : undefined,
  ]
    .filter(Boolean)
    .join(' · ');
}

function spanLabel(since: string | undefined, until: string | undefined): string | undefined {
  const { t } = vscode.l10n;
  if (since === undefined || since === until) {
    return since ?? (until === undefined ? undefined : t('until {0}', until));
  }
  return until === undefined ? t('since {0}', since) : t('{0} to {1}', since, until);
}
