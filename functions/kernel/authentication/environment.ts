import { clock } from '../clock.ts';
import { settings } from '../settings.ts';
import { environments, type EnvironmentRecord } from '../storage/environment.ts';

interface Remembered {
  environment: EnvironmentRecord;
  until: number;
  epoch: number;
}

/** Living environments by id, as long as credentials are remembered: five seconds by default. */
const remembered = new Map<string, Remembered>();
const MOST_REMEMBERED = 1_000;

/** Forgets every environment, for a runtime whose table was emptied. */
export const forgetEnvironments = (): void => remembered.clear();

/** Forgets one whose settings change, so that this instance does not go on with the old ones. */
export const forgetEnvironment = (environmentId: string): boolean => remembered.delete(environmentId);

/** Remembers an environment that was just read or changed; one that is deleted is forgotten. */
export function rememberEnvironment(environment: EnvironmentRecord): void {
  remembered.delete(environment.id);
  if (environment.deletedAt !== undefined) return;
  if (remembered.size >= MOST_REMEMBERED) {
    const [oldest] = remembered.keys();
    if (oldest !== undefined) remembered.delete(oldest);
  }
  const until = clock.now() + settings().GATEHOUSE_CREDENTIAL_CACHE_MS;
  remembered.set(environment.id, { environment, until, epoch: clock.epoch() });
}

/**
 * A living environment with its settings: nothing while it is remembered, which it is wherever its key was, else one
 * GetItem. A change of settings is seen by every instance within five seconds (GATEHOUSE_CREDENTIAL_CACHE_MS).
 */
export async function environmentOf(environmentId: string): Promise<EnvironmentRecord | undefined> {
  const known = remembered.get(environmentId);
  if (known !== undefined && known.until > clock.now() && known.epoch === clock.epoch()) return known.environment;
  const environment = await environments.get(environmentId, environmentId);
  if (environment === undefined || environment.deletedAt !== undefined) return undefined;
  rememberEnvironment(environment);
  return environment;
}
