import { hkdfSync } from 'node:crypto';

import { clock } from '../clock.ts';
import type { IncomingRequest } from '../http/incoming-request.ts';
import { readUlid } from '../id-format.ts';
import { toBase62 } from '../keys/hash.ts';
import { TtlCache } from '../memory.ts';
import { settings } from '../settings.ts';
import { applyWork } from '../storage/background.ts';
import { ownerKey } from '../storage/record.ts';
import type { Write } from '../storage/write.ts';
import { apiKey, bearerToken, environmentIdOf } from './api-key.ts';
import { type Authenticator, type Caller, type ConcernedCall, systemActor } from './caller.ts';
import { findEnvironment } from './environment.ts';
import { grants } from './grant-entity.ts';
import { composeKey, type MintedKey, readKey } from './secret-key.ts';

/** The prefix of the values of grants. */
const GRANT_PREFIX = 'grant_';
/** Seconds for which a grant is valid. */
export const GRANT_SECONDS = 600;
/** Seconds for which a session uses one grant: well before its end, so that no call of a page meets an expired one. */
const TURN_SECONDS = 300;

/** The rights of a grant: some operations on the records of one organization, and the actor of its changes. */
export interface GrantRights {
  organizationId: string;
  /** Ids of operations whose authenticator is {@link keyOrGrant}. */
  operations: readonly string[];
  actor: { id: string; name: string | null };
}

/** Callers by the hash of their grant, for as long as keys are cached. */
const remembered = new TtlCache<{ caller: Caller; expiresAt: number }>(1_000);

/** Clears the cache, for a runtime whose table was emptied. */
export const forgetGrants = (): void => remembered.clear();

/**
 * An environment's secret key, or a grant: for operations that a portal of the service calls in the name of a person.
 * @param findOrganization Finds the organization that a call concerns; a grant of another one is rejected like an unknown id.
 */
export const keyOrGrant = (findOrganization: NonNullable<Authenticator['findOrganization']>): Authenticator => ({
  ...apiKey,
  authenticate: async (request) => (await apiKey.authenticate(request)) ?? findGrantee(request),
  findOrganization,
});

/** The organization that a path names. */
export const inPath =
  (name: string) =>
  ({ params }: ConcernedCall): string | undefined =>
    params[name];

/** The organization that a member of the body names. */
export const inBody =
  (name: string) =>
  ({ body }: ConcernedCall): string | undefined =>
    (body as Record<string, string | undefined> | undefined)?.[name];

/** The organization that a member of the query names. */
export const inQuery =
  (name: string) =>
  ({ query }: ConcernedCall): string | undefined =>
    (query as Record<string, string | undefined> | undefined)?.[name];

async function findGrantee(request: IncomingRequest): Promise<Caller | undefined> {
  const token = bearerToken(request) ?? '';
  const key = readKey(GRANT_PREFIX, token);
  if (key === undefined) return undefined;
  const known = remembered.get(key.hash);
  if (known !== undefined) return known.expiresAt > clock.seconds() ? known.caller : undefined;
  const environmentId = environmentIdOf(key.ulid);
  const [grant, environment] = await Promise.all([grants.get(environmentId, key.hash), findEnvironment(environmentId)]);
  const expiresAt = grant?.expiresAt ?? 0;
  if (grant === undefined || environment === undefined || expiresAt <= clock.seconds()) return undefined;
  const { organizationId, operations, actorId: id, actorName: name = null } = grant;
  const actor = { id, source: 'admin_portal' as const, name };
  const caller: Caller = { environmentId, actor, proof: token, grant: { organizationId, operations } };
  remembered.set(key.hash, { caller, expiresAt }, settings().GATEHOUSE_CREDENTIAL_CACHE_MS);
  return caller;
}

/**
 * Returns the grant of a session, which is made if there is none for this time: one GetItem, and a write every five minutes.
 * Its value is derived from the session's secret (HKDF, RFC 5869), so that neither it nor anything that leads to it is stored.
 * @param secret The value of the session's cookie.
 */
export async function obtainGrant(environmentId: string, secret: string, rights: GrantRights): Promise<string> {
  const { value, hash } = deriveGrant(environmentId, secret, currentTurn());
  if ((await grants.get(environmentId, hash)) !== undefined) return value;
  const { organizationId, operations, actor } = rights;
  await applyWork(environmentId, systemActor, async (unit) => {
    // Another request of the session may have made the grant in the meantime.
    if ((await grants.get(environmentId, hash)) !== undefined) return;
    const { write } = grants.create({
      environmentId,
      id: hash,
      owner: ownerKey('organization', organizationId),
      organizationId,
      operations: [...operations],
      actorId: actor.id,
      ...(actor.name === null ? {} : { actorName: actor.name }),
      expiresAt: clock.seconds() + GRANT_SECONDS,
    });
    unit.stage(write);
  });
  return value;
}

/** Removes the grants of a session that ends. Functions that have cached one accept it for up to five seconds. */
export function endGrants(environmentId: string, secret: string): Write[] {
  const turns = [currentTurn(), currentTurn() - 1, currentTurn() - 2];
  return turns.map((turn) => grants.removeByKey({ environmentId, id: deriveGrant(environmentId, secret, turn).hash }));
}

const currentTurn = (): number => Math.floor(clock.seconds() / TURN_SECONDS);

function deriveGrant(environmentId: string, secret: string, turn: number): MintedKey {
  const bytes = hkdfSync('sha256', secret, environmentId, `grant ${turn}`, 32);
  return composeKey(GRANT_PREFIX, readUlid(environmentId), toBase62(Buffer.from(bytes)));
}
