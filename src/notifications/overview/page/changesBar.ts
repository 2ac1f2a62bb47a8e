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

/**
 * The bar below a table in which levels are chosen: how many changes there are, to be reviewed or discarded.
 *
 * @param note what else is to be said of them.
 */
export function changesBar(
  model: ChangesModel,
  isReady: boolean,
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
          aria-disabled=${isReady ? 'false' : 'true'}
          @click=${() => (isReady ? model.send({ type: 'change', changes: [...changes] }) : undefined)}
        >
          ${l10n.t('Review Changes…')}
        </button>
        <button type="button" class="secondary" @click=${() => model.discard()}>${l10n.t('Discard')}</button>
      </div>
    </section>
  `;
}
