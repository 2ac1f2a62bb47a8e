import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { repeat } from 'lit-html/directives/repeat.js';
import type { L10n } from '../../common/l10n.ts';
import type { EventState, FormState, FromPage, PageAction, ProblemState, RowState, ToPage } from '../messages.ts';

/** What the page shows: the state of the host, and what is of this page alone. */
export interface PageModel {
  readonly l10n: L10n;
  readonly send: (message: FromPage) => void;
  state: ToPage | undefined;
  rowFilter: string;
  eventFilter: string;
  /** By e-mails: the most first, or last. */
  order: 'none' | 'descending' | 'ascending';
  readonly update: (part: Partial<Pick<PageModel, 'rowFilter' | 'eventFilter' | 'order'>>) => void;
}

type View = TemplateResult | typeof nothing;

/** The whole page. */
export function pageView(model: PageModel): TemplateResult {
  const { state, l10n } = model;
  if (!state) {
    return html`<main aria-busy="true"><p class="quiet">${l10n.t('Reading the settings…')}</p></main>`;
  }
  const { phase, rows, form, isAll } = state;
  return html`
    <main aria-busy=${phase === 'ready' ? 'false' : 'true'} class=${isAll ? 'all' : ''}>
      ${bannerView(model, state)}
      <header>
        <h1>${l10n.t('Notification Settings')}</h1>
        <p class="account">
          ${l10n.t('Account: {0}', state.account)}${
            phase === 'loading' ? html`<span class="quiet"> · ${state.progress || l10n.t('reading…')}</span>` : nothing
          }
        </p>
        ${toolbar(model, state)}
      </header>
      ${state.problems.map((problem) => problemView(l10n, problem, () => act(model, 'fix')))}
      <div class="columns">
        ${isAll || rows.length > 1 ? tableView(model, state) : nothing}
        ${form ? formView(model, state, form) : html`<p class="quiet">${l10n.t('Select a scope to change its settings.')}</p>`}
      </div>
    </main>
    ${changesBar(model, state)}
  `;
}

function act({ send }: PageModel, action: PageAction): void {
  send({ type: 'act', action });
}

function link(title: string, run: () => void, label?: string): TemplateResult {
  return html`<button type="button" class="link" aria-label=${label ?? nothing} @click=${run}>${title}</button>`;
}

function secondary(title: string, run: () => void): TemplateResult {
  return html`<button type="button" class="secondary" @click=${run}>${title}</button>`;
}

/** Says, as long as the page is seen, that it is not about the account of the window. */
function bannerView(model: PageModel, { banner }: ToPage): View {
  return banner
    ? html`<section class="notice banner" aria-label=${model.l10n.t('Account')}>
        <p><strong>${banner.sentence}</strong></p>
        <div class="buttons">${secondary(banner.button, () => act(model, 'openInUse'))}</div>
      </section>`
    : nothing;
}

function problemView(l10n: L10n, { sentence, remedy }: ProblemState, fix: () => void): TemplateResult {
  return html`<section class="notice" aria-label=${l10n.t('Problem')}>
    <p>${sentence}</p>
    ${remedy === undefined ? nothing : html`<div class="buttons"><button type="button" @click=${fix}>${remedy}</button></div>`}
  </section>`;
}

function toolbar(model: PageModel, { isAll, mails }: ToPage): TemplateResult {
  const { l10n } = model;
  const ofAll: readonly (readonly [PageAction, string])[] = [
    ['pinProject', l10n.t('Pin Project…')],
    ['pinGroup', l10n.t('Pin Group…')],
    ['export', l10n.t('Export…')],
    ['import', l10n.t('Import…')],
  ];
  const actions: readonly (readonly [PageAction, string])[] = [
    ...(isAll ? [] : [['showAll', l10n.t('Show All')] as const]),
    ['reload', l10n.t('Reload')],
    ['profiles', l10n.t('Profiles…')],
    ...(isAll ? ofAll : []),
    mails.isReading
      ? ['cancelMails', l10n.t('Cancel Reading Events')]
      : ['readMails', mails.isShown ? l10n.t('Estimate E-mails Again') : l10n.t('Show E-mails a Week')],
  ];
  return html`
    <div class="toolbar">${actions.map(([action, title]) => link(title, () => act(model, action)))}</div>
    ${mails.note === '' ? nothing : html`<p class="quiet">${mails.note}</p>`}
  `;
}

