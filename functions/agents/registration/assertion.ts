import { clock } from '../../kernel/clock.ts';
import { awaitAll } from '../../kernel/concurrency.ts';
import { findSettings } from '../../kernel/environment-settings.ts';
import { readTime } from '../../kernel/id-format.ts';
import { issuerClaims } from '../../kernel/tokens/issuer.ts';
import { signToken } from '../../kernel/tokens/sign.ts';
import { readUnverifiedClaims, verifyToken } from '../../kernel/tokens/verify.ts';
import { loadModel } from '../../roles/public.ts';
import { askEntry } from '../../sign-in/public.ts';
import { type Authority, organizationWord } from '../../trust/public.ts';
import { findUser } from '../../users/public.ts';
import { findHolderState, type Holder, type HolderState } from '../../credential-holders/public.ts';
import { agentSettings } from '../../authorization-server/public.ts';
import { findRegistration, type RegistrationRecord } from './entity.ts';
import { statusAt } from './rules.ts';
import { agentAddress } from './server.ts';

/** Seconds for which an assertion can be exchanged or refreshed, and for which an access token is valid. */
const ASSERTION_SECONDS = 3_600;
export const ACCESS_SECONDS = 300;

/** Signs the assertion with which the agent of a registration authenticates at the token endpoint, and only there. */
export async function signAssertion({ environmentId, id }: RegistrationRecord) {
  const { iss } = await issuerClaims(environmentId);
  const claims = { iss, aud: `${agentAddress(environmentId)}/token`, sub: id };
  const expiresAt = new Date(clock.now() + ASSERTION_SECONDS * 1_000).toISOString();
  return {
    assertion: await signToken(environmentId, 'agent_assertion', claims, ASSERTION_SECONDS),
    expires_at: expiresAt,
  };
}

/** A registration that may act, with its user's permissions; or the reason why it may not. */
export type Acting =
  | { state: 'acting'; registration: RegistrationRecord; holderState: HolderState }
  | { state: 'stopped' | 'ended' };

/** The time when a token was issued (ISO 8601): that of its `jti`, because `iat` has no milliseconds. */
export const readIssueTime = ({ jti }: { jti: string }): string => new Date(readTime(jti)).toISOString();

/** Finds the registration of an assertion; it has ended for any other text. It takes two round trips of reads. */
export async function readAssertion(environmentId: string, assertion: string): Promise<Acting> {
  const audience = `${agentAddress(environmentId)}/token`;
  const stated = readUnverifiedClaims(assertion)?.sub;
  const [claims, registration] = await awaitAll([
    verifyToken(environmentId, 'agent_assertion', assertion, audience),
    typeof stated === 'string' ? findRegistration(environmentId, stated) : undefined,
  ]);
  if (claims === undefined || registration === undefined) return { state: 'ended' };
  return findRenewable(registration, readIssueTime(claims));
}

/** The holder of a registration's credentials. */
export function makeHolder(
  { organizationId, userId, membershipId, kind, attempt }: RegistrationRecord,
  agentSince: string,
): Holder {
  // A user without an organization could claim the agent only for the organization in which it was.
  const isForMember = kind === 'identity_assertion' || attempt?.organizationId !== undefined;
  const requires = membershipId ?? (userId !== undefined && isForMember ? 'any' : undefined);
  return { organizationId, userId, requires, agentSince };
}

/**
 * Reports whether a registration may act by a credential: it has neither expired nor been revoked, its organization, its user and
 * the user's membership have not ended, and no stop of agents ended the credential.
 * @param issuedAt the time when the credential was issued (ISO 8601); for a new one the present
 */
export async function findActing(registration: RegistrationRecord, issuedAt = clock.timestamp()): Promise<Acting> {
  const status = statusAt(registration, clock.now());
  if (status !== 'unverified' && status !== 'verified') return { state: 'ended' };
  const holderState = await findHolderState(registration.environmentId, makeHolder(registration, issuedAt));
  if (holderState.end === undefined) return { state: 'acting', registration, holderState };
  return { state: holderState.end === 'agents_stopped' ? 'stopped' : 'ended' };
}

/**
 * The proofs by which a registration acts for its user: those of the sign-in in which the user claimed it, or the word of the
 * organization whose identity provider asserted the user. One that was claimed before they were stored has none.
 */
export const readRegistrationProofs = ({ kind, proofs, organizationId, createdAt }: RegistrationRecord): Authority =>
  kind === 'identity_assertion'
    ? [{ method: 'sso', word: organizationWord(organizationId), at: Date.parse(createdAt) }]
    : ((proofs as Authority | undefined) ?? []);

/**
 * Finds a registration like {@link findActing} for the issue of a further credential, for which its proofs must still be sufficient
 * for the organization: it may require single sign-on now.
 */
export async function findRenewable(registration: RegistrationRecord, issuedAt?: string): Promise<Acting> {
  const { environmentId, userId, organizationId } = registration;
  const [found, user] = await awaitAll([
    findActing(registration, issuedAt),
    userId === undefined ? undefined : findUser(environmentId, userId),
  ]);
  if (found.state !== 'acting' || user === undefined) return found;
  // The agent of a user without a membership has no permissions, and enters nothing.
  const isMember = found.holderState.membershipId !== undefined;
  const authority = readRegistrationProofs(registration);
  const entry = await askEntry({
    user,
    authority,
    organizationId: isMember ? organizationId : undefined,
    isMember,
    isRenewal: true,
  });
  return entry.isAllowed ? found : { state: 'ended' };
}

/**
 * The permissions of a registration: those that the settings give to its state and that exist. Once a user has claimed it for
 * an organization, only those that the user has there.
 */
export async function findScopes(environmentId: string, { permissions: held }: HolderState): Promise<string[]> {
  const [{ registrations: settings }, model] = await awaitAll([
    findSettings(environmentId, agentSettings),
    loadModel(environmentId),
  ]);
  const wanted = held === undefined ? settings.pre_claim_permissions : settings.post_claim_permissions;
  return wanted.filter((slug) => model.permissionsBySlug.has(slug) && (held?.has(slug) ?? true));
}

/** Signs an access token (a JWT of RFC 9068) of a registration, for the API that verifies it. */
export async function signAccess(registration: RegistrationRecord, scopes: readonly string[]): Promise<string> {
  const { environmentId, id, organizationId, userId } = registration;
  const claims = {
    ...(await issuerClaims(environmentId)),
    sub: id,
    org_id: organizationId,
    ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
    ...(userId === undefined ? {} : { act: { sub: userId } }),
  };
  return signToken(environmentId, 'registration', claims, ACCESS_SECONDS);
}
