import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { repeat } from 'lit-html/directives/repeat.js';
import type { L10n } from '../../webviews/page/page.ts';
import type { FromPage, PageAction, ProblemState, ToPage } from '../pageState.ts';

type RowState = ToPage['rows'][number];
type FormState = NonNullable<ToPage['form']>;
type FieldsState = NonNullable<FormState['fields']>;
type EventState = FieldsState['subjects'][number]['events'][number];

/** What the page shows: the state of the host, and what is of this page alone. */
export interface PageModel {
  readonly l10n: L10n;
  readonly send: (message: FromPage) => void;
  readonly state: ToPage | undefined;
  readonly rowFilter: string;
  readonly eventFilter: string;
  /** Whether the scopes with the most e-mails come first. */
  readonly isByMails: boolean;
  readonly update: (part: Partial<PageModel>) => void;
}

type View = TemplateResult | typeof nothing;

export function pageView(model: PageModel): TemplateResult {
  const { state, l10n, send } = model;
  if (!state) {
    return html`<main aria-busy="true"><p class="quiet">${l10n.t('Reading the settings…')}</p></main>`;
  }
  const { phase, rows, form, isAll, account, banner } = state;
  const reading = phase === 'loading' ? l10n.t('reading…') : '';
  const named = account === '' ? '' : l10n.t('Account: {0}', account);
  return html`
    <main aria-busy=${phase === 'ready' ? 'false' : 'true'} class=${isAll ? 'all' : ''}>
      ${banner ? notice(l10n.t('Account'), banner, () => send({ type: 'act', action: 'openInUse' }), 'banner') : nothing}
      <header>
        <h1>${l10n.t('Notification Settings')}</h1>
        <p class="account">${named} <span class="quiet">${reading}</span></p>
        ${toolbar(model, state)}
      </header>
      ${state.problems.map((problem) => notice(l10n.t('Problem'), problem, () => send({ type: 'fix' })))}
      <div class="columns">
        ${isAll || rows.length > 1 ? tableView(model, state) : nothing}
        ${form ? formView(model, form) : html`<p class="quiet">${l10n.t('Select a scope to change its settings.')}</p>`}
      </div>
    </main>
    ${changesBar(model, state)}
  `;
}

function link(title: string, run: () => void, label?: string): TemplateResult {
  return html`<button type="button" class="link" aria-label=${label ?? nothing} @click=${run}>${title}</button>`;
}

/** A button that stays where it can do nothing, for the focus. */
function button(title: string, run: () => void, kind = 'secondary', isEnabled = true): TemplateResult {
  return html`<button
    type="button"
    class=${kind}
    aria-disabled=${isEnabled ? 'false' : 'true'}
    @click=${() => (isEnabled ? run() : undefined)}
  >
    ${title}
  </button>`;
}

/** A sentence that is seen as long as it holds, with a button that helps. */
function notice(label: string, { sentence, remedy }: ProblemState, fix: () => void, kind = ''): TemplateResult {
  return html`<section class="notice ${kind}" aria-label=${label}>
    <p>${sentence}</p>
    ${remedy === undefined ? nothing : html`<div class="buttons">${button(remedy, fix, kind && 'secondary')}</div>`}
  </section>`;
}

function toolbar({ l10n, send }: PageModel, { isAll, mails }: ToPage): TemplateResult {
  const actions: readonly (readonly [PageAction, string])[] = [
    ...(isAll ? [] : [['showAll', l10n.t('Show All')] as const]),
    ['reload', l10n.t('Reload')],
    ['profiles', l10n.t('Profiles…')],
    ['other', l10n.t('Other Project or Group…')],
    ['export', l10n.t('Export…')],
    ['import', l10n.t('Import…')],
    ['mails', mails.isReading ? l10n.t('Cancel Reading Events') : l10n.t('Estimate E-mails a Week')],
  ];
  return html`
    <div class="toolbar">${actions.map(([action, title]) => link(title, () => send({ type: 'act', action })))}</div>
    <p class="quiet">${mails.note}</p>
  `;
}

function mailsLabel(count: number | undefined): string {
  const digits = { maximumFractionDigits: (count ?? 0) < 10 ? 1 : 0 };
  return count === undefined ? '–' : count.toLocaleString(document.documentElement.lang, digits);
}

function mailsView({ l10n, state }: PageModel, count: number | undefined): View {
  return state?.mails.isShown
    ? html`<span class="mails">${l10n.t('E-mails a week: {0}', mailsLabel(count))}</span>`
    : nothing;
}

