import { TtlCache } from '../memory.ts';
import { credentialCacheMs } from '../settings.ts';
import { environments, type EnvironmentRecord } from '../storage/environment.ts';
import { noteWriter } from '../storage/epoch.ts';

/** Environments by id, cached as long as credentials: five seconds by default. */
const cached = new TtlCache<EnvironmentRecord>(1_000, credentialCacheMs);

/** Clears the cache, for a runtime whose table was emptied. */
export const forgetEnvironments = (): void => cached.clear();

/** Removes an environment from the cache when its settings change, so that this instance does not use the old ones. */
export const forgetEnvironment = (environmentId: string): void => cached.delete(environmentId);

async function readEnvironment(environmentId: string): Promise<EnvironmentRecord | undefined> {
  const environment = await environments.get(environmentId, environmentId);
  if (environment !== undefined) await noteWriter(environmentId, environment);
  return environment?.deletedAt === undefined ? environment : undefined;
}

/** Reads an environment that is not deleted, and caches it for {@link findEnvironment}. */
export const reloadEnvironment = (environmentId: string): Promise<EnvironmentRecord | undefined> =>
  cached.reload(environmentId, () => readEnvironment(environmentId));

/** Finds an environment whose keys and clients are accepted: one that is neither deleted nor suspended. */
export async function findOpenEnvironment(environmentId: string): Promise<EnvironmentRecord | undefined> {
  const environment = await findEnvironment(environmentId);
  return environment?.suspendedAt === undefined ? environment : undefined;
}

/**
 * Finds an environment that is not deleted, with its settings. It reads nothing while the environment is cached, which the
 * authentication by a key does as well; otherwise it takes one GetItem. Every instance sees changed settings within five
 * seconds (GATEHOUSE_CREDENTIAL_CACHE_MS).
 */
export const findEnvironment = (environmentId: string): Promise<EnvironmentRecord | undefined> =>
  cached.load(environmentId, () => readEnvironment(environmentId));
