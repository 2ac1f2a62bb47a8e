import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { Settings } from '../model/settings.ts';
import type { ToForm } from '../protocol/messages.ts';
import { fieldError } from './fieldError.ts';
import type { FormModel } from './formModel.ts';

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
  const value = model.draft.email ?? settings.email;
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
        @input=${(event: Event) => model.edit({ email: (event.target as HTMLInputElement).value })}
      />
      ${fieldError('notification_email', fieldErrors)}
      <p class="quiet" id="email-hint">
        ${l10n.t('Enter an address that you have verified, or leave it empty for the address of your account.')}
        ${modified ? l10n.t('Current: {0}', settings.email) : nothing}
      </p>
    </div>
  `;
}
