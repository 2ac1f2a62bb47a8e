import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { Announcer } from '../../../webviews/page/page.ts';
import { changeLabels, fieldLabel, fieldsLabel, scopeLabel, valueLabel } from '../../settings/labels.ts';
import {
  type Change,
  changeOf,
  differences,
  heldBack,
  isEmptyChange,
  overwrittenDefaults,
  overwrittenUnknown,
  type Settings,
} from '../../settings/settings.ts';
import type { ToForm } from '../messages.ts';
import { mailsLabel } from '../../noise/mails.ts';
import { countOfShownEvents, emailField, eventFields, levelField, totalsOf } from './fields.ts';
import type { FormModel } from './formModel.ts';

/** Announces what of the page has changed to screen readers. */
export function announce(model: FormModel, announcer: Announcer): void {
  const { state, l10n } = model;
  if (!state) {
    return;
  }
  const { notice, settings, phase, conflict, otherAccount, otherDraft } = state;
  const isGood = notice?.severity === 'success' || notice?.severity === 'info';
  const spoken = notice ? [notice.sentence, ...notice.details].join(' ') : '';
  announcer.announce('status', 'scope', scopeLabel(state.scope, l10n));
  announcer.announce(
    'status',
    'phase',
    phase === 'saving' ? l10n.t('Saving…') : phase === 'loading' && !settings ? l10n.t('Reading the settings…') : '',
  );
  announcer.announce('status', 'notice', isGood ? spoken : '');
  announcer.announce('alert', 'problem', isGood ? '' : spoken);
  announcer.announce('alert', 'account', otherAccount === undefined ? '' : otherAccountLabel(model, state));
  announcer.announce('alert', 'conflict', conflict ? l10n.t('The settings were changed elsewhere') : '');
  announcer.announce('alert', 'draft', otherDraft ? otherDraftTitle(model) : '');
  if (settings) {
    const change = model.changeOf(settings);
    const count = Object.keys(change).length;
    const total = totalLabel(model, state, settings);
    announcer.announce(
      'status',
      'changes',
      isEmptyChange(change)
        ? ''
        : [l10n.t('Unsaved changes: {0}', count), ...(total === undefined ? [] : [total])].join('. '),
    );
    announcer.announce('status', 'noise', noiseSentence(model, state));
    announcer.announce(
      'status',
      'filter',
      model.filter === '' ? '' : l10n.t('Events shown: {0}', countOfShownEvents(model, settings)),
    );
  }
}

/** How far the estimate of e-mails is. */
function noiseSentence({ l10n }: FormModel, { noise, mails }: ToForm): string {
  return noise?.isReading === true
    ? l10n.t('Reading events…')
    : (noise?.problem ?? (mails ? l10n.t('The e-mails a week are shown.') : ''));
}

/** How many e-mails come with the settings, and with what is chosen; undefined if that was not read. */
function totalLabel(model: FormModel, state: ToForm, settings: Settings): string | undefined {
  const totals = totalsOf(model, state, settings);
  if (!totals) {
    return undefined;
  }
  const { l10n } = model;
  const [now, chosen] = [totals.now, totals.chosen].map((mails) =>
    mailsLabel(mails, l10n, document.documentElement.lang),
  ) as [string, string];
  return isEmptyChange(model.changeOf(settings))
    ? l10n.t('E-mails: {0}', now)
    : l10n.t('E-mails: {0}, with your changes {1}', now, chosen);
}