/** E-mails a week: a number, or a dash. */
function mailsView({ l10n }: PageModel, count: number | undefined, hasUnit = true): TemplateResult {
  if (count === undefined) {
    return html`<span class="mails" title=${l10n.t('not known')}>–</span>`;
  }
  const number = count.toLocaleString(document.documentElement.lang, { maximumFractionDigits: count < 10 ? 1 : 0 });
  const whole = l10n.t('E-mails a week: {0}', number);
  return hasUnit
    ? html`<span class="mails">${whole}</span>`
    : html`<span class="mails"><span class="wide">${number}</span><span class="narrow">${whole}</span></span>`;
}

/** The rows that the filter leaves, in the chosen order; what is not known comes last. */
function shownRows({ rowFilter, order }: PageModel, { rows, mails }: ToPage): readonly RowState[] {
  const words = rowFilter.toLowerCase().split(/\s+/);
  const left = rows.filter(({ name, note }) => words.every((word) => `${name} ${note}`.toLowerCase().includes(word)));
  if (order === 'none' || !mails.isShown) {
    return left;
  }
  const rank = ({ mails: count = Infinity }: RowState): number =>
    order === 'ascending' || count === Infinity ? count : -count;
  return left.toSorted((one, other) => (rank(one) < rank(other) ? -1 : rank(one) > rank(other) ? 1 : 0));
}

function tableView(model: PageModel, state: ToPage): TemplateResult {
  const { l10n, send } = model;
  const rows = shownRows(model, state);
  const selected = rows.filter(({ isSelected }) => isSelected);
  const isAllSelected = rows.length > 0 && selected.length === rows.length;
  const select = (isSelected: boolean, some: readonly RowState[]): void => {
    const keys = some.map(({ key }) => key);
    const others = state.rows.filter((row) => row.isSelected && !keys.includes(row.key)).map(({ key }) => key);
    send({ type: 'select', keys: isSelected ? [...others, ...keys] : others });
  };
  return html`
    <section class="scopes" aria-label=${l10n.t('Scopes')}>
      <input
        type="search"
        aria-label=${l10n.t('Filter projects and groups')}
        placeholder=${l10n.t('Filter')}
        .value=${live(model.rowFilter)}
        @input=${(event: Event) => model.update({ rowFilter: (event.target as HTMLInputElement).value })}
      />
      <div class="scroll" role="region" aria-label=${l10n.t('Levels')} tabindex="0">
        <table>
          <thead>
            <tr>
              <th scope="col" class="check">
                <input
                  type="checkbox"
                  aria-label=${l10n.t('Select All')}
                  .checked=${live(isAllSelected)}
                  .indeterminate=${live(!isAllSelected && selected.length > 0)}
                  @change=${(event: Event) => select((event.target as HTMLInputElement).checked, rows)}
                />
              </th>
              <th scope="col">${l10n.t('Scope')}</th>
              <th scope="col">${l10n.t('Level')}</th>
              <th scope="col">${l10n.t('Means here')}</th>
              ${state.mails.isShown ? mailsHeading(model) : nothing}
            </tr>
          </thead>
          <tbody>
            ${repeat(
              rows,
              ({ key }) => key,
              (row) => rowView(model, state, row, (isSelected) => select(isSelected, [row])),
            )}
          </tbody>
        </table>
      </div>
      ${rows.length === 0 ? html`<p class="quiet">${l10n.t('No project or group matches the filter.')}</p>` : nothing}
      ${state.hasMore ? html`<p>${link(l10n.t('Show More Projects'), () => act(model, 'more'))}</p>` : nothing}
    </section>
  `;
}

/** A heading whose button orders the rows: the most first, then last, then as it was. */
function mailsHeading({ l10n, order, update }: PageModel): TemplateResult {
  const next = ({ none: 'descending', descending: 'ascending', ascending: 'none' } as const)[order];
  const arrow = { none: '↕', descending: '↓', ascending: '↑' }[order];
  return html`<th scope="col" aria-sort=${order}>
    <button type="button" class="link" @click=${() => update({ order: next })}>
      ${l10n.t('E-mails a week')} <span aria-hidden="true">${arrow}</span>
    </button>
  </th>`;
}

