import { hkdfSync } from 'node:crypto';

import { clock } from '../clock.ts';
import { readUlid } from '../id-format.ts';
import { sha256Hex, toBase62 } from '../keys/hash.ts';
import { applyWork } from '../storage/background.ts';
import { ENVIRONMENT_OWNER, ownerKey } from '../storage/record.ts';
import type { Write } from '../storage/write.ts';
import { apiKey, bearerToken } from './api-key.ts';
import { type Actor, type Authenticator, type CallingOperator, type ConcernedCall, systemActor } from './caller.ts';
import { grants, type OnlyCall, type OperatorRights } from './grant-entity.ts';
import { findGrantee, GRANT_PREFIX } from './grantee.ts';
import type { OperatorPermission } from './operator-permission.ts';
import { composeKey, type MintedKey, mintKey } from './secret-key.ts';

/** Seconds for which a grant is valid. */
export const GRANT_SECONDS = 600;
/** Seconds for which a session uses one grant: well before its end, so that no call of a page meets an expired one. */
const TURN_SECONDS = 300;

/** The rights of a grant, and the actor of its changes. */
export type GrantRights = { actor: { id: string; name: string | null } } & (
  | {
      organizationId: string;
      /** Ids of operations whose authenticator is {@link keyOrGrant}. */
      operations: readonly string[];
    }
  | { operator: OperatorRights }
);

/**
 * An environment's secret key, or a grant: for operations that a portal of the service calls in the name of a person.
 * @param findOrganization Finds the organization that a call concerns; a grant of another one is rejected like an unknown id.
 */
export const keyOrGrant = (findOrganization: NonNullable<Authenticator['findOrganization']>): Authenticator => ({
  ...apiKey,
  authenticate: async (request) => (await apiKey.authenticate(request)) ?? findGrantee(bearerToken(request) ?? ''),
  findOrganization,
});

/** Finds the organization in the path of a request. */
export const inPath =
  (name: string) =>
  ({ params }: ConcernedCall): string | undefined =>
    params[name];

/** Finds the organization in a member of the body. */
export const inBody =
  (name: string) =>
  ({ body }: ConcernedCall): string | undefined =>
    (body as Record<string, string | undefined> | undefined)?.[name];

/** Finds the organization in a member of the query. */
export const inQuery =
  (name: string) =>
  ({ query }: ConcernedCall): string | undefined =>
    (query as Record<string, string | undefined> | undefined)?.[name];

/**
 * Returns the grant of a session, which is made if there is none for this time: one GetItem, and a write every five minutes.
 * Its value is derived from the session's secret (HKDF, RFC 5869), so that neither it nor anything that leads to it is stored.
 * @param secret The value of the session's cookie.
 */
export async function obtainGrant(environmentId: string, secret: string, rights: GrantRights): Promise<string> {
  const { value, hash } = deriveGrant(environmentId, secret, currentTurn(), rights);
  if ((await grants.get(environmentId, hash)) !== undefined) return value;
  const { actor, ...limits } = rights;
  await applyWork(environmentId, systemActor, async (unit) => {
    // Another request of the session may have made the grant in the meantime.
    if ((await grants.get(environmentId, hash)) !== undefined) return;
    const { write } = grants.create({
      environmentId,
      id: hash,
      ...('operator' in limits
        ? { owner: ENVIRONMENT_OWNER, operator: limits.operator }
        : {
            owner: ownerKey('organization', limits.organizationId),
            organizationId: limits.organizationId,
            operations: [...limits.operations],
          }),
      actorId: actor.id,
      ...(actor.name === null ? {} : { actorName: actor.name }),
      expiresAt: clock.seconds() + GRANT_SECONDS,
    });
    unit.stage(write);
  });
  return value;
}

/** Seconds for which the grant of an export is valid. */
export const LIST_GRANT_SECONDS = 3_600;

/**
 * Makes a grant that allows an operator's background work to read one list, and nothing else: it has none of the operator's other
 * permissions, and no proof of identity.
 * @param permission the permission of the list
 * @returns its value, which the caller stores encrypted, and its row
 */
export function makeListGrant(
  environmentId: string,
  { actor, operator }: { actor: Actor; operator: CallingOperator },
  permission: OperatorPermission,
  only: OnlyCall,
): { value: string; hash: string; write: Write } {
  const { value, hash } = mintKey(GRANT_PREFIX, readUlid(environmentId));
  const { roles, sessionHash, address } = operator;
  const { write } = grants.create({
    environmentId,
    id: hash,
    owner: ENVIRONMENT_OWNER,
    operator: {
      permissions: [permission],
      roles,
      sessionHash,
      address,
      steppedUpUntil: 0,
      only,
    } satisfies OperatorRights,
    actorId: actor.id,
    ...(actor.name === null ? {} : { actorName: actor.name }),
    expiresAt: clock.seconds() + LIST_GRANT_SECONDS,
  });
  return { value, hash, write };
}

/** The removal of a grant by the hash of its value. Functions that have cached it accept it for up to five seconds. */
export const removeGrant = (environmentId: string, hash: string): Write =>
  grants.removeByKey({ environmentId, id: hash });

/** Removes the grants of a portal's session that ends. Functions that have cached one accept it for up to five seconds. */
export function endGrants(environmentId: string, secret: string): Write[] {
  const turns = [currentTurn(), currentTurn() - 1, currentTurn() - 2];
  return turns.map((turn) => grants.removeByKey({ environmentId, id: deriveGrant(environmentId, secret, turn).hash }));
}

const currentTurn = (): number => Math.floor(clock.seconds() / TURN_SECONDS);

/** An operator's grant depends on the rights too: one with other rights is another grant, which no function has cached. */
function deriveGrant(environmentId: string, secret: string, turn: number, rights?: GrantRights): MintedKey {
  const isOfOperator = rights !== undefined && 'operator' in rights;
  const purpose = isOfOperator ? `operator ${sha256Hex(JSON.stringify(rights))} ${turn}` : `grant ${turn}`;
  const bytes = hkdfSync('sha256', secret, environmentId, purpose, 32);
  return composeKey(GRANT_PREFIX, readUlid(environmentId), toBase62(Buffer.from(bytes)));
}
