import { TtlCache } from '../memory.ts';
import { settings } from '../settings.ts';
import { environments, type EnvironmentRecord } from '../storage/environment.ts';

/** Environments by id, cached as long as credentials: five seconds by default. */
const cached = new TtlCache<EnvironmentRecord>(1_000);

/** Clears the cache, for a runtime whose table was emptied. */
export const forgetEnvironments = (): void => cached.clear();

/** Removes an environment from the cache when its settings change, so that this instance does not use the old ones. */
export const forgetEnvironment = (environmentId: string): void => cached.delete(environmentId);

/** Adds an environment that was just read or changed to the cache; a deleted one is removed from it. */
export function cacheEnvironment(environment: EnvironmentRecord): void {
  if (environment.deletedAt !== undefined) cached.delete(environment.id);
  else cached.set(environment.id, environment, settings().GATEHOUSE_CREDENTIAL_CACHE_MS);
}

/**
 * Finds an environment that is not deleted, with its settings. It reads nothing while the environment is cached, which the
 * authentication by a key does as well; otherwise it takes one GetItem. Every instance sees changed settings within five
 * seconds (GATEHOUSE_CREDENTIAL_CACHE_MS).
 */
export async function findEnvironment(environmentId: string): Promise<EnvironmentRecord | undefined> {
  const known = cached.get(environmentId);
  if (known !== undefined) return known;
  const environment = await environments.get(environmentId, environmentId);
  if (environment === undefined || environment.deletedAt !== undefined) return undefined;
  cacheEnvironment(environment);
  return environment;
}
