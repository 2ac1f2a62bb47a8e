import { systemClock } from '../common/clock.ts';
import { NoiseEstimates } from './noise/estimates.ts';
import type { NotificationsDeps } from './notificationsFeature.ts';
import { SettingsEngine } from './settings/engine.ts';

/** What the form and `BulkServices` have in common. */
export interface SharedServices {
  readonly engine: SettingsEngine;
  readonly estimates: NoiseEstimates;
}

export function createSharedServices({ connections }: NotificationsDeps): SharedServices {
  return {
    engine: new SettingsEngine(connections),
    estimates: new NoiseEstimates({ connections, clock: systemClock }),
  };
}
