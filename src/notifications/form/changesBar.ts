import { html, nothing, type TemplateResult } from 'lit-html';
import { isEmpty, overwrittenDefaults } from '../model/change.ts';
import type { Settings } from '../model/settings.ts';
import { describeChange, fieldList } from '../model/words.ts';
import type { ToForm } from '../protocol/messages.ts';
import type { FormModel } from './formModel.ts';

/** What a save would do, in words, and the buttons that do it. */
export function changesBar(model: FormModel, state: ToForm, settings: Settings): TemplateResult {
  const { l10n } = model;
  const { phase, conflict, undo } = state;
  const change = model.changeOf(settings);
  const sentences = describeChange(settings, change, l10n);
  const lost = overwrittenDefaults(settings, change);
  const canSave = phase === 'ready' && !conflict && !isEmpty(change);
  const canDiscard = phase !== 'saving' && (!isEmpty(change) || conflict !== undefined);
  return html`
    <section class="changes" aria-labelledby="changes">
      <h2 id="changes">
        ${phase === 'saving' ? l10n.t('Saving…') : sentences.length === 0 ? l10n.t('No changes') : l10n.t('Changes to save for {0}', state.account)}
      </h2>
      ${
        sentences.length === 0
          ? nothing
          : html`<ul tabindex="0" aria-labelledby="changes">
              ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
            </ul>`
      }
      ${
        lost.length === 0
          ? nothing
          : html`<p class="caution">
              ${l10n.t(
                'These events are at the default of GitLab, which cannot be restored once it is overwritten: {0}',
                fieldList(lost, l10n, document.documentElement.lang),
              )}
            </p>`
      }
      <div class="buttons">
        <button
          type="button"
          aria-disabled=${canSave ? 'false' : 'true'}
          @click=${() => (canSave ? model.act('save') : undefined)}
        >
          ${l10n.t('Save')}
        </button>
        ${
          phase === 'saving'
            ? html`<button type="button" class="secondary" @click=${() => model.act('cancel')}>
                ${l10n.t('Cancel')}
              </button>`
            : html`<button
                type="button"
                class="secondary"
                aria-disabled=${canDiscard ? 'false' : 'true'}
                @click=${() => (canDiscard ? model.act('discard') : undefined)}
              >
                ${l10n.t('Discard')}
              </button>`
        }
        ${undo && phase !== 'saving' && isEmpty(change) && !conflict ? undoButton(model, undo) : nothing}
      </div>
    </section>
  `;
}

function undoButton(model: FormModel, { sentences, lost }: NonNullable<ToForm['undo']>): TemplateResult {
  const { l10n } = model;
  return html`
    ${
      sentences.length === 0
        ? nothing
        : html`<button type="button" class="secondary" aria-describedby="undo" @click=${() => model.act('undo')}>
            ${l10n.t('Undo Last Save')}
          </button>`
    }
    <p class="quiet" id="undo">
      ${sentences.length === 0 ? nothing : l10n.t('Undo: {0}.', sentences.join('; '))}
      ${lost.length === 0 ? nothing : l10n.t('The last save cannot be undone for: {0}.', lost.join(', '))}
    </p>
  `;
}
