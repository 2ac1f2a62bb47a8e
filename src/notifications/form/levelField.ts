import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { notificationLevels } from '../../api/notificationVocabulary.ts';
import { levelOf } from '../model/change.ts';
import type { Settings } from '../model/settings.ts';
import { levelWords } from '../model/words.ts';
import type { ToForm } from '../protocol/messages.ts';
import { fieldError } from './fieldError.ts';
import type { FormModel } from './formModel.ts';

/** In the order of what they let through, and last the one that is made of events. */
const order = ['global', 'watch', 'participating', 'mention', 'disabled', 'custom'];

/** The choice of a level, each with its meaning. */
export function levelField(model: FormModel, { scope, fieldErrors }: ToForm, settings: Settings): TemplateResult {
  const { l10n } = model;
  const chosen = levelOf(settings, model.draft);
  // Globally "as it is globally" says nothing: it is offered only where it is what holds.
  const offered = order.filter((level) => level !== 'global' || scope.kind !== 'global' || chosen === 'global');
  const strangers = [settings.level, chosen].filter((level) => !notificationLevels.some((known) => known === level));
  const modified = chosen !== settings.level;
  return html`
    <fieldset
      class="level ${modified ? 'modified' : ''}"
      aria-describedby=${fieldErrors['level'] ? 'level-error' : nothing}
    >
      <legend>${l10n.t('Level')}</legend>
      ${[...offered, ...new Set(strangers)].map((level) => {
        const { name, meaning } = levelWords(level, l10n);
        return html`
          <label class="choice">
            <input
              type="radio"
              name="level"
              value=${level}
              .checked=${live(level === chosen)}
              @change=${() => model.edit({ level })}
            />
            <span class="name">${name}</span>
            <span class="quiet"
              >${meaning}${level === settings.level && modified ? html` <em>(${l10n.t('current')})</em>` : nothing}</span
            >
          </label>
        `;
      })}
      ${fieldError('level', fieldErrors)}
    </fieldset>
  `;
}