/** What a save would do, or what became of the last one, in one line that opens; and the buttons. */
function changesBar(model: FormModel, state: ToForm, settings: Settings): TemplateResult {
  const { l10n, isOpen } = model;
  const { phase, conflict, undo, account, otherAccount, isSignedOut } = state;
  const total = totalLabel(model, state, settings);
  const change = model.changeOf(settings);
  const sentences = changeLabels(settings, change, l10n);
  const names = (events: readonly string[]): string => fieldsLabel(events, l10n, document.documentElement.lang);
  const [defaults, unknown] = [overwrittenDefaults(settings, change), overwrittenUnknown(settings, change)];
  const cautions = [
    ...(defaults.length === 0
      ? []
      : [l10n.t('Overwritten for good, because the API cannot restore the default: {0}.', names(defaults))]),
    ...(unknown.length === 0
      ? []
      : [l10n.t('Undo cannot restore what GitLab does not show now: {0}.', names(unknown))]),
  ];
  const isChanged = !isEmptyChange(change);
  const canSave = phase === 'ready' && !conflict && isChanged && !isSignedOut;
  const canDiscard =
    phase !== 'saving' && (isChanged || heldBack(settings, model.draft).length > 0 || conflict !== undefined);
  const saved = state.notice?.severity === 'success' && !isChanged ? state.notice : undefined;
  const details = isChanged ? sentences : [...(saved?.details ?? []), ...(undo ? [undo.sentence] : [])];
  const title = html`<strong>
    ${
      phase === 'saving'
        ? l10n.t('Saving…')
        : sentences.length > 1
          ? l10n.t('{0} changes', sentences.length)
          : isChanged
            ? l10n.t('1 change')
            : (saved?.sentence ?? l10n.t('No changes'))
    }
  </strong>`;
  return html`
    <section class="changes ${isOpen ? 'open' : ''}" aria-label=${l10n.t('Changes')}>
      ${total === undefined ? nothing : html`<p class="total">${total}</p>`}
      ${cautions.length === 0 ? nothing : html`<p class="caution">${cautions.join(' ')}</p>`}
      ${
        details.length === 0
          ? html`<p class="title">${title}</p>`
          : html`<details
              .open=${live(isOpen)}
              @toggle=${(event: Event) => model.setOpen((event.target as HTMLDetailsElement).open)}
            >
              <summary>${title} ${isOpen ? nothing : html`<span class="quiet">${details.join(' · ')}</span>`}</summary>
              ${
                isOpen
                  ? html`<ul tabindex="0" aria-label=${l10n.t('Changes')}>
                      ${details.map((sentence) => html`<li>${sentence}</li>`)}
                    </ul>`
                  : nothing
              }
            </details>`
      }
      <div class="buttons">
        <button
          type="button"
          aria-disabled=${canSave ? 'false' : 'true'}
          @click=${() => (canSave ? model.act('save') : undefined)}
        >
          ${otherAccount === undefined ? l10n.t('Save') : l10n.t('Save for {0}', account)}
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
        ${
          undo?.isPossible === true && phase !== 'saving' && !conflict && !isSignedOut
            ? html`<button type="button" class="secondary" title=${undo.sentence} @click=${() => model.act('undo')}>
                ${l10n.t('Undo Last Save')}
              </button>`
            : nothing
        }
      </div>
    </section>
  `;
}

