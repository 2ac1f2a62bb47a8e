import { render } from 'lit-html';
import { Announcer, Host } from '../../../webviews/page/page.ts';
import type { EventState, FromEventPage, ToEventPage } from '../messages.ts';
import { eventPage } from './page.ts';

/** The extension host makes its messages from texts alone, and no one else can send any: a look at their type is enough. */
const host = new Host<ToEventPage, FromEventPage>({
  safeParse: (value) => {
    const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
    return type === 'state' || type === 'hint' ? { success: true, data: value as ToEventPage } : { success: false };
  },
});
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
const { state } = host.first;
// A page that is built again has the event in it that it was first filled with.
if (state?.type === 'state' && (host.kept === undefined || JSON.stringify(host.kept) === JSON.stringify(state.id))) {
  show(state);
}
host.send({ type: 'ready' });
