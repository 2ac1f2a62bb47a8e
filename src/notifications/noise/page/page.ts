import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { Chart, type ChartData, type ChartTable } from '../../../webviews/page/charts.ts';
import { changesBar, phaseLabel } from '../../overview/page/changesBar.ts';
import { loudness, type Mails, mailsLabel } from '../mails.ts';
import type { ProjectState, ToNoise } from '../messages.ts';
import { estimateView, mailsView } from './mailsView.ts';
import type { NoiseModel } from './noiseModel.ts';

/** So many projects are drawn at most; the table has all. */
const mostBars = 30;

/** The page of noise: a chart of the projects, one of the levels of a project, and the levels to try. */
export class NoisePage {
  readonly #model: NoiseModel;
  readonly #ofProjects: Chart;
  readonly #ofLevels: Chart;
  /** Charts draw again what is another object. */
  readonly #drawn = new Map<string, { readonly text: string; readonly data: ChartData }>();

  /** @param onChange renders the page again. */
  constructor(model: NoiseModel, onChange: () => void) {
    this.#model = model;
    const shared = { l10n: model.l10n, language: document.documentElement.lang, onChange };
    this.#ofProjects = new Chart({ ...shared, id: 'projects', onChoose: (key) => model.choose(key) });
    this.#ofLevels = new Chart({
      ...{ ...shared, id: 'levels' },
      onChoose: (level) => (model.project?.level === undefined ? undefined : model.try(model.project, level)),
    });
  }

  /** What has changed, for screen readers. */
  get sentence(): string {
    const { l10n, state, totals, changes } = this.#model;
    if (!state || state.noise.isReading) {
      return l10n.t('Reading events…');
    }
    const { now, tried } = totals;
    return (
      [phaseLabel(state.phase, l10n), state.noise.problem, state.problem].find((problem) => problem !== undefined) ??
      (changes.length > 0
        ? l10n.t('E-mails: {0}, with your changes {1}', this.#label(now), this.#label(tried))
        : l10n.t('E-mails: {0}', this.#label(now)))
    );
  }

  /** The whole page. */
  render(): TemplateResult {
    const { state, l10n } = this.#model;
    if (!state) {
      return html`<main aria-busy="true"><p class="quiet">${l10n.t('Reading events…')}</p></main>`;
    }
    return html`
      <main aria-busy=${state.phase === 'ready' ? 'false' : 'true'}>
        ${this.#heading(state)}
        ${
          state.projects.length > 0
            ? html`${this.#total()} ${this.#charts()} ${this.#table(state)}`
            : state.phase === 'ready' && state.noise.notes.length > 0
              ? html`<p class="quiet">${l10n.t('Nothing happened in your projects on these days.')}</p>`
              : nothing
        }
      </main>
      ${changesBar(this.#model, phaseLabel(state.phase, l10n), this.#changeNote())}
    `;
  }

  #label(mails: Mails): string {
    return mailsLabel(mails, this.#model.l10n, document.documentElement.lang);
  }

  #heading({ account, phase, progress, noise, problem, remedy }: ToNoise): TemplateResult {
    const { l10n } = this.#model;
    const reading =
      phase !== 'loading' || noise.isReading
        ? ''
        : progress
          ? l10n.t('reading {0} of {1}…', progress.done, progress.total)
          : l10n.t('reading…');
    const fix = (): void => this.#model.send({ type: 'act', action: 'fix' });
    return html`
      <header>
        <h1>${l10n.t('Notification Noise')}</h1>
        <p class="account">
          ${l10n.t('Account: {0}', account)}${reading === '' ? nothing : html`<span class="quiet"> · ${reading}</span>`}
        </p>
        ${
          problem === undefined
            ? nothing
            : html`<section class="notice warning" aria-label=${l10n.t('Problem')}>
                <p>${problem}</p>
                ${
                  remedy === undefined
                    ? nothing
                    : html`<div class="buttons"><button type="button" @click=${fix}>${remedy}</button></div>`
                }
              </section>`
        }
        ${estimateView({ ...noise, isReading: noise.isReading || phase === 'loading' }, l10n, {
          read: () => this.#model.send({ type: 'act', action: 'read' }),
          cancel: () => this.#model.send({ type: 'act', action: 'cancel' }),
          fix,
          isShown: this.#model.projects.length > 0,
        })}
      </header>
    `;
  }

  /** What all projects send together, before and after. */
  #total(): TemplateResult {
    const { l10n, totals, changes } = this.#model;
    const loudest = Math.max(...[totals.now, totals.tried].map((mails) => loudness(mails) ?? 0));
    const line = (name: string, mails: Mails): TemplateResult =>
      html`<div>
        <dt>${name}</dt>
        <dd>${mailsView(mails, loudest, l10n)}</dd>
      </div>`;
    return html`
      <dl class="total">
        ${line(l10n.t('E-mails now'), totals.now)}
        ${changes.length > 0 ? line(l10n.t('With your changes'), totals.tried) : nothing}
      </dl>
    `;
  }

  #charts(): TemplateResult {
    const { l10n, projects, project } = this.#model;
    const drawn = projects.slice(0, mostBars);
    const heading = [l10n.t('Project'), l10n.t('Level'), l10n.t('E-mails')];
    return html`
      <div class="charts">
        ${this.#ofProjects.render(
          l10n.t('E-mails a week by project'),
          this.#bars(
            'projects',
            drawn.map((one) => ({
              id: one.key,
              label: one.name,
              mails: this.#model.mailsOf(one, this.#model.levelOf(one)),
              isChosen: one === project,
            })),
          ),
          () => ({
            headings: heading,
            rows: drawn.map((one) => {
              const level = this.#model.levelOf(one);
              return [one.name, nameOf(one, level), this.#label(this.#model.mailsOf(one, level))];
            }),
          }),
          l10n.t('Choose a project to see what each level would send.'),
        )}
        ${project === undefined ? nothing : this.#levels(project)}
      </div>
    `;
  }

  #levels(project: ProjectState): TemplateResult {
    const { l10n } = this.#model;
    const level = this.#model.levelOf(project);
    const table = (): ChartTable => ({
      headings: [l10n.t('Level'), l10n.t('E-mails')],
      rows: project.choices.map(({ title, mails }) => [title, this.#label(mails)]),
    });
    return this.#ofLevels.render(
      l10n.t('Levels of {0}', project.name),
      this.#bars(
        'levels',
        project.choices.map((choice) => ({
          id: choice.level,
          label: choice.name,
          mails: choice.mails,
          isChosen: choice.level === level,
        })),
      ),
      table,
      project.level === undefined ? l10n.t('The level is unknown.') : l10n.t('Choose a level to try it.'),
    );
  }

  /** Bars of what is known for certain, and of what may come on top. */
  #bars(
    chart: string,
    rows: readonly { readonly id: string; readonly label: string; readonly mails: Mails; readonly isChosen: boolean }[],
  ): ChartData {
    const { l10n } = this.#model;
    const isRange = rows.some(({ mails: { least, most } }) => least !== most && most !== undefined);
    const data: ChartData = {
      kind: 'bars',
      series: isRange ? [l10n.t('at least'), l10n.t('at most')] : [l10n.t('e-mails a week')],
      bars: rows.map(({ id, label, mails, isChosen }) => {
        const { least, most } = mails;
        const text = this.#label(mails);
        const values = most === undefined ? [least, undefined] : isRange ? [least, most - least] : [least];
        return { id, label, values, text, detail: l10n.t('{0}: {1}', label, text), isChosen };
      }),
    };
    const text = JSON.stringify(data);
    const before = this.#drawn.get(chart);
    if (before?.text === text) {
      return before.data;
    }
    this.#drawn.set(chart, { text, data });
    return data;
  }

  #table({ phase, more }: ToNoise): TemplateResult {
    const { l10n, projects } = this.#model;
    const loudest = Math.max(
      0,
      ...projects.map((one) =>
        Math.max(
          ...[one.level, this.#model.levelOf(one)].map((level) => loudness(this.#model.mailsOf(one, level)) ?? 0),
        ),
      ),
    );
    return html`
      <h2 id="try">${l10n.t('Try levels')}</h2>
      <div class="scroll" role="region" aria-labelledby="try" tabindex="0">
        <table>
          <thead>
            <tr>
              <th scope="col">${l10n.t('Project')}</th>
              <th scope="col">${l10n.t('Level')}</th>
              <th scope="col">${l10n.t('E-mails now')}</th>
              <th scope="col">${l10n.t('With your changes')}</th>
            </tr>
          </thead>
          <tbody>
            ${projects.map((project) => this.#row(project, loudest, phase))}
          </tbody>
        </table>
      </div>
      ${
        more === 0 ? nothing : html`<p class="quiet">${l10n.t('More projects, each quieter than these: {0}', more)}</p>`
      }
    `;
  }

  #row(project: ProjectState, loudest: number, phase: ToNoise['phase']): TemplateResult {
    const { l10n } = this.#model;
    const level = this.#model.levelOf(project);
    const isModified = level !== project.level;
    return html`
      <tr class=${isModified ? 'modified' : ''}>
        <th scope="row">
          <button
            type="button"
            class="link"
            title=${l10n.t('Open Notification Settings')}
            @click=${() => this.#model.send({ type: 'open', key: project.key })}
          >
            ${project.name}
          </button>
        </th>
        <td>
          ${
            level === undefined
              ? html`<span class="problem">${project.problem ?? l10n.t('unknown')}</span>`
              : html`<select
                  aria-label=${l10n.t('Level of {0}', project.name)}
                  ?disabled=${phase === 'reviewing' || phase === 'changing'}
                  .value=${live(level)}
                  @change=${(event: Event) => this.#model.try(project, (event.target as HTMLSelectElement).value)}
                >
                  ${project.choices.map(
                    (choice) =>
                      html`<option value=${choice.level} ?selected=${choice.level === level}>${choice.title}</option>`,
                  )}
                </select>`
          }
        </td>
        <td class="now">${mailsView(this.#model.mailsOf(project, project.level), loudest, l10n)}</td>
        <td class="tried">${isModified ? mailsView(this.#model.mailsOf(project, level), loudest, l10n) : nothing}</td>
      </tr>
    `;
  }

  #changeNote(): TemplateResult {
    const { l10n, totals } = this.#model;
    const [now, tried] = [this.#label(totals.now), this.#label(totals.tried)];
    return html`<span class="quiet">${l10n.t('E-mails: {0}, with your changes {1}', now, tried)}</span>`;
  }
}

function nameOf({ choices }: ProjectState, level: string | undefined): string {
  return choices.find((choice) => choice.level === level)?.name ?? '';
}
