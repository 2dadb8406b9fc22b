import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { readTime } from '../../../kernel/id-format.ts';
import { issuerClaims } from '../../../kernel/tokens/issuer.ts';
import { signToken } from '../../../kernel/tokens/sign.ts';
import { readUnverifiedClaims, verifyToken } from '../../../kernel/tokens/verify.ts';
import { loadModel } from '../../../tenancy/roles/public.ts';
import { askEntry } from '../../../sign-in/modules/sign-in/public.ts';
import {
  admitMinting,
  type Authority,
  type Entry,
  type MintingVerdict,
  organizationWord,
  type Verdict,
} from '../../../tenancy/modules/trust/public.ts';
import { findUser } from '../../../tenancy/modules/users/public.ts';
import { findHolderState, type Holder, type HolderState } from '../../../access/modules/credential-holders/public.ts';
import { agentSettings } from '../../../sign-in/modules/authorization-server/public.ts';
import { findRegistration, type RegistrationRecord } from './entity.ts';
import { statusAt } from './rules.ts';
import { agentAddress } from './server.ts';

/** Seconds for which an assertion can be exchanged or refreshed, and for which an access token is valid. */
const ASSERTION_SECONDS = 3_600;
export const ACCESS_SECONDS = 300;

/**
 * The permission of an agent to act: in the organization that its person may enter, or for the organization of a registration that no
 * person has claimed.
 */
export type AgentVerdict = Verdict<Entry> | MintingVerdict;

/** Signs the assertion with which the agent of a registration authenticates at the token endpoint, and only there. */
export async function signAssertion(_: AgentVerdict, { environmentId, id }: RegistrationRecord) {
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

/** A registration that may get a further credential, or the reason why it may not. */
export type Renewable =
  | (Extract<Acting, { state: 'acting' }> & { verdict: AgentVerdict })
  | Exclude<Acting, { state: 'acting' }>;

/** The time when a token was issued (ISO 8601): that of its `jti`, because `iat` has no milliseconds. */
export const readIssueTime = ({ jti }: { jti: string }): string => new Date(readTime(jti)).toISOString();

/** Finds the registration of an assertion; it has ended for any other text. It takes two round trips of reads. */
export async function readAssertion(environmentId: string, assertion: string): Promise<Renewable> {
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

/** The proof by which an agent that no person has claimed acts: it is registered for an organization. */
export const proveRegistration = (organizationId: string, at: number): Authority => [
  { method: 'registration', word: organizationWord(organizationId), at },
];

/** The proof by which an agent acts for a user of an organization that its identity provider asserted. */
export const proveAssertion = (organizationId: string, at: number): Authority => [
  { method: 'sso', word: organizationWord(organizationId), at },
];

/**
 * The proofs by which a registration acts: those of the sign-in in which its user claimed it, the assertion of the user, or the
 * registration itself until a user claims it. One that was claimed before proofs were stored has none.
 */
function readRegistrationProofs({ kind, proofs, organizationId, userId, createdAt }: RegistrationRecord): Authority {
  const at = Date.parse(createdAt);
  if (kind === 'identity_assertion') return proveAssertion(organizationId, at);
  return userId === undefined ? proveRegistration(organizationId, at) : ((proofs as Authority | undefined) ?? []);
}

/**
 * Finds a registration like {@link findActing} for the issue of a further credential, for which its proofs must still be sufficient
 * for the organization: it may require single sign-on now.
 */
export async function findRenewable(registration: RegistrationRecord, issuedAt?: string): Promise<Renewable> {
  const { environmentId, userId, organizationId } = registration;
  const [found, user] = await awaitAll([
    findActing(registration, issuedAt),
    userId === undefined ? undefined : findUser(environmentId, userId),
  ]);
  if (found.state !== 'acting') return found;
  const authority = readRegistrationProofs(registration);
  if (userId === undefined) return { ...found, verdict: admitMinting(authority, organizationId) };
  if (user === undefined) return { state: 'ended' };
  // The agent of a user without a membership has no permissions, and enters nothing.
  const isMember = found.holderState.membershipId !== undefined;
  const entry = await askEntry({
    user,
    authority,
    organizationId: isMember ? organizationId : undefined,
    isMember,
    isRenewal: true,
  });
  return entry.isAllowed ? { ...found, verdict: entry } : { state: 'ended' };
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
export async function signAccess(
  _: AgentVerdict,
  registration: RegistrationRecord,
  scopes: readonly string[],
): Promise<string> {
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
