import { render } from 'lit-html';
import { Announcer } from '../../../webviews/page/page.ts';
import { FormModel } from './formModel.ts';
import { announce, formPage } from './page.ts';

const announcer = new Announcer();
const root = document.createElement('div');
document.body.append(root);

/** For the benchmark of how long a user waits. */
const shownMark = 'settings shown';

const model = new FormModel(show);

function show(): void {
  // The first message may come while the model is being made.
  queueMicrotask(() => {
    const conflicting = root.querySelector('#conflict') !== null;
    render(formPage(model), root);
    announce(model, announcer);
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
