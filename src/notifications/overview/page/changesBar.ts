import { html, nothing, type TemplateResult } from 'lit-html';
import type { L10n } from '../../../common/l10n.ts';

interface Change {
  readonly key: string;
  readonly level: string;
}

/** What holds the changes that were chosen in a table and are not made yet. */
interface ChangesModel {
  readonly l10n: L10n;
  readonly changes: readonly Change[];
  send(message: { type: 'change'; changes: Change[] }): void;
  discard(): void;
}

/** What a page of levels is at; undefined if that is nothing. */
export function phaseLabel(phase: 'loading' | 'ready' | 'reviewing' | 'changing', l10n: L10n): string | undefined {
  switch (phase) {
    case 'loading':
      return l10n.t('Reading the settings…');
    case 'reviewing':
      return l10n.t('Changes are being prepared and reviewed. Nothing is sent yet.');
    case 'changing':
      return l10n.t('Changing the settings…');
    case 'ready':
      return undefined;
  }
}

/**
 * The bar below a table in which levels are chosen: how many changes there are, to be reviewed or discarded.
 *
 * @param lockedReason why they cannot be reviewed; undefined if they can.
 * @param note what else is to be said of them.
 */
export function changesBar(
  model: ChangesModel,
  lockedReason: string | undefined,
  note: TemplateResult | typeof nothing = nothing,
): TemplateResult | typeof nothing {
  const { l10n, changes } = model;
  if (changes.length === 0) {
    return nothing;
  }
  return html`
    <section class="changes" aria-label=${l10n.t('Changes')}>
      <div class="buttons">
        <strong>${changes.length === 1 ? l10n.t('1 change') : l10n.t('{0} changes', changes.length)}</strong>
        ${note}
        <button
          type="button"
          aria-disabled=${lockedReason === undefined ? 'false' : 'true'}
          title=${lockedReason ?? nothing}
          @click=${() => (lockedReason === undefined ? model.send({ type: 'change', changes: [...changes] }) : undefined)}
        >
          ${l10n.t('Review Changes…')}
        </button>
        <button type="button" class="secondary" @click=${() => model.discard()}>${l10n.t('Discard')}</button>
      </div>
    </section>
  `;
}
