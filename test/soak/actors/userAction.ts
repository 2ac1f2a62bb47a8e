import type { Instance } from '../host/instance.ts';
import type { Action } from './action.ts';

/** Something that users do with the product. */
export interface UserAction {
  readonly name: string;
  /** How often it is done, in relation to the others. */
  readonly weight: number;
  run(action: Action, instance: Instance): Promise<void>;
}
