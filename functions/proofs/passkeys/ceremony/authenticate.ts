import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { constantTimeEqual } from '../../../kernel/keys/hash.ts';
import { log } from '../../../kernel/log.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { findUser, type UserRecord } from '../../../tenancy/modules/users/public.ts';
import { findOwnerOfCredential, type PasskeyRecord, passkeys } from '../passkey/entity.ts';
import { findRelyingParty, type RelyingParty } from '../relying-party.ts';
import type { VerifiedResponse } from './apart.ts';
import { type ChallengeRecord, challenges, findChallenge, storeChallenge } from './challenge-entity.ts';
import { requestOptions, type RequestOptions } from './options.ts';
import { type AuthenticationResponse, type Challenged, readAuthentication } from './response.ts';

/** A sign-in for which a passkey is requested. */
export interface PasskeyRequest {
  environmentId: string;
  /** A text that only this page in this browser can repeat. */
  subject: string;
  /** The user whose second factor is required; absent for a first factor, by which the passkey names its user. */
  userId?: string | undefined;
}

/**
 * Begins a sign-in by passkey: stores a challenge, and returns the options for the browser. A first factor requires that
 * the authenticator verifies its user, a second one does not.
 * @param allowed the passkeys of the user of a second factor
 * @returns undefined where browsers offer no passkeys
 */
export async function beginPasskeySignIn(
  { environmentId, subject, userId }: PasskeyRequest,
  allowed: readonly PasskeyRecord[] = [],
): Promise<RequestOptions | undefined> {
  const relyingParty = findRelyingParty();
  if (relyingParty === undefined) return undefined;
  const challenge = await storeChallenge({ environmentId, purpose: 'get', subject, userId });
  const usable = allowed.filter(({ rpId }) => rpId === relyingParty.id);
  return requestOptions(relyingParty, { challenge, allowed: usable, mustVerifyUser: userId === undefined });
}

/**
 * The options of a first factor with a challenge that was stored for an earlier state of the page: a form with errors shows
 * it again. Any other text as challenge only leads to a rejection.
 */
export function repeatPasskeyRequest(challenge: string): RequestOptions | undefined {
  const relyingParty = findRelyingParty();
  if (relyingParty === undefined || !/^[\w-]{43}$/.test(challenge)) return undefined;
  return requestOptions(relyingParty, { challenge, allowed: [], mustVerifyUser: true });
}

/** The reason why a passkey was not accepted. */
export type PasskeyFault =
  /** The response has another form, or its signature, origin, domain or flags are wrong. */
  | 'invalid'
  /** The challenge was used, has expired, or was given to another page or browser. */
  | 'expired'
  /** No user of the environment has the credential: it was deleted, or belongs to another environment or user. */
  | 'unknown'
  /** The authenticator did not verify its user, which a first factor requires. */
  | 'user_not_verified'
  /** The signature counter went backwards: there may be a copy of the authenticator. */
  | 'counter';

/** The result of a sign-in by passkey. */
export type PasskeyOutcome =
  | { kind: 'accepted'; user: UserRecord; passkey: PasskeyRecord }
  | { kind: 'rejected'; fault: PasskeyFault; user?: UserRecord | undefined };

/**
 * Finishes a sign-in by passkey (Web Authentication section 7.2), and stages the use of the challenge and the state of the
 * passkey. **The caller commits them after a rejection too**, so that a challenge is used once, whatever the result.
 * @param text the response of the browser as JSON
 */
export async function finishPasskeySignIn(
  unit: Pick<Unit, 'stage'>,
  { environmentId, subject, userId }: PasskeyRequest,
  text: string,
): Promise<PasskeyOutcome> {
  const relyingParty = findRelyingParty();
  const given = readAuthentication(text);
  if (given === undefined || relyingParty === undefined) return { kind: 'rejected', fault: 'invalid' };
  const [challenge, owner] = await awaitAll([
    findChallenge(environmentId, given.challenge, { purpose: 'get', subject, userId }),
    findOwnerOfCredential(environmentId, given.response.id),
  ]);
  if (challenge === undefined) return { kind: 'rejected', fault: 'expired' };
  unit.stage(challenges.remove(challenge));
  if (owner === undefined || (userId !== undefined && owner.userId !== userId))
    return { kind: 'rejected', fault: 'unknown' };
  const [passkey, user] = await awaitAll([
    passkeys.get(environmentId, owner.passkeyId),
    findUser(environmentId, owner.userId),
  ]);
  if (passkey === undefined || user === undefined) return { kind: 'rejected', fault: 'unknown' };
  const fault = await check(unit, { given, challenge, passkey, relyingParty });
  return fault === undefined ? { kind: 'accepted', user, passkey } : { kind: 'rejected', fault, user };
}

/** Verifies a response of a known passkey, and stages the new state of the passkey. Returns undefined if it is right. */
async function check(
  unit: Pick<Unit, 'stage'>,
  {
    given,
    challenge,
    passkey,
    relyingParty,
  }: {
    given: Challenged<AuthenticationResponse>;
    challenge: ChallengeRecord;
    passkey: PasskeyRecord;
    relyingParty: RelyingParty;
  },
): Promise<PasskeyFault | undefined> {
  const { userHandle } = given.response.response;
  const isOwn = constantTimeEqual(userHandle ?? passkey.userHandle, passkey.userHandle);
  if (!isOwn) return 'unknown';
  const { authenticators } = await import('./apart.ts');
  const verified = await authenticators.verifyAuthentication(given, passkey, relyingParty);
  if (verified === undefined) return 'invalid';
  if (challenge.userId === undefined && !verified.userVerified) return 'user_not_verified';
  if (wentBack(passkey, verified)) {
    log.warn('the counter of a passkey went backwards', { passkey: passkey.id, user: passkey.userId });
    unit.stage(passkeys.revise(passkey, { counterWentBackAt: clock.timestamp() }).write);
    return 'counter';
  }
  const { counter, isBackedUp, userVerified } = verified;
  const verifiesUser = passkey.verifiesUser || userVerified;
  const lastUsedAt = clock.timestamp();
  unit.stage(passkeys.revise(passkey, { counter, isBackedUp, verifiesUser, lastUsedAt }).write);
  return undefined;
}

/** Reports whether a counter is not greater than the stored one. Authenticators that do not count always send 0 (section 6.1.1). */
const wentBack = ({ counter: former }: PasskeyRecord, { counter }: VerifiedResponse): boolean =>
  (counter > 0 || former > 0) && counter <= former;