function rowView(
  model: PageModel,
  state: ToPage,
  row: RowState,
  select: (isSelected: boolean) => void,
): TemplateResult {
  const { l10n, send } = model;
  const { key, name, note, problem } = row;
  return html`
    <tr class="${row.isModified ? 'modified' : ''} ${row.isSelected ? 'selected' : ''}">
      <td class="check">
        <input
          type="checkbox"
          aria-label=${l10n.t('Select {0}', name)}
          .checked=${live(row.isSelected)}
          @change=${(event: Event) => select((event.target as HTMLInputElement).checked)}
        />
      </td>
      <th scope="row">
        <button
          type="button"
          class="link"
          aria-current=${row.isSelected ? 'true' : 'false'}
          @click=${() => send({ type: 'select', keys: [key] })}
        >
          ${name}
        </button>
        <span class="quiet">${note}</span>
      </th>
      ${
        problem
          ? html`<td colspan=${state.mails.isShown ? 3 : 2} class="problem">
              ${problem.sentence}
              ${link(problem.remedy ?? '', () => send({ type: 'fixScope', key }), `${name}: ${problem.remedy ?? ''}`)}
            </td>`
          : html`<td>
                ${row.level}${row.isModified ? html`<span class="spoken"> (${l10n.t('not saved')})</span>` : nothing}
              </td>
              <td>${row.effect}</td>
              ${state.mails.isShown ? html`<td>${mailsView(model, row.mails, false)}</td>` : nothing}`
      }
    </tr>
  `;
}

/** The form of the scopes that are selected. */
function formView(model: PageModel, state: ToPage, form: FormState): TemplateResult {
  const { l10n, send } = model;
  const { fields, problem, keys, conflicts } = form;
  const [key = ''] = keys;
  return html`
    <form @submit=${(event: Event) => event.preventDefault()} aria-labelledby="scope">
      <h2 id="scope">${form.title}</h2>
      ${problem ? problemView(l10n, problem, () => send({ type: 'fixScope', key })) : nothing}
      ${conflicts.length > 0 ? conflictView(model, form, key) : nothing}
      ${
        fields
          ? html`${levelField(model, state, keys, fields)} ${emailField(model, keys, fields)}
            ${fields.notes.map((note) => html`<p class="quiet">${note}</p>`)}
            ${fields.subjects.length > 0 ? eventFields(model, state, keys, fields) : nothing}`
          : problem
            ? nothing
            : html`<p class="quiet">${l10n.t('Reading the settings…')}</p>`
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
        ${conflicts.map(
          ({ field, sentence, take }) =>
            html`<li>
              ${sentence}
              ${
                take === undefined
                  ? nothing
                  : link(take, () => send({ type: 'edit', keys: [key], edit: { [field]: null } }))
              }
            </li>`,
        )}
      </ul>
      <div class="buttons">
        <button type="button" @click=${() => send({ type: 'keep', key })}>${l10n.t('Keep My Changes')}</button>
        ${secondary(l10n.t('Discard My Changes'), () => send({ type: 'discard', keys: [key] }))}
      </div>
    </section>
  `;
}

type Fields = NonNullable<FormState['fields']>;

function levelField(
  { l10n, send, ...model }: PageModel,
  { mails }: ToPage,
  keys: readonly string[],
  { level, levels, levelNote, levelError }: Fields,
): TemplateResult {
  return html`
    <fieldset
      class="level ${levelNote === '' ? '' : 'modified'}"
      aria-describedby=${levelError ? 'level-error' : nothing}
    >
      <legend>${l10n.t('Level')}</legend>
      ${levels.map(
        ({ value, name, meaning, mails: count }) => html`
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
            ${mails.isShown ? mailsView({ l10n, send, ...model }, count) : nothing}
          </label>
        `,
      )}
      ${levelNote === '' ? nothing : html`<p class="quiet">${levelNote}</p>`}
      ${levelError === undefined ? nothing : html`<p class="problem" id="level-error">${levelError}</p>`}
    </fieldset>
  `;
}

function emailField({ l10n, send }: PageModel, keys: readonly string[], { email }: Fields): View {
  if (!email) {
    return nothing;
  }
  const input = document.querySelector<HTMLInputElement>('#email');
  // What is typed faster than the host answers stays.
  const value = input && input === document.activeElement ? input.value : email.value;
  const error = email.error;
  return html`
    <div class="field ${email.isModified ? 'modified' : ''}">
      <label for="email">${l10n.t('E-mail address')}</label>
      <input
        id="email"
        type="email"
        autocomplete="off"
        spellcheck="false"
        aria-invalid=${error === undefined ? 'false' : 'true'}
        aria-describedby=${error === undefined ? 'email-hint' : 'email-error email-hint'}
        .value=${live(value)}
        @input=${(event: Event) => {
          const typed = (event.target as HTMLInputElement).value;
          send({ type: 'edit', keys: [...keys], edit: { notification_email: typed } });
        }}
      />
      ${error === undefined ? nothing : html`<p class="problem" id="email-error">${error}</p>`}
      <p class="quiet" id="email-hint">${email.note}</p>
    </div>
  `;
}

