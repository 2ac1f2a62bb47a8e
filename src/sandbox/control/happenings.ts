import type { EventMaker } from '../state/eventMaker.ts';
import type { Event, Project } from '../state/model.ts';
import type { World } from '../state/world.ts';

/** Milliseconds between events that happen while the sandbox runs. */
const interval = 45_000;

/** Lets events happen: one at a time when told to, or now and then while switched on. */
export class Happenings {
  readonly #world: World;
  readonly #maker: EventMaker;
  readonly #now: () => Date;
  #timer: NodeJS.Timeout | undefined;

  constructor(world: World, maker: EventMaker, now: () => Date) {
    this.#world = world;
    this.#maker = maker;
    this.#now = now;
  }

  /**
   * One event, now.
   *
   * @param project anywhere if not given.
   * @param rare whether it is of a kind that is seldom seen.
   */
  happen(project?: Project, rare = false): Event {
    const event = rare ? this.#maker.makeRare(this.#now(), project) : this.#maker.make(this.#now(), { project });
    this.#world.events.add(event);
    return event;
  }

  /** Whether events keep happening. */
  switch(on: boolean): void {
    clearInterval(this.#timer);
    this.#timer = on ? setInterval(() => this.happen(), interval) : undefined;
    // The sandbox keeps no process alive that has nothing else to do.
    this.#timer?.unref();
  }
}
