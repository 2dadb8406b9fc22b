import { systemActor } from '../../../../kernel/authentication/caller.ts';
import { composeKey } from '../../../../kernel/authentication/secret-key.ts';
import { clock } from '../../../../kernel/clock.ts';
import { readUlid } from '../../../../kernel/id-format.ts';
import { toBase62 } from '../../../../kernel/keys/hash.ts';
import { keyPurpose } from '../../../../kernel/keys/key-wrapper.ts';
import { serverSecret } from '../../../../kernel/keys/server-secret.ts';
import { applyWork } from '../../../../kernel/storage/background.ts';
import { ownerKey } from '../../../../kernel/storage/record.ts';
import { admitMinting } from '../../trust/public.ts';
import { type PortalSession, readSessionProofs } from '../session/session.ts';
import { PORTAL_GRANT_PREFIX, portalGrants } from './entity.ts';

/** Seconds for which a grant is valid. */
export const PORTAL_GRANT_SECONDS = 600;
/** Seconds for which a session uses one grant: well before its end, so that no call of a page meets an expired one. */
const TURN_SECONDS = 300;

/** Only the portal's function may decrypt this secret (need `portal-key`), so the person who has the cookie cannot compute a grant. */
const derive = serverSecret('portal-secret', keyPurpose('portal-grants'));

/**
 * Returns the grant of a session, which is made if there is none for this time: one GetItem, and a write every five minutes.
 * Its value is derived from the session's cookie and a secret of the server, so that neither it nor anything that leads to it is stored.
 * @param cookie The value of the session's cookie.
 */
export async function obtainPortalGrant(
  environmentId: string,
  cookie: string,
  session: PortalSession,
): Promise<string> {
  const { facts, authority: proofs } = admitMinting(readSessionProofs(session), session.organizationId);
  const [{ organizationId }, sessionHash] = [facts, session.hash];
  const turn = Math.floor(clock.seconds() / TURN_SECONDS);
  const secret = toBase62(Buffer.from(await derive(environmentId, `${turn}\n${cookie}`)));
  const { value, hash } = composeKey(PORTAL_GRANT_PREFIX, readUlid(environmentId), secret);
  if ((await portalGrants.get(environmentId, hash)) !== undefined) return value;
  await applyWork(environmentId, systemActor, async (unit) => {
    // Another request of the session may have made the grant in the meantime.
    if ((await portalGrants.get(environmentId, hash)) !== undefined) return;
    const owner = ownerKey('organization', organizationId);
    const expiresAt = clock.seconds() + PORTAL_GRANT_SECONDS;
    unit.stage(
      portalGrants.create({ environmentId, id: hash, owner, organizationId, sessionHash, proofs, expiresAt }).write,
    );
  });
  return value;
}
