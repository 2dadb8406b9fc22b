import { askRegistration } from '../../../outbound/modules/actions/public.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Attempt } from '../../modules/sign-in/public.ts';
import type { AuthorizationRequest, OAuthTokens } from '../../modules/sign-in-flows/public.ts';
import { assessConfirmedSignIn, emitProof } from '../../../proofs/modules/sign-in-checks/public.ts';
import type { ClientContext } from '../../../tenancy/modules/known-devices/public.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { normalizeEmail } from '../../../kernel/address.ts';
import { identityHolder, type IdentityName, stageIdentity } from '../../../proofs/modules/credentials/public.ts';
import { signInSettings } from '../../../proofs/modules/email-proofs/public.ts';
import { findUser, getUserByEmail, stageUser, type UserRecord } from '../../../tenancy/modules/users/public.ts';
import type { Profile } from '../exchange/profile.ts';

/** The result of an authentication at a provider. */
export interface SocialProof {
  provider: string;
  profile: Profile;
  /** The time of the authentication, in milliseconds since the epoch. */
  provenAt: number;
  /** The tokens for the application, if the provider's configuration enables that. */
  tokens?: OAuthTokens | undefined;
}

/** The reasons why an authentication at a provider does not sign in the user. Nothing may be committed then. */
export type SocialRejection = 'sign_up_not_allowed' | 'authentication_method_not_allowed' | 'access_denied';

/** The user who was recognized by an authentication at a provider, or the reason why there is none. */
export type Recognized =
  | { kind: 'attempt'; attempt: Attempt }
  /** No user has the account, and the provider returned no email. */
  | { kind: 'no_email'; identity: NonNullable<Attempt['identity']> }
  | { kind: 'rejected'; code: SocialRejection; message?: string | undefined };

const nameOf = ({ provider, profile: { issuer, subject } }: SocialProof): IdentityName => ({
  provider,
  issuer,
  subject,
});

/**
 * Finds the user of an account at a provider: the user with a link to it, otherwise the user with its email, otherwise a
 * new one. Only the account itself identifies a user. An email leads to a user, but proves only what the provider is
 * trusted to have verified; `completeSignIn` then requires the missing proof before it links the account.
 */
export async function recognize(
  unit: Unit,
  flow: AuthorizationRequest,
  origin: ClientContext,
  proof: SocialProof,
): Promise<Recognized> {
  const { environmentId } = flow;
  const { profile } = proof;
  const name = nameOf(proof);
  const [settings, holder] = await awaitAll([
    findSettings(environmentId, signInSettings),
    identityHolder(environmentId, name),
  ]);
  if (!settings.methods.social) return { kind: 'rejected', code: 'authentication_method_not_allowed' };
  const identity = { ...name, firstName: profile.firstName, lastName: profile.lastName };
  const attempt = async (
    user: UserRecord,
    isProven: boolean,
    linking: Pick<Attempt, 'identity' | 'holder'>,
    isNew = false,
  ): Promise<Recognized> => {
    const signIn = { environmentId, email: user.email, method: 'oauth' as const, origin };
    const risk = await assessConfirmedSignIn(unit, { ...signIn, user: isNew ? undefined : user });
    if (risk === 'blocked') return { kind: 'rejected', code: 'access_denied' };
    emitProof(unit, 'oauth', origin, user);
    const proofs = { emailVerified: isProven, mfa: false };
    return { kind: 'attempt', attempt: { ...attemptIn(flow, origin, proof), user, isNew, proofs, risk, ...linking } };
  };
  const email = profile.email === undefined ? undefined : normalizeEmail(profile.email);
  const own = holder === undefined ? undefined : await findUser(environmentId, holder);
  const linking = { identity, holder: { userId: holder } };
  if (own !== undefined) return attempt(own, profile.isEmailProven && email === own.email, linking);
  if (email === undefined) return { kind: 'no_email', identity };
  const known = await getUserByEmail(environmentId, email);
  if (known !== undefined) return attempt(known, profile.isEmailProven, linking);
  if (!settings.sign_up && flow.invitationToken === undefined) return { kind: 'rejected', code: 'sign_up_not_allowed' };
  const { firstName, lastName, name: fullName } = profile;
  const registering = {
    environmentId,
    email,
    firstName,
    lastName,
    name: fullName,
    authenticationMethod: proof.provider,
  };
  const denied = await askRegistration(unit, { ...registering, ...origin });
  if (denied !== undefined) return denied;
  const user = newUser(unit, environmentId, email, profile);
  // If the environment requires no verified address, there is no further step, and no other user has the account.
  if (!profile.isEmailProven && !settings.require_email_verification) {
    await stageIdentity(unit, environmentId, user.id, name, { formerHolder: holder });
    return attempt(user, false, {}, true);
  }
  return attempt(user, profile.isEmailProven, linking, true);
}

const attemptIn = (
  flow: AuthorizationRequest,
  origin: ClientContext,
  { provider, provenAt, tokens }: SocialProof,
): Omit<Attempt, 'user' | 'proofs'> => ({
  ...origin,
  environmentId: flow.environmentId,
  method: 'oauth',
  provider,
  organizationId: flow.organizationId,
  invitationToken: flow.invitationToken,
  flow,
  authenticatedAt: provenAt,
  oauthTokens: tokens,
});

const newUser = (unit: Unit, environmentId: string, email: string, profile: Profile): UserRecord =>
  stageUser(unit, {
    environmentId,
    email,
    emailVerified: profile.isEmailProven,
    firstName: profile.firstName,
    lastName: profile.lastName,
    name: profile.name,
    profilePictureUrl: profile.pictureUrl,
  });
