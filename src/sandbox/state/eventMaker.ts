import { bulkPush, type EventTemplate, pushed, rareEvents } from './eventTemplates.ts';
import type { Event, EventTarget, Project, User } from './model.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** What the maker of an event may leave to chance. */
export interface EventChoice {
  readonly project?: Project | undefined;
  readonly author?: User | undefined;
  /** Whether somebody else than the owner of the project does it, if there is anybody. */
  readonly byOthers?: boolean;
  readonly template?: EventTemplate;
  /** Instead of a template. */
  readonly kind?: CommonKind;
}

/**
 * Makes the commits of a push to the default branch of the first project, such as in a repository that a reader has.
 *
 * @param at when they are pushed.
 * @returns the SHAs of the commit before them and of the last one, its title, and how many there are.
 */
export type PushCommits = (
  author: Pick<User, 'name' | 'email'>,
  at: Date,
) => { readonly from: string; readonly to: string; readonly title: string; readonly count: number };

/** What happens on most days. */
export type CommonKind =
  | readonly [action: 'pushed']
  | readonly [action: 'created' | 'closed' | 'commented' | 'approved' | 'merged', type: 'Issue' | 'MergeRequest'];

/** Makes up what happens on the instance: issues, merge requests, comments, pushes, now and then something else. */
export class EventMaker {
  readonly #world: World;
  readonly #projects: readonly Project[];
  readonly #random: Random;
  readonly #pushCommits: PushCommits | undefined;
  readonly #iids = new Map<string, number>();
  /** The last commits of default branches. */
  readonly #heads = new Map<Project, string>();
  #nextId = 70_001;

  /** @param projects where things happen. */
  constructor(world: World, projects: readonly Project[], random: Random, pushCommits?: PushCommits) {
    this.#pushCommits = pushCommits;
    this.#world = world;
    this.#projects = projects;
    this.#random = random;
  }

  /** Makes the next event; the caller adds it to the world. */
  make(createdAt: Date, choice: EventChoice = {}): Event {
    const project =
      choice.project ?? this.#random.pick(this.#projects.filter((one) => this.#world.projects.includes(one)));
    const author = choice.author ?? this.#author(project, choice.byOthers);
    const { withoutProject, ...fields } =
      choice.template ??
      (choice.kind ? this.#common(choice.kind, project, author, createdAt) : this.#any(project, author, createdAt));
    return { id: this.#id(), project: withoutProject ? undefined : project, author, createdAt, ...fields };
  }

  /** An event of a kind that is seldom seen, which may be one that no client knows. */
  makeRare(createdAt: Date, project: Project | undefined): Event {
    return this.make(createdAt, { project, template: this.#random.pick(rareEvents)(() => this.#id()) });
  }

  /** One of each kind of event that is seldom seen. */
  rareTemplates(): EventTemplate[] {
    return rareEvents.map((make) => make(() => this.#id()));
  }

  #author(project: Project, byOthers = false): User {
    const members = this.#world.membersOf(project);
    // The owner does most of the work, so that the feed of a user who tries the sandbox is full.
    const [owner, ...others] = members;
    if (byOthers && others.length > 0) {
      return this.#random.pick(others);
    }
    return owner && this.#random.next() < 0.5 ? owner : this.#random.pick(members);
  }

  #any(project: Project, author: User, at: Date): EventTemplate {
    const chance = this.#random.next();
    if (chance < 0.34) {
      return this.#push();
    }
    if (chance < 0.92) {
      const kinds = chance < 0.56 ? commentKinds : chance < 0.76 ? issueKinds : reviewKinds;
      return this.#common(this.#random.pick(kinds), project, author, at);
    }
    return this.#random.pick([
      () => ({ action: 'created', target: this.#milestone(project) }),
      () => ({ action: 'joined', target: undefined }),
      () => this.#wikiPage(),
      () =>
        bulkPush(
          this.#random.pick(['pushed', 'created', 'removed']),
          this.#random.pick(['branch', 'tag']),
          this.#random.integer(4, 30),
        ),
      () => this.#random.pick(rareEvents)(() => this.#id()),
    ])();
  }

  #common([action, type]: CommonKind, project: Project, author: User, at: Date): EventTemplate {
    switch (action) {
      case 'pushed':
        return this.#pushToDefaultBranch(project, author, at);
      case 'commented':
        return this.#comment(project, type);
      default:
        return { action, target: this.#target(project, type, action === 'created') };
    }
  }

  #pushToDefaultBranch(project: Project, author: User, at: Date): EventTemplate {
    const { from, to, title, count } =
      this.#pushCommits && project === this.#projects[0]
        ? this.#pushCommits(author, at)
        : { from: this.#heads.get(project), to: this.#sha(), title: this.#random.pick(commitTitles), count: 1 };
    this.#heads.set(project, to);
    return pushed({
      action: 'pushed',
      refType: 'branch',
      ref: project.defaultBranch,
      refCount: null,
      commitCount: count,
      commitFrom: from ?? this.#sha(),
      commitTo: to,
      commitTitle: title,
    });
  }

  #push(): EventTemplate {
    const random = this.#random;
    const kind = random.next();
    const ref = kind < 0.7 ? random.pick(['main', ...topicBranches]) : random.pick(topicBranches);
    const commits = { commitFrom: this.#sha(), commitTo: this.#sha(), commitTitle: random.pick(commitTitles) };
    const base = { refType: 'branch', ref, refCount: null, commitCount: random.integer(1, 6), ...commits } as const;
    if (kind < 0.7) {
      return pushed({ ...base, action: 'pushed' });
    }
    if (kind < 0.85) {
      return pushed({ ...base, action: 'created', commitFrom: null });
    }
    if (kind < 0.93) {
      const tag = `v${random.integer(1, 4)}.${random.integer(0, 20)}.0`;
      return pushed({
        ...base,
        action: 'created',
        refType: 'tag',
        ref: tag,
        commitFrom: null,
        commitCount: 1,
      });
    }
    return pushed({ ...base, action: 'removed', commitTo: null, commitTitle: null, commitCount: 0 });
  }

  #comment(project: Project, type: string): EventTemplate {
    const on = this.#target(project, type);
    const id = this.#id();
    return {
      action: 'commented',
      target: { id, iid: id, type: 'Note', title: on.title },
      note: {
        id,
        body: this.#random.pick(comments),
        noteableId: on.id,
        noteableType: type,
        noteableIid: on.iid,
        system: false,
      },
    };
  }

  #wikiPage(): EventTemplate {
    const title = this.#random.pick(wikiTitles);
    const slug = title.replaceAll(' ', '-');
    return {
      action: this.#random.pick(['created', 'updated']),
      target: { id: this.#id(), iid: null, type: 'WikiPage::Meta', title },
      wikiPage: { slug, title },
    };
  }

  #milestone(project: Project): EventTarget {
    return {
      id: this.#id(),
      iid: this.#iid(project, 'Milestone', true),
      type: 'Milestone',
      title: this.#random.pick(milestones),
    };
  }

  /** An issue or merge request: a new one, or one that was there before, if any was. */
  #target(project: Project, type: string, isNew = false): EventTarget {
    const iid = this.#iid(project, type, isNew);
    // The title belongs to the iid, so that all events of one issue name it alike.
    const titles = type === 'Issue' ? issueTitles : mergeRequestTitles;
    const title = titles[(iid * 7 + project.id) % titles.length] ?? '';
    // Unique across projects and kinds, as an id is.
    return { id: (project.id * 100_000 + iid) * 2 + (type === 'Issue' ? 0 : 1), iid, type, title };
  }

  #iid(project: Project, type: string, isNew: boolean): number {
    const key = `${project.id} ${type}`;
    const last = this.#iids.get(key) ?? 0;
    if (isNew || last === 0) {
      this.#iids.set(key, last + 1);
      return last + 1;
    }
    return this.#random.integer(1, last);
  }

