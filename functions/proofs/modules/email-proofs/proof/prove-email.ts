import { awaitAll } from '../../../../kernel/concurrency.ts';
import type { BusDetail } from '../../../../kernel/events/detail.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import { stageRemovalOfFactors } from '../../../mfa/public.ts';
import { stageRemovalOfPasskeys } from '../../../passkeys/public.ts';
import { stageRemovalOfRadarPhone } from '../../../radar/public.ts';
import { stageRevocationOfAll } from '../../../../tenancy/sessions/public.ts';
import { type IdentityName, stageRemovalOfIdentities, stageRemovalOfPassword } from '../../credentials/public.ts';
import {
  hasProvedAddress,
  invalidatePendingCredentials,
  stageUserChange,
  type UserRecord,
} from '../../../../tenancy/modules/users/public.ts';

/**
 * Credentials that were set before the proof and are kept, because they are known to belong to the user who proves the
 * address.
 */
export interface PreservedCredentials {
  /**
   * True if the proof continues the sign-up in which this password was chosen, or the caller sets another one in the same
   * unit of work.
   */
  password?: boolean;
  /** True if factors and passkeys are kept, and also the phone number for risky sign-ins. */
  factors?: boolean;
  /** All identities, or the one with which the user signs in now. */
  identities?: boolean | IdentityName;
  /** True if the caller revokes the sessions in the same unit of work, or is responsible for them. */
  sessions?: boolean;
  /** True if the user's API keys and connected accounts are kept. */
  access?: boolean;
}

/** All credentials, for proofs that the environment's own back end asserts. */
export const PRESERVE_ALL: PreservedCredentials = {
  password: true,
  factors: true,
  identities: true,
  sessions: true,
  access: true,
};

/**
 * Stages that a user has verified their address. It has no effect if the address was verified before. An attacker can open
 * an account with another person's address and wait for the owner to come ("Pre-hijacked accounts", Sudhodanan and Paverd,
 * USENIX Security 2022). So the first proof removes the password, factors, passkeys, identities and sessions from before it,
 * and invalidates reset links, pending sign-ins and a change of the address. API keys and connected accounts, of which there
 * may be many, are invalid under the raised `ownershipEpoch`; their areas remove them. If another address of the account was
 * verified before, the account has an owner, whose second factor must survive a change of the address. So its factors, phone
 * number and identities stay, and a sign-in with the new mailbox requires the factor.
 * @param kept Credentials that stay; none by default.
 * @returns the user as the unit leaves it: further steps continue with it
 */
export async function proveEmail(
  unit: Unit<'user.updated' | 'session.revoked'>,
  user: UserRecord,
  kept: PreservedCredentials = {},
): Promise<UserRecord> {
  if (user.emailVerified) return user;
  const { environmentId, id } = user;
  const isFirst = !hasProvedAddress(user);
  await awaitAll([
    kept.password ? undefined : stageRemovalOfPassword(unit, environmentId, id),
    kept.factors || !isFirst ? undefined : stageRemovalOfFactors(unit, environmentId, id),
    kept.factors || !isFirst ? undefined : stageRemovalOfPasskeys(unit, environmentId, id),
    kept.factors || !isFirst ? undefined : stageRemovalOfRadarPhone(unit, environmentId, id),
    kept.identities === true || !isFirst
      ? undefined
      : stageRemovalOfIdentities(unit, environmentId, id, { kept: kept.identities || undefined }),
    kept.sessions ? undefined : stageRevocationOfAll(unit, environmentId, id),
  ]);
  const { ownershipEpoch = 0 } = user;
  const raised = isFirst && !kept.access ? { ownershipEpoch: ownershipEpoch + 1 } : {};
  return invalidatePendingCredentials(unit, stageUserChange(unit, user, { emailVerified: true, ...raised }));
}

/** Reports whether an event means that a user's address was verified, possibly for the first time. */
export function notifiesOfProof({ event, context }: BusDetail): boolean {
  const { previous_attributes: previous } = (context ?? {}) as { previous_attributes?: { email_verified?: boolean } };
  return event === 'user.updated' && previous?.email_verified === false;
}
