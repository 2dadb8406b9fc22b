import { clock } from '../../kernel/clock.ts';
import { awaitAll } from '../../kernel/concurrency.ts';
import { findSettings } from '../../kernel/environment-settings.ts';
import { issuerClaims } from '../../kernel/tokens/issuer.ts';
import { signToken } from '../../kernel/tokens/sign.ts';
import { readUnverifiedClaims, verifyToken } from '../../kernel/tokens/verify.ts';
import { effectiveRoles, findMembership, rolesOfMemberships } from '../../memberships/public.ts';
import { findOrganization } from '../../organizations/public.ts';
import { loadModel, permissionsOfRoles } from '../../roles/public.ts';
import { findUser } from '../../users/public.ts';
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

/** Finds the valid registration of an assertion; undefined for any other text. It takes one round trip of reads. */
export async function readAssertion(environmentId: string, assertion: string): Promise<RegistrationRecord | undefined> {
  const audience = `${agentAddress(environmentId)}/token`;
  const stated = readUnverifiedClaims(assertion)?.sub;
  const [claims, registration] = await awaitAll([
    verifyToken(environmentId, 'agent_assertion', assertion, audience),
    typeof stated === 'string' ? findRegistration(environmentId, stated) : undefined,
  ]);
  return claims === undefined ? undefined : registration && (await findLive(registration));
}

/**
 * Finds a registration that may act: it has neither expired nor been revoked, and its organization and its user, if it has
 * one, exist.
 */
export async function findLive(registration: RegistrationRecord): Promise<RegistrationRecord | undefined> {
  const { environmentId, organizationId, userId } = registration;
  const status = statusAt(registration, clock.now());
  if (status !== 'unverified' && status !== 'verified') return undefined;
  const [organization, user] = await awaitAll([
    findOrganization(environmentId, organizationId),
    userId === undefined ? true : findUser(environmentId, userId),
  ]);
  return organization === undefined || user === undefined ? undefined : registration;
}

/**
 * The permissions of a registration: those that the settings give to its state and that exist. Once a user has claimed it for
 * an organization, only those that the user has there.
 */
export async function findScopes(registration: RegistrationRecord): Promise<string[]> {
  const { environmentId, organizationId, userId } = registration;
  const [{ registrations: settings }, model, membership, roles] = await awaitAll([
    findSettings(environmentId, agentSettings),
    loadModel(environmentId),
    userId === undefined ? undefined : findMembership(environmentId, userId, organizationId),
    rolesOfMemberships(environmentId, organizationId),
  ]);
  const wanted = userId === undefined ? settings.pre_claim_permissions : settings.post_claim_permissions;
  const existing = wanted.filter((slug) => model.permissionsBySlug.has(slug));
  if (userId === undefined) return existing;
  const memberPermissions =
    membership?.status === 'active' ? permissionsOfRoles(effectiveRoles(membership, roles)) : [];
  return existing.filter((slug) => memberPermissions.includes(slug));
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
