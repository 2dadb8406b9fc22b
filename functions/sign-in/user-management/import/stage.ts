import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import {
  findOrganization,
  findOrganizationByExternalId,
  stageOrganization,
} from '../../../tenancy/organizations/public.ts';
import { passwordFrom, stagePassword } from '../../../proofs/modules/credentials/public.ts';
import {
  findMembershipById,
  findMembership,
  type MembershipRoles,
  rolesOfMemberships,
  sortRoles,
  stageMembership,
} from '../../../tenancy/modules/memberships/public.ts';
import type { Role } from '../../../tenancy/roles/public.ts';
import { stageUser } from '../../../tenancy/modules/users/public.ts';
import { normalizeEmail } from '../../../kernel/address.ts';
import { canonicalLocale } from '../../../kernel/locale.ts';
import { LruMap } from '../../../kernel/memory.ts';
import type { ImportedMembership, ImportedOrganization, ImportedUser } from './schema.ts';
import { lineFailure } from '../../../kernel/import.ts';

/** Stages a user with their password. @throws Failure with the reason for rejecting the line */
export async function stageImportedUser(
  unit: Unit,
  environmentId: string,
  line: ImportedUser,
): Promise<{ id: string }> {
  const email = normalizeEmail(line.email);
  if (email === undefined) throw lineFailure('email: is no address that mail can be sent to');
  const locale = typeof line.locale === 'string' ? canonicalLocale(line.locale) : undefined;
  if (typeof line.locale === 'string' && locale === undefined) throw lineFailure('locale: is no language tag (BCP 47)');
  const password = passwordFrom(line);
  const user = stageUser(
    unit,
    {
      environmentId,
      id: line.id,
      email,
      emailVerified: line.email_verified ?? false,
      firstName: line.first_name ?? undefined,
      lastName: line.last_name ?? undefined,
      name: line.name ?? undefined,
      profilePictureUrl: line.profile_picture_url ?? undefined,
      externalId: line.external_id ?? undefined,
      metadata: line.metadata ?? {},
      locale,
      createdAt: line.created_at,
      updatedAt: line.updated_at ?? line.created_at,
      lastSignInAt: line.last_sign_in_at ?? undefined,
    },
    {
      otherwise: lineFailure('email: another user has this address'),
      externalIdTaken: lineFailure('external_id: another user has this one'),
    },
  );
  if (password !== undefined) await stagePassword(unit, user, password, { isNew: true });
  return user;
}

/** Organizations, with the roles that they can assign, which many lines name. They are looked up once in an import. */
export interface Known {
  organizations: Map<string, string>;
  roles: LruMap<MembershipRoles>;
}

export const nothingKnown = (): Known => ({ organizations: new Map(), roles: new LruMap(1_000) });

/** The user and organization of a line's membership. */
export interface Member {
  userId: string;
  /** True if an existing membership is read first; otherwise an existing one fails the unit of work. */
  isChecked: boolean;
}

/**
 * Stages a membership.
 * @returns false if the user has one in the organization already, which is unchanged
 * @throws Failure with the reason for rejecting the line
 */
export async function stageImportedMembership(
  unit: Unit,
  environmentId: string,
  { userId, isChecked }: Member,
  line: ImportedMembership,
  known: Known,
): Promise<boolean> {
  const organizationId = await resolveOrganization(environmentId, line, known);
  const roles = await rolesOfLine(environmentId, organizationId, line, known);
  if (isChecked && (await isThere(environmentId, { userId, organizationId }, line.id))) return false;
  stageMembership(unit, {
    environmentId,
    userId,
    organizationId,
    status: line.status,
    roles,
    ...(line.id === undefined ? {} : { id: line.id }),
    ...(line.created_at === undefined ? {} : { createdAt: line.created_at }),
    ...(line.updated_at === undefined ? {} : { updatedAt: line.updated_at }),
  });
  return true;
}

/**
 * Reports whether the membership exists.
 * @throws Failure if another membership has the id
 */
async function isThere(
  environmentId: string,
  { userId, organizationId }: { userId: string; organizationId: string },
  id: string | undefined,
): Promise<boolean> {
  const [ofPair, ofId] = await awaitAll([
    findMembership(environmentId, userId, organizationId),
    id === undefined ? undefined : findMembershipById(environmentId, id),
  ]);
  if (ofPair === undefined && ofId !== undefined) throw lineFailure(`id: ${id} is another membership’s`);
  return ofPair !== undefined;
}

async function resolveOrganization(
  environmentId: string,
  { organization_id, organization_external_id }: ImportedMembership,
  { organizations }: Known,
): Promise<string> {
  const name = organization_id ?? organization_external_id;
  if (name === undefined) throw lineFailure('organization_id: is required, or organization_external_id');
  // The key contains both members, since one organization's external_id may be the id of another.
  const key = JSON.stringify([organization_id, name]);
  const found = organizations.get(key);
  if (found !== undefined) return found;
  const organization =
    organization_id === undefined
      ? await findOrganizationByExternalId(environmentId, name)
      : await findOrganization(environmentId, name);
  if (organization === undefined) throw lineFailure(`organization: there is no ${name}; import it before its members`);
  organizations.set(key, organization.id);
  return organization.id;
}

/** The roles of a line, in their order. @throws Failure for one that memberships of the organization cannot have */
async function rolesOfLine(
  environmentId: string,
  organizationId: string,
  { role_slug, role_slugs }: ImportedMembership,
  known: Known,
): Promise<Role[]> {
  const roles = known.roles.get(organizationId) ?? (await rolesOfMemberships(environmentId, organizationId));
  known.roles.set(organizationId, roles);
  const named = role_slugs ?? [role_slug ?? roles.defaultRole.slug];
  const unknown = named.find((slug) => !roles.bySlug.has(slug));
  if (unknown !== undefined) {
    const isOfResources = roles.ofResources.has(unknown);
    const reason = isOfResources ? 'is a role on resources below the organization' : 'is no role of the organization';
    throw lineFailure(`role_slug: ${unknown} ${reason}; create the role first, with POST /authorization/roles`);
  }
  const given = sortRoles(roles, named);
  if (given.length > 1 && !roles.mayBeSeveral) throw lineFailure('role_slugs: memberships have one role each here');
  return given;
}

/** Stages an organization with its domains. @throws Failure with the reason for rejecting the line */
export async function stageImportedOrganization(
  unit: Unit,
  environmentId: string,
  line: ImportedOrganization,
): Promise<void> {
  const stated = line.domain_data ?? line.domains?.map((domain) => ({ domain, state: 'verified' as const })) ?? [];
  await stageOrganization(
    unit,
    {
      environmentId,
      id: line.id,
      name: line.name,
      domains: stated,
      metadata: line.metadata ?? {},
      externalId: line.external_id ?? undefined,
      allowProfilesOutsideOrganization: line.allow_profiles_outside_organization ?? false,
      createdAt: line.created_at,
      updatedAt: line.updated_at ?? line.created_at,
    },
    {
      externalIdTaken: lineFailure('external_id: another organization has this one'),
      taken: lineFailure('domain_data: another organization has verified one of these domains'),
      invalid: (issues) => lineFailure(issues.map(({ field, message }) => `${field}: ${message}`).join('; ')),
    },
  );
}
