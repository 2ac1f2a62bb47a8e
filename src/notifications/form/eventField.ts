import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { shownFlag } from '../model/change.ts';
import type { Flag, Settings } from '../model/settings.ts';
import { eventWords, flagWord } from '../model/words.ts';
import type { ToForm } from '../protocol/messages.ts';
import { fieldError } from './fieldError.ts';
import type { FormModel } from './formModel.ts';

/** The switch of one event. Default and unknown can be left, but not be chosen again once they were overwritten. */
export function eventField(model: FormModel, state: ToForm, settings: Settings, event: string): TemplateResult {
  const { l10n } = model;
  const { name, meaning } = eventWords(event, l10n);
  const before = settings.flags[event] ?? 'unknown';
  const shown = shownFlag(settings, model.draft, event);
  const modified = shown !== before;
  const choices: readonly Flag[] = before === 'on' || before === 'off' ? ['off', 'on'] : [before, 'off', 'on'];
  const error = state.fieldErrors[event] !== undefined;
  return html`
    <div
      class="event ${modified ? 'modified' : ''}"
      role="radiogroup"
      aria-labelledby="${event}-name"
      aria-describedby=${error ? `${event}-meaning ${event}-error` : `${event}-meaning`}
    >
      <div class="words">
        <span class="name" id="${event}-name">${name}</span>
        <span class="quiet" id="${event}-meaning"
          >${meaning}${modified ? html`. <em>${l10n.t('Current: {0}', flagWord(before, l10n))}</em>` : nothing}${written(model, state, event, before)}</span
        >
        ${fieldError(event, state.fieldErrors)}
      </div>
      <div class="segments">
        ${choices.map(
          (flag) => html`
            <label class=${flag}
              ><input
                type="radio"
                name=${event}
                value=${flag}
                .checked=${live(flag === shown)}
                @change=${() => model.edit({ flags: { [event]: flag === before ? null : flag === 'on' } })}
              /><span>${flagWord(flag, l10n)}</span></label
            >
          `,
        )}
      </div>
    </div>
  `;
}

/** An event that the platform does not show may have been set from here. */
function written({ l10n }: FormModel, { written }: ToForm, event: string, before: Flag): string | typeof nothing {
  const last = written[event];
  return last && before === 'unknown'
    ? `. ${l10n.t('Set to {0} with Beacon on {1}; GitLab does not show it.', flagWord(last.value ? 'on' : 'off', l10n), last.day)}`
    : nothing;
}
