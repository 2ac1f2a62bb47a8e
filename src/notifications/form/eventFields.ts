import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { repeat } from 'lit-html/directives/repeat.js';
import { heldBack, levelOf } from '../model/change.ts';
import type { Settings } from '../model/settings.ts';
import { groupBySubject } from '../model/subjects.ts';
import { eventWords, subjectName } from '../model/words.ts';
import type { ToForm } from '../protocol/messages.ts';
import { eventField } from './eventField.ts';
import type { FormModel } from './formModel.ts';

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
            ? l10n.t('You have changed 1 event: it is sent with the level Custom only.')
            : l10n.t('You have changed {0} events: they are sent with the level Custom only.', held)
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
            <legend>${subjectName(subject, l10n)}</legend>
            ${setAll(model, subjectName(subject, l10n), events)}
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
    const { name, meaning } = eventWords(event, l10n);
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
        ? l10n.t('GitLab does not show which events are on globally. What you change is sent; the rest stays as it is.')
        : l10n.t(
            'GitLab shows the events once the level Custom is saved. What you change is sent; the rest stays as it is.',
          )
    }
  </p>`;
}

/** Switches all events of a group that are shown. */
function setAll(model: FormModel, subject: string, events: readonly string[]): TemplateResult {
  const { l10n } = model;
  const all = (value: boolean | null) => () =>
    model.edit({ flags: Object.fromEntries(events.map((event) => [event, value])) });
  return html`
    <div class="set-all" role="group" aria-label=${l10n.t('{0}: all shown events ({1})', subject, events.length)}>
      <button type="button" class="link" @click=${all(true)}>${l10n.t('All On')}</button>
      <button type="button" class="link" @click=${all(false)}>${l10n.t('All Off')}</button>
      <button type="button" class="link" @click=${all(null)}>${l10n.t('Reset All')}</button>
    </div>
  `;
}
