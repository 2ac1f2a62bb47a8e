import { render } from 'lit-html';
import { Announcer, Host } from '../../../webviews/page/page.ts';
import type { EventId, EventState, FromEventPage, ToEventPage } from '../messages.ts';
import { eventPage } from './page.ts';

const host = new Host<ToEventPage, FromEventPage, EventId>(1);
const announcer = new Announcer();
const root = document.createElement('div');
document.body.append(root);
let shown = '';

function show(state: EventState): void {
  const id = JSON.stringify(state.id);
  const isOther = shown !== '' && shown !== id;
  shown = id;
  host.keep(state.id);
  render(
    eventPage(state, host.l10n, (action) => host.send({ type: 'act', action })),
    root,
  );
  if (isOther) {
    window.scrollTo(0, 0);
    announcer.announce(
      'status',
      'event',
      [state.author?.text, state.title.text, state.time?.text].filter(Boolean).join(', '),
    );
  }
}

host.listen((message) => {
  if (message.type === 'state') {
    show(message);
  } else {
    // The same sentence is said as often as it comes.
    announcer.announce('status', 'hint', '');
    announcer.announce('status', 'hint', message.sentence);
  }
});
const { kept, first } = host;
const { state } = first;
// A page that is built again has the event in it that it was first filled with.
if (state?.type === 'state' && (!kept || (kept.feed === state.id.feed && kept.key === state.id.key))) {
  show(state);
}
host.send({ type: 'ready' });