  #id(): number {
    return this.#nextId++;
  }

  #sha(): string {
    return this.#random.text(40, '0123456789abcdef');
  }
}

const commentKinds: readonly CommonKind[] = [
  ['commented', 'Issue'],
  ['commented', 'MergeRequest'],
];
const issueKinds: readonly CommonKind[] = [
  ['created', 'Issue'],
  ['created', 'Issue'],
  ['closed', 'Issue'],
];
const reviewKinds = (['created', 'approved', 'merged', 'closed'] as const).map((action): CommonKind => [
  action,
  'MergeRequest',
]);

const topicBranches = ['fix/leap-seconds', 'spring-tides', 'faster-parser', 'docs', 'retry-uploads'];

const commitTitles = [
  'Round heights to the centimetre',
  'Take the time zone from the berth',
  'Drop the second lookup of a vessel',
  'Explain why moorings may overlap',
  'Cache the harmonic constants',
  'Update the linter and follow its advice',
  'Say which berth is taken',
  'Stop the watcher when its window closes',
  'Make the import resumable',
  'Test the switch to winter time',
];

const issueTitles = [
  'High water is off by an hour after the clocks change',
  'Planner shows a vessel twice when it moves berth',
  'Export to calendar loses the quay number',
  'Deployment hangs when the runner has no disk left',
  'Search does not find names with accents',
  'Log lines of two requests are mixed',
  'Show the tide curve on small screens',
  'Let the pilot confirm an arrival',
  'Start-up takes 9 seconds on a cold cache',
  'Notify the crew when a berth changes',
  'Wrong unit in the API: feet instead of metres',
  'Landing page flickers in dark mode',
  'Document how to restore a backup',
];

const mergeRequestTitles = [
  'Compute tides in the time zone of the port',
  'Keep one row per vessel and stay',
  'Retry uploads that were cut off',
  'Write logs as JSON lines',
  'Make the tide chart responsive',
  'Cut the start-up time in half',
  'Fold accents in search',
  'Check free disk space before deploying',
  'Add arrival confirmation',
  'Replace the date library by Intl',
  'Restore backups from the command line',
];

const comments = [
  'I can reproduce this with last night’s data, log attached.',
  'Looks good to me. One question: what happens at midnight?',
  'Could we do this without the extra request?\n\nThe planner calls it for every row.',
  'Thanks! Tried it on the test quay, works.',
  'This is the third time this month. Let us find the cause.',
  'See the discussion in the design meeting; we wanted metres everywhere.',
  'Done, please have another look.',
  'I would rather keep the old name, scripts depend on it.',
  '```\nTypeError: berth is undefined\n    at plan (planner.ts:41)\n```\nhappens when the list is empty',
  'Nice catch, and a good test.',
];

const wikiTitles = ['On call', 'Release checklist', 'Glossary of tides', 'Restoring a backup'];
const milestones = ['Spring season', 'Winter refit', 'Public launch'];
