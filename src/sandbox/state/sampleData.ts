import { addDays, noonOf } from '../../common/dates.ts';
import { sampleErrorTracking } from './errorTracking.ts';
import { type CommonKind, type EventChoice, EventMaker, type PushCommits } from './eventMaker.ts';
import { type Event, type Group, type Project, type Role, roles, type AccessToken, type User } from './model.ts';
import { Random } from './random.ts';
import { World } from './world.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The tokens of three users that the sandbox hands out. */
export interface SampleTokens {
  /** Of an Owner, with scope `api`. */
  readonly owner: string;
  /** Of a Developer, with scope `api`. */
  readonly developer: string;
  /** Of another Developer, with scope `read_user` alone. */
  readonly readUser: string;
  /** Of the same, with scope `api`: what the narrow one can be renewed with. */
  readonly reader: string;
}

/** How many records of each kind there are beyond those of the sample, for tests and benchmarks of long lists. */
export interface ExtraRecords {
  /** All of them in the first project. */
  readonly events?: number;
  readonly projects?: number;
  readonly groups?: number;
  readonly users?: number;
}

/** How the sample data are made. */
export interface SampleOptions {
  /** Records beyond those of the sample. */
  readonly extra?: ExtraRecords;
  /** The IANA name of the time zone whose today and yesterday have events of all common kinds: the process's by default. */
  readonly timeZone?: string;
  /** Makes what is pushed to the first project yesterday and today; by default it is made up. */
  readonly pushCommits?: PushCommits;
}

/**
 * Makes the sample data: a team that has been at work on a few projects for some weeks.
 *
 * @param seed the same seed, time and time zone make the same data.
 * @param now the data leads up to it.
 * @param options.extra its events are older than those of the sample; its other records have higher ids.
 */
export function makeSampleData(
  seed: number,
  now: Date,
  { extra = {}, timeZone, pushCommits }: SampleOptions = {},
): { world: World; tokens: SampleTokens; events: EventMaker } {
  const random = new Random(seed);
  const users = people.map(([username, name], index): User => ({
    id: 101 + index,
    username,
    name,
    email: `${username}@harbor.example`,
    secondaryEmails: [`${username}@home.example`],
    state: username === 'jonas' ? 'blocked' : 'active',
    privateProfile: username === 'ines',
    deleted: false,
  }));
  const [owner, developer, reader] = users as [User, User, User];
  const rolesOf = (byUsername: Readonly<Record<string, Role>>) =>
    new Map(
      users.flatMap((user) => {
        const role = byUsername[user.username];
        return role ? [[user, role] as const] : [];
      }),
    );
  const harbor: Group = { id: 11, name: 'Harbor', path: 'harbor', parent: undefined, visibility: 'public' };
  const tools: Group = { id: 12, name: 'Tools', path: 'tools', parent: harbor, visibility: 'public' };
  const website: Group = { id: 13, name: 'Website', path: 'website', parent: undefined, visibility: 'public' };
  // Neither the group nor its project is to be seen by the owners of the tokens.
  const drydock: Group = { id: 14, name: 'Drydock', path: 'drydock', parent: undefined, visibility: 'private' };
  const projects: Project[] = [
    ['Tide Table', 'tide-table', harbor, 'Predicts the water level at every berth', 'private'],
    ['Berth Planner', 'berth-planner', harbor, 'Who moors where, and when', 'private'],
    ['Winch', 'winch', tools, 'Deploys everything to the quay', 'public'],
    ['Logbook', 'logbook', tools, 'Structured logging for the fleet', 'private'],
    ['Landing Page', 'landing-page', website, 'What visitors see first', 'public'],
    ['Hull Survey', 'hull-survey', drydock, 'Photographs of every rivet', 'private'],
  ].map(([name, path, group, description, visibility], index) => ({
    id: 501 + index,
    name,
    path,
    group,
    description,
    visibility,
    defaultBranch: 'main',
  })) as Project[];
  const makeToken = (
    { user, scopes, fate }: Pick<AccessToken, 'user' | 'scopes'> & { fate?: string },
    index: number,
  ): AccessToken => ({
    id: 901 + index,
    value: `glpat-${random.text(20, tokenAlphabet)}`,
    name: 'Beacon',
    user,
    scopes,
    createdAt: new Date(now.getTime() - 90 * day),
    expiresAt: new Date(now.getTime() + (fate === 'expired' ? -1 : 180) * day),
    revoked: fate === 'revoked',
  });
  const tokens = [
    { user: owner, scopes: ['api'] },
    { user: developer, scopes: ['api'] },
    { user: reader, scopes: ['read_user'] },
    // Not handed out.
    { user: developer, scopes: ['api'], fate: 'expired' },
    { user: developer, scopes: ['api'], fate: 'revoked' },
  ].map(makeToken);
  const samples = { users, groups: [harbor, tools, website, drydock], projects };
  const world = new World({
    ...withExtra(samples, extra),
    tokens,
    errorTracking: sampleErrorTracking(projects, seed),
    members: new Map<Group | Project, ReadonlyMap<User, Role>>([
      [
        harbor,
        rolesOf({
          marta: 'owner',
          femi: 'maintainer',
          tomasz: 'developer',
          aiko: 'developer',
          lucia: 'reporter',
          ines: 'guest',
        }),
      ],
      [website, rolesOf({ marta: 'owner', femi: 'maintainer' })],
      [drydock, rolesOf({ femi: 'owner' })],
    ]),
    movedProjects: new Map(projects.slice(0, 1).map((project) => ['harbor/almanac', project])),
    movedGroups: new Map([['shipyard', website]]),
  });
  const events = new EventMaker(world, projects, random, pushCommits);
  const oldest = now.getTime() - 3 * 365 * day;
  for (let index = 0; index < (extra.events ?? 0); index += 1) {
    world.events.add(events.make(new Date(oldest + index * 60_000), { project: projects[0] }));
  }
  for (const event of pastEvents(events, world, random, now, timeZone)) {
    world.events.add(event);
  }
  // Drawn last: what a seed makes of the rest does not depend on it.
  const readerToken = makeToken({ user: reader, scopes: ['api'] }, tokens.length);
  world.addToken(readerToken);
  const [ownerToken, developerToken, readUser] = tokens.map(({ value }) => value) as [string, string, string];
  return {
    world,
    tokens: { owner: ownerToken, developer: developerToken, readUser, reader: readerToken.value },
    events,
  };
}

