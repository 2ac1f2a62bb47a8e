import { html, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { differences } from '../model/comparison.ts';
import type { Settings } from '../model/settings.ts';
import { fieldWord, valueWord } from '../model/words.ts';
import type { FormModel } from './formModel.ts';

/** Shows what was changed elsewhere beside what the person has chosen, and lets them choose, field by field. */
export function conflictSection(model: FormModel, settings: Settings, now: Settings): TemplateResult {
  const { l10n } = model;
  const change = model.changeOf(settings);
  return html`
    <section id="conflict" class="notice warning" tabindex="-1" aria-labelledby="conflict-title">
      <h2 id="conflict-title">${l10n.t('The settings were changed elsewhere')}</h2>
      <p>${l10n.t('Nothing was sent. Choose which values to keep, then save.')}</p>
      ${differences(settings, now).map(({ field, before, after }) => {
        const word = (value: string | boolean): string => valueWord(field, value, l10n);
        const mine = change[field];
        const told = l10n.t('was {0}, is now {1}', word(before), word(after));
        if (mine === undefined || word(mine) === word(after)) {
          return html`<p><strong>${fieldWord(field, l10n)}</strong>: ${told}</p>`;
        }
        return html`
          <fieldset class="versions">
            <legend>${fieldWord(field, l10n)}: ${told}</legend>
            ${[false, true].map(
              (giveUp) => html`
                <label class="choice"
                  ><input
                    type="radio"
                    name="conflict-${field}"
                    .checked=${live(model.giveUp.has(field) === giveUp)}
                    @change=${() => model.decide(field, giveUp)}
                  />${giveUp ? l10n.t('Use the value on the instance: {0}', word(after)) : l10n.t('Keep my change: {0}', word(mine))}</label
                >
              `,
            )}
          </fieldset>
        `;
      })}
      <div class="buttons">
        <button type="button" @click=${() => model.resolve()}>${l10n.t('Continue')}</button>
        <button type="button" class="secondary" @click=${() => model.act('discard')}>
          ${l10n.t('Discard My Changes')}
        </button>
      </div>
    </section>
  `;
}
