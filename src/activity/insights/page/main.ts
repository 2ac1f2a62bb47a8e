import { render } from 'lit-html';
import { Announcer } from '../../../webviews/page/page.ts';
import { InsightsModel } from './insightsModel.ts';
import { insightsPage } from './page.ts';

const announcer = new Announcer();
const root = document.createElement('div');
document.body.append(root);
let isScheduled = false;

const model = new InsightsModel(show);

/** Pages of events and choices that come together are drawn together. */
function show(): void {
  if (!isScheduled) {
    isScheduled = true;
    queueMicrotask(() => {
      isScheduled = false;
      render(insightsPage(model), root);
      announcer.announce('status', 'insights', model.sentence);
      if (model.state) {
        performance.mark('insights shown');
      }
    });
  }
}

show();