function withExtra<Samples extends { users: User[]; groups: Group[]; projects: Project[] }>(
  { users, groups, projects }: Samples,
  extra: ExtraRecords,
) {
  return {
    users: [...users, ...copies(users, extra.users, (user, number) => ({ ...user, username: `crew-${number}` }))],
    groups: [...groups, ...copies(groups, extra.groups, (group, number) => ({ ...group, path: `dock-${number}` }))],
    projects: [
      ...projects,
      ...copies(projects, extra.projects, (project, number) => ({ ...project, path: `buoy-${number}` })),
    ],
  };
}

/** At most this many copies of the first item, each with an id and a name of its own. */
function copies<T extends { readonly id: number; readonly name: string }>(
  [first]: readonly T[],
  count: number | undefined,
  rename: (item: T, number: number) => T,
): T[] {
  return Array.from({ length: first ? (count ?? 0) : 0 }, (_, index) => index + 1).flatMap((number) =>
    first ? [{ ...rename(first, number), id: 100_000 + number, name: `${first.name} ${number}` }] : [],
  );
}

/**
 * What happened in the last weeks, the oldest first, in the working hours of the reader's calendar; now and then something
 * rare. Today and yesterday have something of everything, whatever day or hour it is.
 */
function pastEvents(maker: EventMaker, world: World, random: Random, now: Date, timeZone: string | undefined): Event[] {
  // In Swedish, dates are written as ISO 8601 has them. To make a format takes longer than all that it writes here.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone });
  const dateOf = (time: number): string => format.format(time);
  const today = dateOf(now.getTime());
  const startOf = (daysAgo: number): number => startOfDay(addDays(today, -daysAgo), dateOf);
  const times: number[] = [];
  for (let daysAgo = 41; daysAgo >= 2; daysAgo -= 1) {
    const isWeekend = [0, 6].includes(noonOf(addDays(today, -daysAgo)).getUTCDay());
    const count = isWeekend ? random.integer(0, 3) : random.integer(9, 17);
    const start = startOf(daysAgo);
    times.push(...momentsBetween(start + 8 * hour, start + 18 * hour, count, random));
  }
  // What is rare happens to the first project and the first user, at regular intervals, and once to someone deleted.
  const [project, author] = [world.projects[0], world.users[0]];
  const rarities = [
    ...maker.rareTemplates().map((template) => ({ project, author, template })),
    { project, author: deletedUser },
  ];
  const distance = Math.floor(times.length / (rarities.length + 1));
  const earlier = times.map((time, index) => {
    const rarity = index % distance === distance - 1 ? rarities[Math.floor(index / distance)] : undefined;
    return maker.make(new Date(time), rarity);
  });
  const choices = latestChoices(world, random);
  // Today begins with a few, however short it is, and goes on as often as in a real team.
  const ofToday = Math.min(14, 3 + Math.floor((now.getTime() - startOf(0)) / (45 * minute)));
  const latest = [
    ...momentsBetween(startOf(1) + 8.5 * hour, startOf(1) + 20.5 * hour, choices.length - ofToday, random),
    ...momentsBetween(Math.max(startOf(0), now.getTime() - 9 * hour), now.getTime(), ofToday, random),
  ];
  return [...earlier, ...latest.map((time, index) => maker.make(new Date(time), choices[index]))];
}

