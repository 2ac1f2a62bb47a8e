import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { repeat } from 'lit-html/directives/repeat.js';
import { notificationLevels } from '../../../api/notificationVocabulary.ts';
import { notificationEventLabel, flagLabel, groupBySubject, levelLabel, subjectLabel } from '../../settings/labels.ts';
import { loudestOf, type Mails, mailsOfEvent, mailsOfLevel, unknownMails } from '../../noise/mails.ts';
import { estimateView, mailsView } from '../../noise/page/mailsView.ts';
import { type Change, type Flag, heldBack, levelOf, type Settings, shownFlag } from '../../settings/settings.ts';
import type { ToForm } from '../messages.ts';
import type { FormModel } from './formModel.ts';

/** What the platform says of a field, below it; the field names it by the id `<field>-error`. */
function fieldError(field: string, fieldErrors: Readonly<Record<string, string>>): TemplateResult | typeof nothing {
  const sentence = fieldErrors[field];
  return sentence === undefined ? nothing : html`<p class="field-error" id="${field}-error">${sentence}</p>`;
}

/** The address that e-mails go to, which global settings have. */
export function emailField(
  model: FormModel,
  { fieldErrors }: ToForm,
  settings: Settings,
): TemplateResult | typeof nothing {
  const { l10n } = model;
  if (settings.email === undefined) {
    return nothing;
  }
  const value = String(model.draft['notification_email'] ?? settings.email);
  const modified = value.trim() !== settings.email;
  const error = fieldErrors['notification_email'] !== undefined;
  return html`
    <div class="field ${modified ? 'modified' : ''}">
      <label for="email">${l10n.t('E-mail address')}</label>
      <input
        id="email"
        type="email"
        autocomplete="off"
        spellcheck="false"
        aria-invalid=${error ? 'true' : 'false'}
        aria-describedby=${error ? 'notification_email-error email-hint' : 'email-hint'}
        .value=${live(value)}
        @input=${(event: Event) => model.edit({ notification_email: (event.target as HTMLInputElement).value })}
      />
      ${fieldError('notification_email', fieldErrors)}
      <p class="quiet" id="email-hint">
        ${l10n.t('Enter a verified address, or leave it empty to use that of your account.')}
        ${modified ? l10n.t('Current: {0}', settings.email) : nothing}
      </p>
    </div>
  `;
}

/** The events as they would be with what is chosen. */
function flagsOf(settings: Settings, draft: Change): Settings['flags'] {
  return Object.fromEntries(Object.keys(settings.flags).map((event) => [event, shownFlag(settings, draft, event)]));
}

/** What a level sends in the scope of the form; unknown where that was not read. */
function mailsOf({ mails, inheritedMails = unknownMails }: ToForm, settings: Pick<Settings, 'level' | 'flags'>): Mails {
  return mails === undefined
    ? unknownMails
    : settings.level === 'global'
      ? inheritedMails
      : mailsOfLevel(settings, mails);
}

/** What the settings send as they are, and with what is chosen; undefined if that was not read. */
export function totalsOf(
  model: FormModel,
  state: ToForm,
  settings: Settings,
): { readonly now: Mails; readonly chosen: Mails } | undefined {
  const chosen = { level: levelOf(settings, model.draft), flags: flagsOf(settings, model.draft) };
  return state.mails && { now: mailsOf(state, settings), chosen: mailsOf(state, chosen) };
}

