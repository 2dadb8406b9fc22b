import { clock } from '../clock.ts';
import { awaitAll } from '../concurrency.ts';
import { TtlCache } from '../memory.ts';
import { credentialCacheMs } from '../settings.ts';
import type { Caller } from './caller.ts';
import { environmentIdOf } from './environment-id.ts';
import { findEnvironment } from './environment.ts';
import { type GrantRecord, grants, type OperatorRights } from './grant-entity.ts';
import { isOperatorSignedIn } from './operator-sessions.ts';
import { readKey } from './secret-key.ts';

/** The prefix of the values of grants. */
export const GRANT_PREFIX = 'grant_';

/** Callers by the hash of their grant, for as long as keys are cached. */
const cached = new TtlCache<{ caller: Caller; expiresAt: number }>(1_000, credentialCacheMs);

/** Clears the cache, for a runtime whose table was emptied. */
export const forgetGrants = (): void => cached.clear();

/**
 * Finds the operator who is the caller of a grant; undefined for any other text. The operator's session of the console is read at each
 * call, so a grant ends with it. The grant of an export outlives the session: it reads one list, for work that continues without it.
 */
export async function findOperatorGrantee(token: string): Promise<Caller | undefined> {
  const key = readKey(GRANT_PREFIX, token);
  if (key === undefined) return undefined;
  const environmentId = environmentIdOf(key.ulid);
  const found = await cached.load(key.hash, async () => {
    const reads = [grants.get(environmentId, key.hash), findEnvironment(environmentId)] as const;
    const [grant, environment] = await awaitAll(reads);
    const caller = grant && makeGrantee(environmentId, token, grant);
    return caller && environment && { caller, expiresAt: grant.expiresAt ?? 0 };
  });
  if (found === undefined || found.expiresAt <= clock.seconds()) return undefined;
  const { actor, operator } = found.caller;
  const isSignedIn = operator?.only !== undefined || (await isOperatorSignedIn(actor.id, operator?.sessionHash ?? ''));
  return isSignedIn ? found.caller : undefined;
}

/** The caller of a grant; undefined for one from before the portal had its own, which has no operator. */
function makeGrantee(environmentId: string, proof: string, grant: GrantRecord): Caller | undefined {
  const { actorId: id, actorName: name = null } = grant;
  if (grant.operator === undefined) return undefined;
  const { permissions, ...rights } = grant.operator as OperatorRights;
  const actor = { id, source: 'dashboard' as const, name };
  return { environmentId, actor, proof, operator: { ...rights, permissions: new Set(permissions) } };
}
