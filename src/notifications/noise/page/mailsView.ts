import { html, nothing, type TemplateResult } from 'lit-html';
import type { L10n } from '../../../common/l10n.ts';
import { isUnknown, type Mails, mailsLabel, type NoiseState } from '../mails.ts';

/**
 * A count as a small bar, and in words: filled as far as is known for certain, hatched as far as there may be more.
 *
 * @param loudest the count whose bar is as long as there is room.
 */
export function mailsView(mails: Mails, loudest: number, l10n: L10n): TemplateResult {
  const part = (count: number): number => (loudest > 0 ? Math.min(100, Math.round((count / loudest) * 100)) : 0);
  const [least, most] = [part(mails.least), mails.most === undefined ? 100 : part(mails.most)];
  // As a property: the page allows no styles in attributes.
  return html`<span class="mails ${isUnknown(mails) ? 'unknown' : ''}"
    ><span class="meter" aria-hidden="true" .style=${`--least: ${least}%; --most: ${most}%`}></span
    ><span>${mailsLabel(mails, l10n, document.documentElement.lang)}</span></span
  >`;
}

/** What is done about an estimate: reads it, gives that up, reads it again, fixes why it failed; and what it was made of. */
export function estimateView(
  state: NoiseState,
  l10n: L10n,
  {
    read,
    cancel,
    fix,
    isShown,
  }: { readonly [action in 'read' | 'cancel' | 'fix']: () => void } & { readonly isShown: boolean },
): TemplateResult {
  const { isReading, events, canRead, problem, remedy, notes } = state;
  const title = isReading
    ? l10n.t('Cancel')
    : !canRead
      ? l10n.t('Estimate Again')
      : isShown
        ? l10n.t('Include Merge Requests')
        : l10n.t('Show E-mails a Week');
  // One button, so that the focus stays.
  return html`
    <div class="estimate">
      ${problem === undefined ? nothing : html`<p class="problem">${problem}</p>`}
      ${remedy === undefined ? nothing : html`<button type="button" class="link" @click=${fix}>${remedy}</button>`}
      ${isReading ? html`<span class="quiet">${l10n.t('Events read: {0}', events)}</span>` : nothing}
      <button type="button" class="link" @click=${isReading ? cancel : read}>${title}</button>
      ${
        notes.length === 0
          ? nothing
          : html`<details>
              <summary>${l10n.t('How e-mails are estimated')}</summary>
              <ul>
                ${notes.map((note) => html`<li>${note}</li>`)}
              </ul>
            </details>`
      }
    </div>
  `;
}