/** Those that are ticked are shown whatever the filter is, as the form changes them too. */
function shownRows({ rowFilter, isByMails }: PageModel, { rows }: ToPage): readonly RowState[] {
  const words = rowFilter.toLowerCase().split(/\s+/);
  const left = rows.filter(
    ({ name, isTicked }) => isTicked || words.every((word) => name.toLowerCase().includes(word)),
  );
  return isByMails ? left.toSorted((one, other) => (other.mails ?? -1) - (one.mails ?? -1)) : left;
}

function checkbox(label: string, isOn: boolean, isMixed: boolean, change: (isOn: boolean) => void): TemplateResult {
  return html`<input
    type="checkbox"
    aria-label=${label}
    .checked=${live(isOn)}
    .indeterminate=${live(isMixed)}
    @change=${(event: Event) => change((event.target as HTMLInputElement).checked)}
  />`;
}

function search(label: string, value: string, update: (value: string) => void): TemplateResult {
  return html`<input
    type="search"
    aria-label=${label}
    placeholder=${label}
    .value=${live(value)}
    @input=${(event: Event) => update((event.target as HTMLInputElement).value)}
  />`;
}

function tableView(model: PageModel, state: ToPage): TemplateResult {
  const { l10n, send, isByMails, update } = model;
  const rows = shownRows(model, state);
  const ticked = state.rows.filter(({ isTicked }) => isTicked);
  const isAllTicked = rows.length > 0 && ticked.length === rows.length;
  const tick = (isOn: boolean, some: readonly RowState[]): void => {
    const keys = some.map(({ key }) => key);
    const others = ticked.map(({ key }) => key).filter((key) => !keys.includes(key));
    send({ type: 'select', keys: isOn ? [...others, ...keys] : others });
  };
  return html`
    <section class="scopes" aria-label=${l10n.t('Scopes')}>
      ${search(l10n.t('Filter projects and groups'), model.rowFilter, (rowFilter) => update({ rowFilter }))}
      <div class="scroll" role="region" aria-label=${l10n.t('Levels')} tabindex="0">
        <table>
          <thead>
            <tr>
              <th scope="col" class="check">
                ${checkbox(l10n.t('Select All'), isAllTicked, !isAllTicked && ticked.length > 0, (isOn) => tick(isOn, rows))}
              </th>
              <th scope="col">${l10n.t('Scope')} (${rows.length}${state.hasMore ? '+' : ''})</th>
              <th scope="col">${l10n.t('Level')}</th>
              <th scope="col">${l10n.t('Effective level')}</th>
              ${
                state.mails.isShown
                  ? html`<th scope="col" aria-sort=${isByMails ? 'descending' : 'none'}>
                      ${link(
                        `${l10n.t('E-mails a week')}\u00a0${isByMails ? '↓' : '↕'}`,
                        () => update({ isByMails: !isByMails }),
                        l10n.t('E-mails a week'),
                      )}
                    </th>`
                  : nothing
              }
            </tr>
          </thead>
          <tbody>
            ${repeat(
              rows,
              ({ key }) => key,
              (row) =>
                rowView(
                  model,
                  state,
                  row,
                  checkbox(l10n.t('Select {0}', row.name), row.isTicked, false, (isOn) => tick(isOn, [row])),
                ),
            )}
          </tbody>
        </table>
      </div>
      ${rows.length === 0 ? html`<p class="quiet">${l10n.t('No project or group matches the filter.')}</p>` : nothing}
      ${state.hasMore ? html`<p>${link(l10n.t('Show More Projects'), () => send({ type: 'act', action: 'more' }))}</p>` : nothing}
    </section>
  `;
}

function rowView({ l10n, send }: PageModel, { mails }: ToPage, row: RowState, box: TemplateResult): TemplateResult {
  const { key, name, note, problem, isSelected, isModified } = row;
  return html`
    <tr class="${isModified ? 'modified' : ''} ${isSelected ? 'selected' : ''}">
      <td class="check">${box}</td>
      <th scope="row">
        <button
          type="button"
          class="link"
          aria-current=${isSelected ? 'true' : 'false'}
          @click=${({ detail }: MouseEvent) => {
            send({ type: 'open', key });
            // By the keyboard, the form is the next thing, however many rows follow.
            if (detail === 0) {
              document.getElementById('scope')?.focus();
            }
          }}
        >
          ${isModified ? html`<span aria-hidden="true">● </span>` : nothing}${name}
        </button>
        ${isModified ? html`<span class="spoken">${l10n.t('not saved')}</span>` : nothing}
        <span class="quiet">${note}</span>
      </th>
      ${
        problem
          ? html`<td colspan=${mails.isShown ? 3 : 2} class="problem">${problem.sentence}</td>`
          : html`<td>${row.level}</td>
              <td>${row.effect}</td>
              ${mails.isShown ? html`<td data-name="${l10n.t('E-mails a week')}: ">${mailsLabel(row.mails)}</td>` : nothing}`
      }
    </tr>
  `;
}

