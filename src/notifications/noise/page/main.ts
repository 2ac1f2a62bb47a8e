import { render } from 'lit-html';
import { Announcer } from '../../../webviews/page/page.ts';
import { NoiseModel } from './noiseModel.ts';
import { NoisePage } from './page.ts';

const announcer = new Announcer();
const root = document.createElement('div');
document.body.append(root);

const model = new NoiseModel(show);
const page = new NoisePage(model, show);

function show(): void {
  // The first message may come while the model is being made.
  queueMicrotask(() => {
    render(page.render(), root);
    announcer.announce('status', 'noise', page.sentence);
  });
}

show();
