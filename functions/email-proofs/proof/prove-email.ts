import type { BusDetail } from '../../kernel/http/worker.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { stageRemovalOfFactors } from '../../mfa/public.ts';
import { stageRemovalOfRadarPhone } from '../../radar/public.ts';
import { stageRevocationOfAll } from '../../sessions/public.ts';
import { type IdentityName, stageRemovalOfIdentities, stageRemovalOfPassword } from '../../credentials/public.ts';
import { hasProvedAddress, stageEndOfBegun, stageUserChange, type UserRecord } from '../../users/public.ts';

/** What was there before the proof and stays, because whoever proves the address is known to have put it there. */
export interface Kept {
  /** The proof continues the sign-up in which this password was chosen, or the caller sets another one in the same unit. */
  password?: boolean;
  /** The telephone of risky sign-ins too. */
  factors?: boolean;
  /** All of them, or the one by which the user signs in now. */
  identities?: boolean | IdentityName;
  /** The caller revokes them in the same unit, or answers for them. */
  sessions?: boolean;
  /** The user's API keys and connected accounts. */
  access?: boolean;
}

/** For proofs that the environment's own back end vouches for. */
export const ALL_KEPT: Kept = { password: true, factors: true, identities: true, sessions: true, access: true };

/**
 * Stages that a user has proved to read their address; nothing where that was proved before.
 *
 * Anybody can open an account under an address that is not theirs and wait for its owner to come ("Pre-hijacked
 * accounts", Sudhodanan and Paverd, USENIX Security 2022). So the first proof removes what was there before it: password, factors,
 * identities and sessions, and what was begun (reset links, pending sign-ins, a change of the address). API keys and connected
 * accounts, of which there may be many, are invalid under the raised `ownershipEpoch`; their areas remove them.
 *
 * An account of which another address was proved before has an owner, whose second factor must outlast a change of the address:
 * its factors, telephone and identities stay, and whoever reads the new mailbox is asked for the factor.
 *
 * @param kept What does not go; nothing unless said.
 * @returns the user as the unit leaves it: further steps start from that
 */
export async function proveEmail(
  unit: Unit<'user.updated' | 'session.revoked'>,
  user: UserRecord,
  kept: Kept = {},
): Promise<UserRecord> {
  if (user.emailVerified) return user;
  const { environmentId, id } = user;
  const isFirst = !hasProvedAddress(user);
  await Promise.all([
    kept.password ? undefined : stageRemovalOfPassword(unit, environmentId, id),
    kept.factors || !isFirst ? undefined : stageRemovalOfFactors(unit, environmentId, id),
    kept.factors || !isFirst ? undefined : stageRemovalOfRadarPhone(unit, environmentId, id),
    kept.identities === true || !isFirst
      ? undefined
      : stageRemovalOfIdentities(unit, environmentId, id, kept.identities || undefined),
    kept.sessions ? undefined : stageRevocationOfAll(unit, environmentId, id),
  ]);
  const { ownershipEpoch = 0 } = user;
  const raised = isFirst && !kept.access ? { ownershipEpoch: ownershipEpoch + 1 } : {};
  return stageEndOfBegun(unit, stageUserChange(unit, user, { emailVerified: true, ...raised }));
}

/** Whether an event tells that an address of a user was proved, which may be the first proof of the account. */
export function tellsOfProof({ event, context }: BusDetail): boolean {
  const { previous_attributes: previous } = (context ?? {}) as { previous_attributes?: { email_verified?: boolean } };
  return event === 'user.updated' && previous?.email_verified === false;
}
