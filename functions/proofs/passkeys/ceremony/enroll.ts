import { awaitAll } from '../../../kernel/concurrency.ts';
import { randomSecret } from '../../../kernel/keys/hash.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { UserRecord } from '../../../tenancy/modules/users/public.ts';
import { findOwnerOfCredential, MOST_PASSKEYS, passkeys, type PasskeyRecord, userPasskeys } from '../passkey/entity.ts';
import { stagePasskey } from '../passkey/stage.ts';
import { findRelyingParty } from '../relying-party.ts';
import { challenges, findChallenge, storeChallenge } from './challenge-entity.ts';
import { creationOptions, type CreationOptions } from './options.ts';
import { readRegistration } from './response.ts';

/** An enrolment of a passkey on a page. */
export interface PasskeyEnrolment {
  user: UserRecord;
  /** A text that only this page in this browser can repeat. */
  subject: string;
}

/**
 * Begins an enrolment: stores a challenge, and returns the options for the browser. **The caller has authenticated the user
 * on this page a short time ago.**
 * @param brand the name that the browser shows for the service
 * @returns undefined where browsers offer no passkeys, or if the user has as many as a user may have
 */
export async function beginPasskeyEnrolment(
  { user, subject }: PasskeyEnrolment,
  brand: string,
): Promise<CreationOptions | undefined> {
  const { environmentId, id: userId, email } = user;
  const relyingParty = findRelyingParty();
  const listed = await userPasskeys.get(environmentId, userId);
  const passkeyIds = listed?.passkeyIds ?? [];
  if (relyingParty === undefined || passkeyIds.length >= MOST_PASSKEYS) return undefined;
  const existing = (await passkeys.getMany(environmentId, passkeyIds)).filter(({ rpId }) => rpId === relyingParty.id);
  const handle = listed?.userHandle ?? randomSecret(32, 'base64url');
  const challenge = await storeChallenge({ environmentId, purpose: 'create', subject, userId, userHandle: handle });
  const name = user.name ?? ([user.firstName, user.lastName].filter(Boolean).join(' ') || undefined);
  return creationOptions(relyingParty, { challenge, brand, user: { handle, email, name }, existing });
}

/** The result of an enrolment. */
export type EnrolmentOutcome =
  | { kind: 'enrolled'; passkey: PasskeyRecord }
  /** `taken` means that the environment already has the credential, `too_many` that the user has the maximum. */
  | { kind: 'rejected'; fault: 'invalid' | 'expired' | 'taken' | 'too_many' };

/**
 * Finishes an enrolment (Web Authentication section 7.1): stages the passkey, a mail to its owner, and the use of the
 * challenge. **The caller commits them after a rejection too.**
 * @param text the response of the browser as JSON
 * @param name the name of the passkey; by default a name by its kind
 */
export async function finishPasskeyEnrolment(
  unit: Unit<never>,
  { user, subject }: PasskeyEnrolment,
  text: string,
  name?: string,
): Promise<EnrolmentOutcome> {
  const { environmentId, id: userId } = user;
  const relyingParty = findRelyingParty();
  const given = readRegistration(text);
  if (given === undefined || relyingParty === undefined) return { kind: 'rejected', fault: 'invalid' };
  const [challenge, owner] = await awaitAll([
    findChallenge(environmentId, given.challenge, { purpose: 'create', subject, userId }),
    findOwnerOfCredential(environmentId, given.response.id),
  ]);
  if (challenge === undefined) return { kind: 'rejected', fault: 'expired' };
  unit.stage(challenges.remove(challenge));
  if (owner !== undefined) return { kind: 'rejected', fault: 'taken' };
  const { authenticators } = await import('./apart.ts');
  const verified = await authenticators.verifyRegistration(given, relyingParty);
  if (verified === undefined) return { kind: 'rejected', fault: 'invalid' };
  const { userVerified, ...credential } = verified;
  const passkey = await stagePasskey(unit, user, {
    ...credential,
    verifiesUser: userVerified,
    rpId: relyingParty.id,
    userHandle: challenge.userHandle ?? '',
    transports: given.response.response.transports ?? [],
    name,
  });
  return passkey === undefined ? { kind: 'rejected', fault: 'too_many' } : { kind: 'enrolled', passkey };
}
