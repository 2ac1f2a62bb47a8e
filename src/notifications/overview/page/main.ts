import { render } from 'lit-html';
import { Announcer } from '../../../webviews/page/page.ts';
import { phaseLabel } from './changesBar.ts';
import { OverviewModel } from './overviewModel.ts';
import { overviewPage } from './page.ts';

const announcer = new Announcer();
const root = document.createElement('div');
document.body.append(root);

const model = new OverviewModel(show);

function show(): void {
  // The first message may come while the model is being made.
  queueMicrotask(() => {
    render(overviewPage(model), root);
    announce();
  });
}

/** Announces changes of the page to screen readers. */
function announce(): void {
  const { l10n, state, changes, shown, filter } = model;
  const sentence =
    phaseLabel(state?.phase ?? 'loading', l10n) ??
    (state?.noise?.isReading === true
      ? l10n.t('Reading events…')
      : [
          state?.result ?? '',
          ...(state?.problems ?? []),
          state?.noise?.problem ?? '',
          filter === '' ? '' : l10n.t('Rows shown: {0}', shown.length),
          changes.length > 0
            ? l10n.t('Unsaved changes: {0}', changes.length)
            : state?.isSignedOut === true
              ? ''
              : l10n.t('The overview is up to date.'),
        ].join(' '));
  announcer.announce('status', 'overview', sentence);
}

show();
