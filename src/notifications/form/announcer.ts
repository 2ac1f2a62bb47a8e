import { isEmpty } from '../model/change.ts';
import { scopeWords } from '../model/words.ts';
import { countOfShownEvents } from './eventFields.ts';
import type { FormModel } from './formModel.ts';

/** Tells screen readers what has changed on the page: each sentence once, when it becomes true. */
export class Announcer {
  readonly #polite: HTMLElement;
  readonly #assertive: HTMLElement;
  #told: Record<string, string> = {};

  constructor(parent: HTMLElement) {
    this.#polite = region('status');
    this.#assertive = region('alert');
    parent.append(this.#polite, this.#assertive);
  }

  /** Compares what is shown with what was told. */
  tell(model: FormModel): void {
    const { state, l10n } = model;
    if (!state) {
      return;
    }
    const { notice, settings, phase, conflict } = state;
    const spoken = notice ? [notice.sentence, ...notice.details].join(' ') : '';
    this.#tellOnce(this.#polite, 'scope', scopeWords(state.scope, l10n));
    this.#tellOnce(
      this.#polite,
      'phase',
      phase === 'saving' ? l10n.t('Saving…') : phase === 'loading' && !settings ? l10n.t('Reading the settings…') : '',
    );
    this.#tellOnce(this.#polite, 'notice', notice?.severity === 'info' ? spoken : '');
    this.#tellOnce(this.#assertive, 'problem', notice && notice.severity !== 'info' ? spoken : '');
    this.#tellOnce(this.#assertive, 'conflict', conflict ? l10n.t('The settings were changed elsewhere') : '');
    if (settings) {
      const change = model.changeOf(settings);
      const count = Object.keys(change).length;
      this.#tellOnce(this.#polite, 'changes', isEmpty(change) ? '' : l10n.t('Unsaved changes: {0}', count));
      this.#tellOnce(
        this.#polite,
        'filter',
        model.filter === '' ? '' : l10n.t('Events shown: {0}', countOfShownEvents(model, settings)),
      );
    }
  }

  #tellOnce(where: HTMLElement, subject: string, sentence: string): void {
    if (this.#told[subject] !== sentence) {
      this.#told[subject] = sentence;
      if (sentence !== '') {
        where.textContent = sentence;
      }
    }
  }
}

function region(role: 'status' | 'alert'): HTMLElement {
  const element = document.createElement('div');
  element.setAttribute('role', role);
  element.className = 'spoken';
  return element;
}
