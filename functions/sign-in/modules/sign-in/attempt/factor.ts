import { isOperatorsEnvironment } from '../../../../kernel/authentication/environment-id.ts';
import { clock } from '../../../../kernel/clock.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { wrongFactorCodesMail } from '../../../../kernel/messages/templates/account-notice.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import {
  type ChallengeOutcome,
  checkChallenge,
  countRecoveryCodes,
  type FactorRecord,
  presentFactor,
  stageChallenge,
} from '../../../../proofs/mfa/public.ts';
import { findPasskeys, findRelyingParty, type PasskeyRecord } from '../../../../proofs/passkeys/public.ts';
import { findPagesHost } from '../../../../kernel/pages/host.ts';
import { findSettings } from '../../../../kernel/environment-settings.ts';
import { sha256Hex } from '../../../../kernel/keys/hash.ts';
import { type SignInSettings, signInSettings } from '../../../../proofs/modules/email-proofs/public.ts';
import { composeNotice, presentUser, type UserRecord } from '../../../../tenancy/modules/users/public.ts';
import type { Attempt, SignIn } from './attempt.ts';
import { asksSecondFactor } from '../../../../proofs/modules/sign-in-checks/public.ts';
import { usableFactors } from './prefetch.ts';
import { rejectWhenRateLimited, waitFor } from './wait.ts';
import { may, type DenialReason } from '../../../../tenancy/modules/trust/public.ts';
import { findCovering, readAuthority } from './authority.ts';

/**
 * Requires a second factor if the environment does, and challenges the first proven one, an app before a phone number. A
 * user without factors must enroll one if the environment requires it. Returns undefined if none is required.
 */
export async function askForFactor(
  unit: Unit,
  attempt: Attempt,
  { mfa, methods }: SignInSettings,
  { isClaimed }: { isClaimed: boolean },
): Promise<SignIn | undefined> {
  const { environmentId, user, proofs } = attempt;
  // An account at a connection is linked only after a sign-in with everything that the user has.
  const isLinking = attempt.flow?.link !== undefined;
  const isAsked = attempt.needsFactor === true || ((mfa !== 'off' || isLinking) && asksSecondFactor(attempt.method));
  if (proofs.mfa || !isAsked) return undefined;
  const proven = isClaimed ? [] : await (attempt.read?.factors ?? usableFactors(environmentId, user.id));
  const factor = proven.find(({ type }) => type === 'totp') ?? proven[0];
  const isRequired = mfa === 'required' || attempt.needsFactor === true;
  const passkeys = isClaimed ? [] : await usablePasskeys(attempt, methods.passkey);
  if (isTrusted(attempt, hashFactors(proven, passkeys))) return undefined;
  if (factor === undefined) {
    if (isAskedFor(passkeys, isRequired)) return askForPasskey(unit, attempt, passkeys);
    if (!isRequired) return undefined;
    const enrolment = await askEnrolment(attempt);
    if (!enrolment.isAllowed) return rejectEnrolment(enrolment.reason);
    return waitFor(unit, attempt, 'mfa_enrollment', { members: { user: presentUser(user) } });
  }
  const challenge = await rejectWhenRateLimited(() =>
    stageChallenge(unit, factor, { host: attempt.flow && findPagesHost() }),
  );
  if ('kind' in challenge) return challenge;
  return waitFor(unit, attempt, 'mfa_challenge', {
    challengeId: challenge.record.id,
    members: {
      authentication_challenge: challenge.presented,
      authentication_factors: proven.map(presentFactor),
      ...(attempt.flow !== undefined && (await listFurtherFactors(attempt, passkeys))),
      user: presentUser(user),
    },
  });
}

/** Asks whether this sign-in may enroll a factor: never an operator's, and never by the word of an organization that does not cover the account. */
async function askEnrolment(attempt: Attempt) {
  const authority = readAuthority(attempt);
  const covering = await findCovering(authority, attempt.user);
  return may(authority, { act: 'enroll_factor', covering, isOperator: isOperatorsEnvironment(attempt.environmentId) });
}

const rejectEnrolment = (reason: DenialReason): SignIn =>
  reason === 'operator_link_required' ? rejectOperator() : { kind: 'rejected', code: 'own_sign_in_required' };

/**
 * Rejects an operator without a second factor. Otherwise anyone with access to the mailbox could set a password by mail and then add
 * a factor of their own. An operator adds the first factor on the account page, which a link into the console opens.
 */
const rejectOperator = (): SignIn => ({
  kind: 'rejected',
  code: 'access_denied',
  message: 'This operator has no second factor yet. Ask an owner for a link into the console, and add one there.',
});

