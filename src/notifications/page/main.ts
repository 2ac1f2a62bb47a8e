import { render } from 'lit-html';
import { Announcer, Host } from '../../webviews/page/page.ts';
import type { FromPage, ToPage } from '../pageState.ts';
import { pageView, type PageModel } from './view.ts';

const host = new Host<ToPage, FromPage, ToPage['kept']>();
const announcer = new Announcer();
const root = document.createElement('div');
document.body.append(root);

/** For the benchmark of how long a user waits. */
const shownMark = 'settings shown';

let model: PageModel = {
  l10n: host.l10n,
  send: (message) => host.send(message),
  state: undefined,
  rowFilter: '',
  eventFilter: '',
  isByMails: false,
  update: (part) => {
    model = { ...model, ...part };
    show();
  },
};

function show(): void {
  const hadConflict = root.querySelector('#conflict') !== null;
  render(pageView(model), root);
  const { state } = model;
  if (!state) {
    return;
  }
  announce(state);
  if (state.form?.fields && performance.getEntriesByName(shownMark).length === 0) {
    performance.mark(shownMark);
  }
  if (!hadConflict) {
    root.querySelector<HTMLElement>('#conflict')?.focus();
  }
}

function announce({ phase, form, message, problems, banner, changes, mails }: ToPage): void {
  const { l10n } = host;
  const isReading = phase === 'loading' && !form?.fields;
  announcer.announce(
    'status',
    'phase',
    phase === 'saving' ? l10n.t('Saving…') : isReading ? l10n.t('Reading the settings…') : '',
  );
  announcer.announce('status', 'form', form?.title ?? '');
  announcer.announce('status', 'message', message && !message.isWarning ? message.sentence : '');
  announcer.announce('alert', 'warning', message?.isWarning ? message.sentence : '');
  announcer.announce('alert', 'problem', problems.map(({ sentence }) => sentence).join(' '));
  announcer.announce('alert', 'account', banner?.sentence ?? '');
  announcer.announce('status', 'mails', mails.isReading ? '' : mails.note);
  const count = changes.reduce((sum, { sentences }) => sum + sentences.length, 0);
  announcer.announce('status', 'changes', count > 0 ? l10n.t('Unsaved changes: {0}', count) : '');
}

host.listen((state) => {
  host.keep(state.kept);
  model.update({ state });
});
document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (key.toLowerCase() === 's' && (ctrlKey || metaKey) && !altKey && !shiftKey && model.state) {
    event.preventDefault();
    host.send({ type: 'save', seen: model.state.seen });
  }
});
show();
host.send({ type: 'ready' });