/** Shows what was changed elsewhere beside what the user has chosen, and lets them choose, field by field. */
function conflictSection(model: FormModel, settings: Settings, now: Settings): TemplateResult {
  const { l10n } = model;
  const change = model.changeOf(settings);
  return html`
    <section id="conflict" class="notice warning" tabindex="-1" aria-labelledby="conflict-title">
      <h2 id="conflict-title">${l10n.t('The settings were changed elsewhere')}</h2>
      <p>${l10n.t('Nothing was sent. Choose which values to keep, then save.')}</p>
      ${differences(settings, now).map(({ field, before, after }) => {
        const word = (value: string | boolean): string => valueLabel(field, value, l10n);
        const mine = change[field];
        const difference = l10n.t('was {0}, is now {1}', word(before), word(after));
        if (mine === undefined || word(mine) === word(after)) {
          return html`<p><strong>${fieldLabel(field, l10n)}</strong>: ${difference}</p>`;
        }
        return html`
          <fieldset class="versions">
            <legend>${fieldLabel(field, l10n)}: ${difference}</legend>
            ${[false, true].map(
              (isDiscarded) => html`
                <label class="choice"
                  ><input
                    type="radio"
                    name="conflict-${field}"
                    .checked=${live(model.discardedFields.has(field) === isDiscarded)}
                    @change=${() => model.decide(field, isDiscarded)}
                  />${isDiscarded ? l10n.t('Use the value on the instance: {0}', word(after)) : l10n.t('Keep my change: {0}', word(mine))}</label
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

function otherDraftTitle({ l10n }: FormModel): string {
  return l10n.t('Another window has other unsaved changes');
}

/** Shows what another window has chosen since, and lets the user choose. */
function otherDraftSection(model: FormModel, settings: Settings, otherDraft: Change): TemplateResult {
  const { l10n } = model;
  const sentences = changeLabels(settings, changeOf(settings, otherDraft), l10n);
  return html`
    <section class="notice warning" aria-labelledby="other-draft">
      <h2 id="other-draft">${otherDraftTitle(model)}</h2>
      <p>${l10n.t('Yours are not kept until you choose. These are the changes of the other window:')}</p>
      <ul>
        ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
      </ul>
      <div class="buttons">
        <button type="button" @click=${() => model.act('keepDraft')}>${l10n.t('Keep My Changes')}</button>
        <button type="button" class="secondary" @click=${() => model.act('useOtherDraft')}>
          ${l10n.t('Use the Other Changes')}
        </button>
      </div>
    </section>
  `;
}

/** The whole page. */
export function formPage(model: FormModel): TemplateResult {
  const { state, l10n } = model;
  if (!state) {
    return html`<main aria-busy="true"><p class="quiet">${l10n.t('Reading the settings…')}</p></main>`;
  }
  const { settings, conflict, otherDraft, phase } = state;
  return html`
    <main aria-busy=${phase === 'ready' ? 'false' : 'true'}>
      ${accountBanner(model, state)} ${heading(model, state)} ${noticeSection(model, state)}
      ${settings && otherDraft ? otherDraftSection(model, settings, otherDraft) : nothing}
      ${settings && conflict ? conflictSection(model, settings, conflict) : nothing}
      ${
        settings
          ? html`<form @submit=${(event: Event) => event.preventDefault()}>
              ${levelField(model, state, settings)} ${emailField(model, state, settings)}
              ${eventFields(model, state, settings)}
            </form>`
          : nothing
      }
    </main>
    ${settings ? changesBar(model, state, settings) : nothing}
  `;
}

function heading(model: FormModel, { scope, account, phase, settings, notice }: ToForm): TemplateResult {
  const { l10n } = model;
  // Where nothing could be read, the notice has what helps; what has a remedy is in the way of other scopes, too.
  const hasFailed = !settings && notice !== undefined;
  const isStuck = hasFailed && notice.remedy !== undefined;
  return html`
    <header>
      <h1>${l10n.t('Notification Settings')}</h1>
      <div class="scope">
        <h2>
          ${
            scope.kind === 'global'
              ? html`<span class="path">${scopeLabel(scope, l10n)}</span>`
              : html`<span class="kind">${scope.kind === 'group' ? l10n.t('Group') : l10n.t('Project')}</span>
                  <span class="path">${scope.path}</span>`
          }
        </h2>
        <div class="buttons">
          ${
            isStuck
              ? nothing
              : html`<button type="button" class="secondary" @click=${() => model.send('chooseScope')}>
                  ${l10n.t('Change Scope…')}
                </button>`
          }
          ${
            hasFailed
              ? nothing
              : html`<button
                  type="button"
                  class="secondary"
                  aria-disabled=${phase === 'ready' ? 'false' : 'true'}
                  @click=${() => model.act('reload')}
                >
                  ${l10n.t('Reload')}
                </button>`
          }
        </div>
      </div>
      <p class="account">
        ${l10n.t('Account: {0}', account)}${
          phase === 'loading' ? html`<span class="quiet"> · ${l10n.t('reading…')}</span>` : nothing
        }
      </p>
    </header>
  `;
}

function otherAccountLabel({ l10n }: FormModel, { account, otherAccount = '' }: ToForm): string {
  return l10n.t('This form is about the account {0}; the window works as {1}.', account, otherAccount);
}

/** Says loudly, and as long as the form is seen, that it is not about the account of the window. */
function accountBanner(model: FormModel, state: ToForm): TemplateResult | typeof nothing {
  const { l10n } = model;
  return state.otherAccount === undefined
    ? nothing
    : html`<section class="notice warning banner" aria-label=${l10n.t('Account')}>
        <p><strong>${otherAccountLabel(model, state)}</strong></p>
        <div class="buttons">${openOther(model, state.otherAccount)}</div>
      </section>`;
}

function openOther(model: FormModel, account: string): TemplateResult {
  return html`<button type="button" class="secondary" @click=${() => model.send('openOther')}>
    ${model.l10n.t('Open Global Notification Settings of {0}', account)}
  </button>`;
}

function noticeSection(
  model: FormModel,
  { notice, phase, settings, ableAccount }: ToForm,
): TemplateResult | typeof nothing {
  const { l10n } = model;
  // The line of changes says what was saved: it takes no place from the rest.
  if (!notice || notice.severity === 'success' || phase === 'saving') {
    return nothing;
  }
  const { severity, sentence, details, remedy } = notice;
  return html`
    <section class="notice ${severity}" aria-label=${severity === 'info' ? l10n.t('Message') : l10n.t('Problem')}>
      <p><strong>${sentence}</strong></p>
      ${details.map((detail) => html`<p>${detail}</p>`)}
      <div class="buttons">
        ${
          remedy === undefined
            ? nothing
            : html`<button type="button" @click=${() => model.act('fix')}>${remedy}</button>`
        }
        ${ableAccount === undefined ? nothing : openOther(model, ableAccount)}
        ${
          // Where there are settings, the header has the same button.
          severity === 'info' || settings
            ? nothing
            : html`<button type="button" class="secondary" @click=${() => model.act('reload')}>
                ${l10n.t('Reload')}
              </button>`
        }
      </div>
    </section>
  `;
}
