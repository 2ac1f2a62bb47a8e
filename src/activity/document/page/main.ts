import { Announcer, Host } from '../../../webviews/page/page.ts';
import type { EventId, EventState, FromEventPage, ToEventPage } from '../eventHtml.ts';

const host = new Host<ToEventPage, FromEventPage, EventId>();
const announcer = new Announcer();
const root = document.createElement('div');
document.body.append(root);
let shown = '';

/** The host has escaped all text of others; a document that is parsed runs and loads nothing. */
function show({ id, html, said }: EventState): void {
  const name = JSON.stringify(id);
  const isOther = shown !== '' && shown !== name;
  shown = name;
  host.keep(id);
  root.replaceChildren(...new DOMParser().parseFromString(html, 'text/html').body.childNodes);
  if (isOther) {
    window.scrollTo(0, 0);
    announcer.announce('status', 'event', said);
  }
}

root.addEventListener('click', ({ target }) => {
  const action = (target as Element).closest<HTMLElement>('[data-action]')?.dataset['action'];
  if (action !== undefined) {
    host.send({ type: action as FromEventPage['type'] });
  }
});
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
if (state?.type === 'state' && (!kept || (kept.feed === state.id.feed && kept.event === state.id.event))) {
  show(state);
}
host.send({ type: 'ready' });