function formView(model: PageModel, form: FormState): TemplateResult {
  const { l10n, send } = model;
  const { fields, problem, keys, conflicts, title } = form;
  const [key = ''] = keys;
  return html`
    <form @submit=${(event: Event) => event.preventDefault()} aria-labelledby="scope">
      <h2 id="scope" tabindex="-1">${title}</h2>
      ${problem ? notice(l10n.t('Problem'), problem, () => send({ type: 'fix', key })) : nothing}
      ${conflicts.length > 0 ? conflictView(model, form, key) : nothing}
      ${
        fields
          ? html`${levelField(model, keys, fields)} ${emailField(model, keys, fields)}
            ${fields.notes.map((note) => html`<p class="quiet">${note}</p>`)}
            ${fields.subjects.length > 0 ? eventFields(model, keys, fields) : nothing}`
          : problem
            ? nothing
            : // What keeps them from being read is said above.
              html`<p class="quiet">${model.state?.phase === 'ready' ? '' : l10n.t('Reading the settings…')}</p>`
      }
    </form>
  `;
}

/** Shows what was changed elsewhere beside what the user has chosen, and lets them choose, field by field. */
function conflictView({ l10n, send }: PageModel, { conflicts }: FormState, key: string): TemplateResult {
  return html`
    <section id="conflict" class="notice" role="alert" tabindex="-1" aria-labelledby="conflict-title">
      <h3 id="conflict-title">${l10n.t('The settings were changed elsewhere')}</h3>
      <p>${l10n.t('Nothing is sent before you choose which values to keep.')}</p>
      <ul>
        ${conflicts.map(({ field, sentence, take }) => {
          const edit = { [field]: null };
          return html`<li>
            ${sentence} ${take === undefined ? nothing : link(take, () => send({ type: 'edit', keys: [key], edit }))}
          </li>`;
        })}
      </ul>
      <div class="buttons">
        ${button(l10n.t('Keep My Changes'), () => send({ type: 'keep', keys: [key] }), '')}
        ${button(l10n.t('Discard My Changes'), () => send({ type: 'discard', keys: [key] }))}
      </div>
    </section>
  `;
}

function levelField(
  model: PageModel,
  keys: readonly string[],
  { level, levels, levelNote }: FieldsState,
): TemplateResult {
  const { l10n, send } = model;
  return html`
    <fieldset class="level ${levelNote === '' ? '' : 'modified'}">
      <legend>${l10n.t('Level')}</legend>
      ${levels.map(
        ({ value, name, meaning, mails }) => html`
          <label class="choice">
            <input
              type="radio"
              name="level"
              value=${value}
              .checked=${live(value === level)}
              @change=${() => send({ type: 'edit', keys: [...keys], edit: { level: value } })}
            />
            <span class="name">${name}</span>
            <span class="quiet">${meaning}</span>
            ${mailsView(model, mails)}
          </label>
        `,
      )}
      <p class="quiet">${levelNote}</p>
    </fieldset>
  `;
}

function emailField({ l10n, send }: PageModel, keys: readonly string[], { email }: FieldsState): View {
  if (!email) {
    return nothing;
  }
  const input = document.querySelector<HTMLInputElement>('#email');
  // What is typed faster than the host answers stays.
  const value = input && input === document.activeElement ? input.value : email.value;
  return html`
    <div class="field ${email.isModified ? 'modified' : ''}">
      <label for="email">${l10n.t('E-mail address')}</label>
      <input
        id="email"
        type="email"
        autocomplete="off"
        maxlength="320"
        spellcheck="false"
        aria-describedby="email-hint"
        .value=${live(value)}
        @input=${(event: Event) => {
          const typed = (event.target as HTMLInputElement).value;
          send({ type: 'edit', keys: [...keys], edit: { notification_email: typed } });
        }}
      />
      <p class="quiet" id="email-hint">${email.note}</p>
    </div>
  `;
}

