import { signInSettings } from '../../../proofs/modules/email-proofs/public.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { mayOfferFactor } from '../../../proofs/mfa/public.ts';
import { findPasskeys } from '../../../proofs/passkeys/public.ts';
import { isPasskeyOffered } from '../../../sign-in/modules/sign-in/public.ts';
import { asksSecondFactor, type Method } from '../../../proofs/modules/sign-in-checks/public.ts';
import { findUser, type UserRecord } from '../../../tenancy/modules/users/public.ts';
import { newOffer } from '../second-factor/offer.ts';
import { PATHS } from './paths.ts';
import type { FlowState, ReadyStep } from './state.ts';
import type { Visit } from './visit.ts';

/** The page of an offer, with the state that it needs. */
type Offered = { path: string } & Pick<FlowState, 'factorOffer'>;

/**
 * Finds out what is offered to a user who has just signed in: a passkey, otherwise an authenticator app. Users whose
 * organization signs them in are offered nothing, because they could not use it.
 */
export async function findOffer(user: UserRecord, method: Method): Promise<Offered | undefined> {
  if (method === 'sso') return undefined;
  const { environmentId, id, email } = user;
  if (await isPasskeyOffered(user, method)) return { path: PATHS.passkeyOffer };
  const settings = await findSettings(environmentId, signInSettings);
  if (settings.mfa !== 'optional' || !settings.factor_enrollment || !asksSecondFactor(method)) return undefined;
  const [isOpen, passkeys] = await awaitAll([mayOfferFactor(user), findPasskeys(environmentId, id)]);
  if (!isOpen || passkeys.length > 0) return undefined;
  return { path: PATHS.factorOffer, factorOffer: await newOffer(environmentId, email) };
}

/** The user who has just signed in. Undefined if the user's credentials were revoked since. */
export async function findReady(visit: Visit): Promise<{ user: UserRecord; ready: ReadyStep } | undefined> {
  const { ready } = visit.state;
  const user = ready && (await findUser(visit.flow.environmentId, ready.userId));
  if (ready === undefined || user === undefined || (user.credentialEpoch ?? 0) !== ready.epoch) return undefined;
  return { user, ready };
}
