import { clock } from '../clock.ts';
import { awaitAll } from '../concurrency.ts';
import { TtlCache } from '../memory.ts';
import { settings } from '../settings.ts';
import type { Caller } from './caller.ts';
import { environmentIdOf } from './environment-id.ts';
import { findEnvironment } from './environment.ts';
import { type GrantRecord, grants, type OperatorRights } from './grant-entity.ts';
import { readKey } from './secret-key.ts';

/** The prefix of the values of grants. */
export const GRANT_PREFIX = 'grant_';

/** Callers by the hash of their grant, for as long as keys are cached. */
const cached = new TtlCache<{ caller: Caller; expiresAt: number }>(1_000);

/** Clears the cache, for a runtime whose table was emptied. */
export const forgetGrants = (): void => cached.clear();

/** Finds the operator who is the caller of a grant; undefined for any other text, and for the grant of a portal. */
export async function findOperatorGrantee(token: string): Promise<Caller | undefined> {
  const caller = await findGrantee(token);
  return caller?.operator === undefined ? undefined : caller;
}

/** Finds the caller of a grant. It reads nothing for a malformed token, nor for a cached one. */
export async function findGrantee(token: string): Promise<Caller | undefined> {
  const key = readKey(GRANT_PREFIX, token);
  if (key === undefined) return undefined;
  const known = cached.get(key.hash);
  if (known !== undefined) return known.expiresAt > clock.seconds() ? known.caller : undefined;
  const environmentId = environmentIdOf(key.ulid);
  const [grant, environment] = await awaitAll([grants.get(environmentId, key.hash), findEnvironment(environmentId)]);
  const expiresAt = grant?.expiresAt ?? 0;
  if (grant === undefined || environment === undefined || expiresAt <= clock.seconds()) return undefined;
  const caller = makeGrantee(environmentId, token, grant);
  cached.set(key.hash, { caller, expiresAt }, settings().GATEHOUSE_CREDENTIAL_CACHE_MS);
  return caller;
}

function makeGrantee(environmentId: string, proof: string, grant: GrantRecord): Caller {
  const { organizationId = '', operations = [], actorId: id, actorName: name = null } = grant;
  const operator = grant.operator as OperatorRights | undefined;
  if (operator === undefined) {
    const actor = { id, source: 'admin_portal' as const, name };
    return { environmentId, actor, proof, grant: { organizationId, operations } };
  }
  const { permissions, ...rights } = operator;
  const actor = { id, source: 'dashboard' as const, name };
  return { environmentId, actor, proof, operator: { ...rights, permissions: new Set(permissions) } };
}