function eventFields(model: PageModel, keys: readonly string[], { subjects }: FieldsState): TemplateResult {
  const { l10n, eventFilter, update } = model;
  const wanted = eventFilter.trim().toLocaleLowerCase();
  const matches = ({ event, name, meaning }: EventState): boolean =>
    `${name} ${meaning} ${event}`.toLocaleLowerCase().includes(wanted);
  const groups = subjects
    .map(({ subject, events }) => ({ subject, events: events.filter(matches) }))
    .filter(({ events }) => events.length > 0);
  return html`
    <section aria-labelledby="events">
      <h3 id="events">${l10n.t('Events')}</h3>
      ${search(l10n.t('Filter events'), eventFilter, (value) => update({ eventFilter: value }))}
      ${groups.length === 0 ? html`<p class="quiet">${l10n.t('No event matches the filter.')}</p>` : nothing}
      ${groups.map(
        ({ subject, events }) => html`
          <fieldset class="subject">
            <legend>${subject}</legend>
            ${repeat(
              events,
              ({ event }) => event,
              (event) => eventField(model, keys, event),
            )}
          </fieldset>
        `,
      )}
    </section>
  `;
}

/** The switch of one event: a native checkbox, which is indeterminate where it is neither on nor off. */
function eventField(model: PageModel, keys: readonly string[], event: EventState): TemplateResult {
  const { l10n, send } = model;
  const { event: field, name, meaning, isOn, note, isModified, mails } = event;
  const edit = (value: boolean | null): void => send({ type: 'edit', keys: [...keys], edit: { [field]: value } });
  const reset = (): void => {
    edit(null);
    // The button goes, and the focus with it.
    document.querySelector<HTMLElement>(`#${field}`)?.focus();
  };
  return html`
    <div class="event ${isModified ? 'modified' : ''}">
      <input
        type="checkbox"
        id=${field}
        aria-describedby="${field}-meaning"
        .checked=${live(isOn === true)}
        .indeterminate=${live(isOn === undefined)}
        @change=${(changed: Event) => edit((changed.target as HTMLInputElement).checked)}
      />
      <label for=${field}>${name}</label>
      ${mailsView(model, mails)}
      <span class="quiet" id="${field}-meaning">${[meaning, note].filter(Boolean).join(' · ')}</span>
      ${isModified ? link(l10n.t('Reset'), reset, l10n.t('Reset {0}', name)) : nothing}
    </div>
  `;
}

/** What a save would do, or what became of the last one, in one line that opens; and the buttons. */
function changesBar({ l10n, send }: PageModel, state: ToPage): TemplateResult {
  const { rows, changes, cautions, phase, message, canSave, seen } = state;
  const count = changes.reduce((sum, { sentences }) => sum + sentences.length, 0);
  const [first, ...others] = changes;
  const isSaving = phase === 'saving';
  // What was chosen may be in conflict with what was changed elsewhere, or its scope cannot be read.
  const isUndecided = rows.some(({ isModified }) => isModified);
  const nothingToSave = isUndecided ? l10n.t('Nothing can be saved yet') : l10n.t('No changes');
  const discard = (keys: readonly string[]): void => send({ type: 'discard', keys: [...keys] });
  const save = others.length > 0 ? l10n.t('Save {0} Scopes', changes.length) : l10n.t('Save');
  return html`
    <section class="changes" aria-label=${l10n.t('Changes')}>
      ${
        message
          ? html`<div class="message ${message.isWarning ? 'warning' : ''}">
              <p>${message.sentence}</p>
              <div class="buttons">
                ${message.actions.map((title) => button(title, () => send({ type: 'answer', title })))}
              </div>
            </div>`
          : nothing
      }
      ${cautions.map((caution) => html`<p class="caution">${caution}</p>`)}
      ${
        first
          ? html`<details ?open=${others.length > 0}>
              <summary>
                <strong>${count === 1 ? l10n.t('1 change') : l10n.t('{0} changes', count)}</strong>
                <span class="quiet">
                  ${others.length === 0 ? first.sentences.join(' · ') : l10n.t('in {0} scopes', changes.length)}
                </span>
              </summary>
              <ul tabindex="0" aria-label=${l10n.t('Changes')}>
                ${changes.map(
                  ({ key, name, sentences }) =>
                    html`<li>
                      <strong>${name}</strong> ${sentences.join(' · ')}
                      ${link(l10n.t('Discard'), () => discard([key]), l10n.t('Discard {0}', name))}
                    </li>`,
                )}
              </ul>
            </details>`
          : // What became of the last save says it, too.
            message && !isSaving && !isUndecided
            ? nothing
            : html`<p class="title"><strong>${isSaving ? l10n.t('Saving…') : nothingToSave}</strong></p>`
      }
      <div class="buttons">
        ${button(save, () => send({ type: 'save', seen }), '', canSave)}
        ${
          isSaving
            ? button(l10n.t('Cancel'), () => send({ type: 'act', action: 'cancel' }))
            : button(l10n.t('Discard'), () => discard(changes.map(({ key }) => key)), 'secondary', first !== undefined)
        }
      </div>
    </section>
  `;
}