/** The switches of events, grouped by subject. */
function eventFields(model: PageModel, state: ToPage, keys: readonly string[], { subjects }: Fields): TemplateResult {
  const { l10n, send, eventFilter } = model;
  const wanted = eventFilter.trim().toLocaleLowerCase();
  const groups = subjects
    .map(({ subject, events }) => ({
      subject,
      events: events.filter(({ event, name, meaning }) =>
        `${name} ${meaning} ${event}`.toLocaleLowerCase().includes(wanted),
      ),
    }))
    .filter(({ events }) => events.length > 0);
  return html`
    <section aria-labelledby="events">
      <h3 id="events">${l10n.t('Events')}</h3>
      <input
        type="search"
        aria-label=${l10n.t('Filter events')}
        placeholder=${l10n.t('Filter events')}
        .value=${live(eventFilter)}
        @input=${(event: Event) => model.update({ eventFilter: (event.target as HTMLInputElement).value })}
      />
      ${groups.length === 0 ? html`<p class="quiet">${l10n.t('No event matches the filter.')}</p>` : nothing}
      ${groups.map(({ subject, events }) => {
        const all = (value: boolean | null) => (): void => {
          const edit = Object.fromEntries(events.map(({ event }) => [event, value]));
          send({ type: 'edit', keys: [...keys], edit });
        };
        return html`
          <fieldset class="subject">
            <legend>${subject}</legend>
            <div
              class="toolbar"
              role="group"
              aria-label=${l10n.t('{0}: all shown events ({1})', subject, events.length)}
            >
              ${link(l10n.t('All On'), all(true))} ${link(l10n.t('All Off'), all(false))}
              ${link(l10n.t('Reset All'), all(null))}
            </div>
            ${repeat(
              events,
              ({ event }) => event,
              (event) => eventField(model, state, keys, event),
            )}
          </fieldset>
        `;
      })}
    </section>
  `;
}

/** The switch of one event: a native checkbox, which is indeterminate where it is neither on nor off. */
function eventField(model: PageModel, { mails }: ToPage, keys: readonly string[], event: EventState): TemplateResult {
  const { l10n, send } = model;
  const { event: field, name, meaning, flag, note, isModified, error } = event;
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
        .checked=${live(flag === 'on')}
        .indeterminate=${live(flag !== 'on' && flag !== 'off')}
        @change=${(changed: Event) => edit((changed.target as HTMLInputElement).checked)}
      />
      <label for=${field}>${name}</label>
      ${mails.isShown ? mailsView(model, event.mails) : nothing}
      <span class="quiet" id="${field}-meaning">${meaning}${note === '' ? nothing : html` · <em>${note}</em>`}</span>
      ${isModified ? link(l10n.t('Reset'), reset, l10n.t('Reset {0}', name)) : nothing}
      ${error === undefined ? nothing : html`<p class="problem">${error}</p>`}
    </div>
  `;
}

/** What a save would do, or what became of the last one, in one line that opens; and the buttons, which stay for the focus. */
function changesBar(model: PageModel, state: ToPage): TemplateResult {
  const { l10n, send } = model;
  const { changes, cautions, phase, message, canSave, seen } = state;
  const count = changes.reduce((sum, { sentences }) => sum + sentences.length, 0);
  const [first, ...others] = changes;
  const isSaving = phase === 'saving';
  const canDiscard = first !== undefined && !isSaving;
  const discard = (): void => send({ type: 'discard', keys: changes.map(({ key }) => key) });
  return html`
    <section class="changes" aria-label=${l10n.t('Changes')}>
      ${
        message
          ? html`<div class="message ${message.isWarning ? 'warning' : ''}">
              <p>${message.sentence}</p>
              <div class="buttons">
                ${message.actions.map((title) => secondary(title, () => send({ type: 'answer', title })))}
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
                      ${link(l10n.t('Discard'), () => send({ type: 'discard', keys: [key] }), l10n.t('Discard {0}', name))}
                    </li>`,
                )}
              </ul>
            </details>`
          : html`<p class="title"><strong>${isSaving ? l10n.t('Saving…') : l10n.t('No changes')}</strong></p>`
      }
      <div class="buttons">
        <button
          type="button"
          aria-disabled=${canSave ? 'false' : 'true'}
          @click=${() => (canSave ? send({ type: 'save', seen }) : undefined)}
        >
          ${others.length > 0 ? l10n.t('Review and Save {0} Scopes', changes.length) : l10n.t('Save')}
        </button>
        ${
          isSaving
            ? secondary(l10n.t('Cancel'), () => act(model, 'cancel'))
            : html`<button
                type="button"
                class="secondary"
                aria-disabled=${canDiscard ? 'false' : 'true'}
                @click=${() => (canDiscard ? discard() : undefined)}
              >
                ${l10n.t('Discard')}
              </button>`
        }
      </div>
    </section>
  `;
}
