import { hkdfSync } from 'node:crypto';

import { clock } from '../clock.ts';
import { readUlid } from '../id-format.ts';
import { sha256Hex, toBase62 } from '../keys/hash.ts';
import { applyWork } from '../storage/background.ts';
import { ENVIRONMENT_OWNER } from '../storage/record.ts';
import type { Write } from '../storage/write.ts';
import { type Actor, type CallingOperator, systemActor } from './caller.ts';
import { grants, type OnlyCall, type OperatorRights } from './grant-entity.ts';
import { GRANT_PREFIX } from './grantee.ts';
import type { OperatorPermission } from './operator-permission.ts';
import { composeKey, type MintedKey, mintKey } from './secret-key.ts';

/** Seconds for which a grant is valid. */
export const GRANT_SECONDS = 600;
/** Seconds for which a session uses one grant: well before its end, so that no call of a page meets an expired one. */
const TURN_SECONDS = 300;

/** The rights of an operator's grant, and the actor of its changes. */
export interface GrantRights {
  actor: { id: string; name: string | null };
  operator: OperatorRights;
}

/**
 * Returns the grant of an operator's session, which is made if there is none for this time: one GetItem, and a write every five
 * minutes. Its value is derived from a secret (HKDF, RFC 5869), so that neither it nor anything that leads to it is stored.
 * @param secret follows from the value of the session's cookie and a secret of the server, so that the holder of the cookie has not
 *   all of its inputs
 */
export async function obtainGrant(environmentId: string, secret: string, rights: GrantRights): Promise<string> {
  const { value, hash } = deriveGrant(environmentId, secret, currentTurn(), rights);
  if ((await grants.get(environmentId, hash)) !== undefined) return value;
  const { actor, operator } = rights;
  await applyWork(environmentId, systemActor, async (unit) => {
    // Another request of the session may have made the grant in the meantime.
    if ((await grants.get(environmentId, hash)) !== undefined) return;
    const { write } = grants.create({
      environmentId,
      id: hash,
      owner: ENVIRONMENT_OWNER,
      operator,
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

const currentTurn = (): number => Math.floor(clock.seconds() / TURN_SECONDS);

/** A grant depends on the rights too: one with other rights is another grant, which no function has cached. */
function deriveGrant(environmentId: string, secret: string, turn: number, rights: GrantRights): MintedKey {
  const purpose = `operator ${sha256Hex(JSON.stringify(rights))} ${turn}`;
  const bytes = hkdfSync('sha256', secret, environmentId, purpose, 32);
  return composeKey(GRANT_PREFIX, readUlid(environmentId), toBase62(Buffer.from(bytes)));
}