/**
 * What happens yesterday and today, in order: rounds of the common kinds. Each round brings all of them to the first
 * project's feed, and those that the feeds of users have to the feed of the first user; it is short enough for a page of
 * 20 events in any of these feeds to hold a whole one.
 */
function latestChoices(world: World, random: Random): EventChoice[] {
  const [owner] = world.users;
  const [first, ...others] = world.projects.filter((project) => owner && world.accessLevel(owner, project) > 0);
  if (!owner || !first) {
    return [];
  }
  return [
    ...shuffled(dailyRound, random),
    ...shuffled(dailyRound, random),
    ...shuffled(dailyRound, random),
    ...latestRound,
  ].map(([who, where, ...kind]) => {
    const project = where === 'here' ? first : random.pick(others);
    // Guests and reporters neither push nor review.
    const role = kind[1] === 'Issue' ? 'guest' : 'developer';
    const colleagues = world
      .membersOf(project)
      .filter((user) => user !== owner && world.accessLevel(user, project) >= roles[role]);
    const author = who === 'owner' ? owner : random.pick(colleagues);
    return { project, author, kind };
  });
}

type Turn = readonly [who: 'owner' | 'colleague', where: 'here' | 'elsewhere', ...kind: CommonKind];

const dailyRound: readonly Turn[] = [
  ['owner', 'here', 'pushed'],
  ['owner', 'here', 'commented', 'Issue'],
  ['owner', 'here', 'closed', 'Issue'],
  ['owner', 'here', 'merged', 'MergeRequest'],
  ['owner', 'elsewhere', 'pushed'],
  ['owner', 'elsewhere', 'created', 'Issue'],
  ['colleague', 'here', 'pushed'],
  ['colleague', 'here', 'created', 'Issue'],
  ['colleague', 'here', 'created', 'MergeRequest'],
  ['colleague', 'here', 'commented', 'MergeRequest'],
  ['colleague', 'here', 'approved', 'MergeRequest'],
  ['colleague', 'elsewhere', 'commented', 'Issue'],
];

/** The last things of all: something for each feed, even if today is but a minute old. */
const latestRound: readonly Turn[] = [
  ['owner', 'here', 'pushed'],
  ['colleague', 'here', 'created', 'MergeRequest'],
  ['colleague', 'here', 'commented', 'Issue'],
];

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}

/** At most this many moments, in order, from the first on and none after the last. */
function momentsBetween(first: number, last: number, count: number, random: Random): number[] {
  return Array.from({ length: count }, () => random.integer(first, last)).sort((a, b) => a - b);
}

/** The time at which a day of the calendar begins in a time zone: the first minute that is of it, or of a later one. */
function startOfDay(date: string, dateOf: (time: number) => string): number {
  // Time zones are from 12 hours behind UTC to 14 ahead of it.
  let before = noonOf(date).getTime() - 27 * hour;
  let after = noonOf(date).getTime() + hour;
  while (after - before > minute) {
    const middle = before + Math.floor((after - before) / minute / 2) * minute;
    if (dateOf(middle) < date) {
      before = middle;
    } else {
      after = middle;
    }
  }
  return after;
}

/** An account that is no more; its events are. */
const deletedUser: User = {
  id: 99,
  username: 'oskar',
  name: 'Oskar Vinter',
  email: 'oskar@harbor.example',
  state: 'blocked',
  privateProfile: false,
  deleted: true,
};

const tokenAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const people = [
  ['marta', 'Marta Lindqvist'],
  ['tomasz', 'Tomasz Wrona'],
  ['aiko', 'Aiko Tanabe'],
  ['femi', 'Femi Adeyemi'],
  ['lucia', 'Lucía Ferrer'],
  ['jonas', 'Jonas Brandt'],
  ['ines', 'Inês Duarte'],
] as const;
