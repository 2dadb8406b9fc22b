import { clock } from '../clock.ts';
import { settings } from '../settings.ts';
import { environments, type EnvironmentRecord } from '../storage/environment.ts';

interface Remembered {
  environment: EnvironmentRecord;
  until: number;
  epoch: number;
}

/** Cached environments by id, for as long as credentials are cached: five seconds by default. */
const remembered = new Map<string, Remembered>();
const MOST_REMEMBERED = 1_000;

/** Clears the cache, for a runtime whose table was emptied. */
export const forgetEnvironments = (): void => remembered.clear();

/** Removes an environment whose settings change, so that this instance does not continue with the old ones. */
export const forgetEnvironment = (environmentId: string): boolean => remembered.delete(environmentId);

/** Caches an environment that was just read or changed; a deleted one is removed. */
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
 * Finds an environment that is not deleted, with its settings: no read while it is cached, as it is with its key, else
 * one GetItem. Every instance sees changed settings within five seconds (GATEHOUSE_CREDENTIAL_CACHE_MS).
 */
export async function environmentOf(environmentId: string): Promise<EnvironmentRecord | undefined> {
  const known = remembered.get(environmentId);
  if (known !== undefined && known.until > clock.now() && known.epoch === clock.epoch()) return known.environment;
  const environment = await environments.get(environmentId, environmentId);
  if (environment === undefined || environment.deletedAt !== undefined) return undefined;
  rememberEnvironment(environment);
  return environment;
}