/**
 * Reports whether the browser of an attempt is trusted with these factors. It never counts where a connection requires a
 * factor, where an account is linked, or where Radar demands a further proof.
 */
const isTrusted = ({ trustedFactors, needsFactor, risk, flow }: Attempt, factors: string | undefined): boolean =>
  needsFactor !== true &&
  flow?.link === undefined &&
  risk?.verdict !== 'challenge' &&
  trustedFactors !== undefined &&
  trustedFactors === factors;

/** A hash of second factors; undefined for a user without any, who has nothing to be trusted for. */
const hashFactors = (factors: readonly FactorRecord[], passkeys: readonly PasskeyRecord[]): string | undefined =>
  factors.length + passkeys.length === 0
    ? undefined
    : sha256Hex(
        [...factors, ...passkeys]
          .map(({ id }) => id)
          .sort()
          .join(' '),
      );

/**
 * The hash of a user's second factors, for the trust in a browser: see `Attempt.trustedFactors`. It takes two reads in
 * parallel. Undefined for a user without second factors.
 */
export async function findFactorHash({ environmentId, id }: UserRecord): Promise<string | undefined> {
  const { methods } = await findSettings(environmentId, signInSettings);
  const [factors, passkeys] = await awaitAll([
    usableFactors(environmentId, id),
    usablePasskeys({ environmentId, user: { id } }, methods.passkey),
  ]);
  return hashFactors(factors, passkeys);
}

interface Owner {
  environmentId: string;
  user: Pick<UserRecord, 'id'>;
}

/** The passkeys of the user that browsers offer here; none if passkeys are disabled. */
async function usablePasskeys(
  { environmentId, user }: Owner,
  isEnabled: boolean,
  read = (): Promise<PasskeyRecord[]> => findPasskeys(environmentId, user.id),
): Promise<PasskeyRecord[]> {
  const relyingParty = isEnabled ? findRelyingParty() : undefined;
  if (relyingParty === undefined) return [];
  return (await read()).filter(({ rpId }) => rpId === relyingParty.id);
}

/**
 * Reports whether a user without another second factor is asked for one of these passkeys. A passkey that never verified its
 * user can only be a second factor, so its owner is asked for it even if the environment requires none.
 */
const isAskedFor = (passkeys: readonly PasskeyRecord[], isRequired: boolean): boolean =>
  passkeys.length > 0 && (isRequired || passkeys.some(({ verifiesUser }) => !verifiesUser));

/**
 * Reports whether a sign-in asks the user for a passkey, if the user has no other second factor.
 * @param read reads the user's passkeys
 */
export const asksForPasskey = async (
  owner: Owner,
  { mfa, methods }: SignInSettings,
  read: () => Promise<PasskeyRecord[]>,
): Promise<boolean> =>
  mfa !== 'off' && isAskedFor(await usablePasskeys(owner, methods.passkey, read), mfa === 'required');

/** The second factors that only the hosted pages ask for. */
const listFurtherFactors = async ({ environmentId, user }: Attempt, passkeys: readonly PasskeyRecord[]) => ({
  passkeys: passkeys.length > 0,
  recovery_codes: (await countRecoveryCodes(environmentId, user.id)) > 0,
});

/**
 * Requires a passkey as the only second factor of a user. Only the hosted pages can ask for it; a grant rejects the sign-in,
 * because an enrolment of a weaker factor in its place would make a stolen password sufficient.
 */
async function askForPasskey(unit: Unit, attempt: Attempt, passkeys: readonly PasskeyRecord[]): Promise<SignIn> {
  if (attempt.flow === undefined) return { kind: 'rejected', code: 'passkey_required' };
  return waitFor(unit, attempt, 'mfa_challenge', {
    members: {
      authentication_factors: [],
      ...(await listFurtherFactors(attempt, passkeys)),
      user: presentUser(attempt.user),
    },
  });
}

/**
 * Checks the code of a second factor after a first proof. From the fifth wrong code of a day on, the user is notified by
 * mail once a day, since only a client with the first factor can get here. The mail is staged, so the caller commits it
 * with the failure.
 */
export function checkFactorCode(
  unit: Unit,
  user: UserRecord,
  challengeId: string,
  code: string,
): Promise<ChallengeOutcome> {
  return checkChallenge(unit, user.environmentId, challengeId, code, {
    userId: user.id,
    composeNotice: () => composeNotice(user, wrongFactorCodesMail, { at: clock.timestamp() }),
  });
}
