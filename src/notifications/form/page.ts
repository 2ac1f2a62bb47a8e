import { html, nothing, type TemplateResult } from 'lit-html';
import type { ToForm } from '../protocol/messages.ts';
import { changesBar } from './changesBar.ts';
import { conflictSection } from './conflictSection.ts';
import { emailField } from './emailField.ts';
import { eventFields } from './eventFields.ts';
import type { FormModel } from './formModel.ts';
import { levelField } from './levelField.ts';

/** The whole page. */
export function page(model: FormModel): TemplateResult {
  const { state, l10n } = model;
  if (!state) {
    return html`<main aria-busy="true"><p class="quiet">${l10n.t('Reading the settings…')}</p></main>`;
  }
  const { settings, conflict, phase } = state;
  return html`
    <main aria-busy=${phase === 'ready' ? 'false' : 'true'}>
      ${heading(model, state)} ${noticeSection(model, state)}
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

function heading(model: FormModel, { scope, account, otherAccount, phase }: ToForm): TemplateResult {
  const { l10n } = model;
  const kind = { global: l10n.t('Global'), group: l10n.t('Group'), project: l10n.t('Project') }[scope.kind];
  return html`
    <header>
      <h1>${l10n.t('Notification Settings')}</h1>
      <div class="scope">
        <h2>
          <span class="kind">${kind}</span>
          <span class="path">${scope.kind === 'global' ? l10n.t('Everywhere') : scope.path}</span>
        </h2>
        <div class="buttons">
          <button type="button" class="secondary" @click=${() => model.chooseScope()}>
            ${l10n.t('Change Scope…')}
          </button>
          <button
            type="button"
            class="secondary"
            aria-disabled=${phase === 'ready' ? 'false' : 'true'}
            @click=${() => model.act('reload')}
          >
            ${l10n.t('Reload')}
          </button>
        </div>
      </div>
      <p class="account">
        ${l10n.t('Account: {0}', account)}${
          phase === 'loading' ? html`<span class="quiet"> · ${l10n.t('reading…')}</span>` : nothing
        }
      </p>
    </header>
    ${
      otherAccount === undefined
        ? nothing
        : html`<section class="notice warning" aria-label=${l10n.t('Account')}>
            <p>
              <strong>
                ${l10n.t('This form is about the account {0}; the window works as {1}.', account, otherAccount)}
              </strong>
            </p>
          </section>`
    }
  `;
}

function noticeSection(model: FormModel, { notice, settings, phase }: ToForm): TemplateResult | typeof nothing {
  const { l10n } = model;
  if (!notice || phase === 'saving') {
    return nothing;
  }
  const { severity, sentence, details, remedy } = notice;
  return html`
    <section class="notice ${severity}" aria-label=${severity === 'info' ? l10n.t('Message') : l10n.t('Problem')}>
      <p><strong>${sentence}</strong></p>
      ${details.map((detail) => html`<p>${detail}</p>`)}
      ${
        severity === 'info'
          ? nothing
          : html`<div class="buttons">
              ${
                remedy === undefined
                  ? nothing
                  : html`<button type="button" @click=${() => model.act('mend')}>${remedy}</button>`
              }
              <button type="button" class="secondary" @click=${() => model.act('reload')}>
                ${settings ? l10n.t('Reload Settings') : l10n.t('Try Again')}
              </button>
            </div>`
      }
    </section>
  `;
}
