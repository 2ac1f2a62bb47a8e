import { render } from 'lit-html';
import { l10nOf } from '../../settings/labels.ts';
import { FormModel, Host } from './formModel.ts';
import { Announcer, formPage } from './page.ts';

const translations = JSON.parse(document.getElementById('translations')?.textContent ?? '{}') as Record<string, string>;
const announcer = new Announcer(document.body);
const root = document.createElement('div');
document.body.append(root);

/** For the benchmark of how long a user waits. */
const shownMark = 'settings shown';

const model = new FormModel(new Host(), l10nOf(translations), show);

function show(): void {
  // The first message may come while the model is being made.
  queueMicrotask(() => {
    const conflicting = root.querySelector('#conflict') !== null;
    render(formPage(model), root);
    announcer.announce(model);
    if (model.state?.settings && performance.getEntriesByName(shownMark).length === 0) {
      performance.mark(shownMark);
      window.scrollTo(0, model.scrolled);
    }
    const conflict = root.querySelector<HTMLElement>('#conflict');
    if (conflict && !conflicting) {
      conflict.focus();
    }
  });
}

window.addEventListener('scrollend', () => model.keepScrolled(window.scrollY));
document.addEventListener('keydown', (event) => {
  if (event.key === 's' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
    event.preventDefault();
    model.act('save');
  }
});
show();