/** The choice of a level, each with its meaning. */
export function levelField(model: FormModel, state: ToForm, settings: Settings): TemplateResult {
  const { scope, fieldErrors, inherited } = state;
  const { l10n } = model;
  const chosen = levelOf(settings, model.draft);
  // Globally "as it is globally" says nothing: it is offered only where it is what holds.
  const offered: readonly string[] = notificationLevels.filter(
    (level) => level !== 'global' || scope.kind !== 'global' || chosen === 'global',
  );
  const otherLevels = [settings.level, chosen].filter((level) => !notificationLevels.some((known) => known === level));
  const modified = chosen !== settings.level;
  const loudest = state.mails ? loudestOf(state.mails) : 0;
  return html`
    <fieldset
      class="level ${modified ? 'modified' : ''}"
      aria-describedby=${fieldErrors['level'] ? 'level-error' : nothing}
    >
      <legend>${l10n.t('Level')}</legend>
      ${[...offered, ...new Set(otherLevels)].map((level) => {
        const label = levelLabel(level, l10n);
        const { name, meaning } =
          level === 'global' && inherited !== undefined ? { ...label, meaning: inherited } : label;
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
            ${state.mails ? mailsView(mailsOf(state, { level, flags: flagsOf(settings, model.draft) }), loudest, l10n) : nothing}
          </label>
        `;
      })}
      ${fieldError('level', fieldErrors)}
    </fieldset>
    ${
      state.noise
        ? estimateView(state.noise, l10n, {
            read: () => model.act('readNoise'),
            cancel: () => model.act('cancelNoise'),
            fix: () => model.act('fixNoise'),
            isShown: state.mails !== undefined,
          })
        : nothing
    }
  `;
}

/** The switch of one event; unset with a note where it is at the default or unknown, which cannot be chosen, only left. */
function eventField(model: FormModel, state: ToForm, settings: Settings, event: string): TemplateResult {
  const { l10n } = model;
  const { name, meaning } = notificationEventLabel(event, l10n);
  const before = settings.flags[event] ?? 'unknown';
  const shown = shownFlag(settings, model.draft, event);
  const modified = shown !== before;
  const isUnset = before === 'default' || before === 'unknown';
  const reset = (): void => {
    model.edit({ [event]: null });
    // The button goes, and the focus with it.
    document.querySelector<HTMLElement>(`input[name="${event}"]`)?.focus();
  };
  const choose = (flag: Flag): void => model.edit({ [event]: flag === before ? null : flag === 'on' });
  const notes = [
    `${event}-meaning`,
    ...(state.mails ? [`${event}-mails`] : []),
    ...(isUnset && !modified ? [`${event}-note`] : []),
    ...(state.fieldErrors[event] === undefined ? [] : [`${event}-error`]),
  ];
  return html`
    <div class="event ${modified ? 'modified' : ''}">
      <div class="words">
        <span class="name" id="${event}-name" @click=${() => choose(shown === 'on' ? 'off' : 'on')}>${name}</span>
        ${
          state.mails
            ? html`<span id="${event}-mails"
                >${mailsView(mailsOfEvent(event, state.mails.events), loudestOf(state.mails), l10n)}</span
              >`
            : nothing
        }
        <span class="quiet" id="${event}-meaning"
          >${meaning}${modified ? html`. <em>${l10n.t('Current: {0}', flagLabel(before, l10n))}</em>` : nothing}</span
        >
        ${fieldError(event, state.fieldErrors)}
      </div>
      ${
        !isUnset
          ? nothing
          : modified
            ? html`<button type="button" class="link" aria-label=${l10n.t('Reset {0}', name)} @click=${reset}>
                ${l10n.t('Reset')}
              </button>`
            : html`<span class="quiet" id="${event}-note">${flagLabel(before, l10n)}</span>`
      }
      <div class="segments" role="radiogroup" aria-labelledby="${event}-name" aria-describedby=${notes.join(' ')}>
        ${(['off', 'on'] as const).map(
          (flag) => html`
            <label
              ><input
                type="radio"
                name=${event}
                value=${flag}
                .checked=${live(flag === shown)}
                @change=${() => choose(flag)}
              /><span>${flagLabel(flag, l10n)}</span></label
            >
          `,
        )}
      </div>
    </div>
  `;
}

/** The switches of events, grouped by subject; only the level `custom` has them. */
export function eventFields(model: FormModel, state: ToForm, settings: Settings): TemplateResult {
  const { l10n } = model;
  if (levelOf(settings, model.draft) !== 'custom') {
    const held = heldBack(settings, model.draft).length;
    return html`<p class="quiet">
      ${l10n.t('With the level Custom, you choose each event.')}
      ${
        held === 0
          ? nothing
          : held === 1
            ? l10n.t('You have changed 1 event: it is saved only with the level Custom.')
            : l10n.t('You have changed {0} events: they are saved only with the level Custom.', held)
      }
    </p>`;
  }
  const groups = groupBySubject(shownEvents(model, settings));
  return html`
    <section aria-labelledby="events">
      <h2 id="events">${l10n.t('Events')}</h2>
      ${truthNote(model, state, settings)}
      <div class="field">
        <label for="filter">${l10n.t('Filter events')}</label>
        <input
          id="filter"
          type="search"
          .value=${live(model.filter)}
          @input=${(event: Event) => model.setFilter((event.target as HTMLInputElement).value)}
        />
      </div>
      ${groups.length === 0 ? html`<p class="quiet">${l10n.t('No event matches the filter.')}</p>` : nothing}
      ${repeat(
        groups,
        ({ subject }) => subject,
        ({ subject, events }) => html`
          <fieldset class="subject">
            <legend>${subjectLabel(subject, l10n)}</legend>
            ${setAll(model, subjectLabel(subject, l10n), events)}
            ${repeat(
              events,
              (event) => event,
              (event) => eventField(model, state, settings, event),
            )}
          </fieldset>
        `,
      )}
    </section>
  `;
}

/** How many events the filter lets through. */
export function countOfShownEvents(model: FormModel, settings: Settings): number {
  return shownEvents(model, settings).length;
}

function shownEvents({ filter, l10n }: FormModel, settings: Settings): string[] {
  const wanted = filter.trim().toLocaleLowerCase();
  return Object.keys(settings.flags).filter((event) => {
    const { name, meaning } = notificationEventLabel(event, l10n);
    return `${name} ${meaning} ${event}`.toLocaleLowerCase().includes(wanted);
  });
}

/** Why some events are not known. */
function truthNote({ l10n }: FormModel, { scope }: ToForm, settings: Settings): TemplateResult | typeof nothing {
  const known = Object.values(settings.flags).some((flag) => flag !== 'unknown');
  if (known) {
    return nothing;
  }
  return html`<p class="quiet">
    ${
      scope.kind === 'global'
        ? l10n.t('GitLab does not show which events are turned on globally. Only events you change are saved.')
        : l10n.t(
            'GitLab shows which events are turned on once the level Custom is saved. Only events you change are saved.',
          )
    }
  </p>`;
}

/** Switches all events of a group that are shown. */
function setAll(model: FormModel, subject: string, events: readonly string[]): TemplateResult {
  const { l10n } = model;
  const all = (value: boolean | null) => () => model.edit(Object.fromEntries(events.map((event) => [event, value])));
  return html`
    <div class="set-all" role="group" aria-label=${l10n.t('{0}: all shown events ({1})', subject, events.length)}>
      <button type="button" class="link" @click=${all(true)}>${l10n.t('All On')}</button>
      <button type="button" class="link" @click=${all(false)}>${l10n.t('All Off')}</button>
      <button type="button" class="link" @click=${all(null)}>${l10n.t('Reset All')}</button>
    </div>
  `;
}
