import type { Event, Group, Project, Token, User } from './model.ts';
import { sampleErrorTracking } from './errorTracking.ts';
import { EventMaker } from './eventMaker.ts';
import { Random } from './random.ts';
import { World } from './world.ts';

const day = 86_400_000;

/** The three accounts whose tokens the sandbox hands out. */
export interface SampleTokens {
  /** Of an Owner, with scope `api`. */
  readonly owner: string;
  /** Of a Developer, with scope `api`. */
  readonly developer: string;
  /** With scope `read_user` alone. */
  readonly readUser: string;
}

/** Records beyond those of the sample, so many of each, for tests and benchmarks of long lists. */
export interface ExtraRecords {
  /** All of them in the first project. */
  readonly events?: number;
  readonly projects?: number;
  readonly groups?: number;
  readonly users?: number;
}

/**
 * Makes the sample data: a team that has been at work on a few projects for some weeks.
 *
 * @param seed the same seed and time make the same data.
 * @param now the data leads up to it.
 * @param extra events are older than those of the sample; the other records have higher ids.
 */
export function makeSampleData(
  seed: number,
  now: Date,
  extra: ExtraRecords = {},
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
  const [owner, developer, reader, maintainer, reporter, , hermit] = users as [
    User,
    User,
    User,
    User,
    User,
    User,
    User,
  ];
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
  const tokens = [
    { user: owner, scopes: ['api'] },
    { user: developer, scopes: ['api'] },
    { user: reader, scopes: ['read_user'] },
    // To be had from the control address alone.
    { user: developer, scopes: ['api'], expired: true },
    { user: developer, scopes: ['api'], revoked: true },
  ].map(({ user, scopes, expired = false, revoked = false }, index): Token => ({
    id: 901 + index,
    value: `glpat-${random.text(20, tokenAlphabet)}`,
    name: 'Beacon',
    user,
    scopes,
    createdAt: new Date(now.getTime() - 90 * day),
    expiresAt: new Date(now.getTime() + (expired ? -1 : 180) * day),
    revoked,
  }));
  const samples = { users, groups: [harbor, tools, website, drydock], projects };
  const world = new World({
    ...withExtra(samples, extra),
    tokens,
    errorTracking: sampleErrorTracking(projects, seed),
    members: new Map([
      [
        harbor,
        new Map([
          [owner, 'owner'],
          [developer, 'developer'],
          [reader, 'developer'],
          [maintainer, 'maintainer'],
          [reporter, 'reporter'],
          [hermit, 'guest'],
        ]),
      ],
      [
        website,
        new Map([
          [owner, 'owner'],
          [maintainer, 'maintainer'],
        ]),
      ],
      [drydock, new Map([[maintainer, 'owner']])],
    ]),
    movedProjects: new Map(projects.slice(0, 1).map((project) => ['harbor/almanac', project])),
    movedGroups: new Map([['shipyard', website]]),
  });
  const events = new EventMaker(world, projects, random);
  const oldest = now.getTime() - 3 * 365 * day;
  for (let index = 0; index < (extra.events ?? 0); index += 1) {
    world.events.add(events.make(new Date(oldest + index * 60_000), { project: projects[0] }));
  }
  for (const event of pastEvents(events, world, random, now)) {
    world.events.add(event);
  }
  const [ownerToken, developerToken, readerToken] = tokens.map(({ value }) => value) as [string, string, string];
  return { world, tokens: { owner: ownerToken, developer: developerToken, readUser: readerToken }, events };
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

/** So many copies of the first item, each with an id and a name of its own. */
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
 * What happened in the last weeks, the oldest first: more on workdays and in the last hours, up to a moment ago; and now
 * and then something rare.
 */
function pastEvents(maker: EventMaker, world: World, random: Random, now: Date): Event[] {
  const times: number[] = [];
  for (let daysAgo = 41; daysAgo >= 0; daysAgo -= 1) {
    const noon = now.getTime() - daysAgo * day;
    const weekend = [0, 6].includes(new Date(noon).getUTCDay());
    const count = daysAgo === 0 ? 14 : weekend ? random.integer(0, 3) : random.integer(9, 17);
    for (let index = 0; index < count; index += 1) {
      // Today's happened within the last hours, so that they are of today wherever the reader is, but for small hours.
      times.push(daysAgo === 0 ? now.getTime() - random.integer(60_000, day / 4) : noon - random.integer(0, day / 3));
    }
  }
  times.sort((a, b) => a - b);
  // What is rare happens to the first project and the first user, at every so many events, and once to someone deleted.
  const [project, author] = [world.projects[0], world.users[0]];
  const rarities = [
    ...maker.rarities().map((happening) => ({ project, author, happening })),
    { project, author: deletedUser },
  ];
  const distance = Math.floor(times.length / (rarities.length + 1));
  return times.map((time, index) => {
    const rarity = index % distance === distance - 1 ? rarities[Math.floor(index / distance)] : undefined;
    return maker.make(new Date(time), rarity);
  });
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
