import { awaitAll } from '../../../kernel/concurrency.ts';
import { findOrganizations, type OrganizationSummary } from '../../../tenancy/organizations/public.ts';
import { findUserMemberships, type OrganizationMembershipRecord } from '../../../tenancy/modules/memberships/public.ts';
import { coversAccount, may } from '../../../tenancy/modules/trust/public.ts';
import { findRequirement } from '../session/proof.ts';
import { lazily, type Visit } from '../session/visit.ts';

/** The organization whose directory or single sign-on decides about an account or a membership. */
export interface Governor {
  organizationId: string;
  name: string;
  by: 'directory' | 'sso';
}

/** A membership of the user, with the organization. */
export interface Member {
  membership: OrganizationMembershipRecord;
  organization: OrganizationSummary;
}

/** The user's memberships with their organizations, by one Query and one BatchGetItem for each hundred. */
export const findMembers = (visit: Visit): Promise<Member[]> =>
  lazily(visit, 'members', async () => {
    const { environmentId, user } = visit;
    const memberships = await findUserMemberships(environmentId, user.id);
    const found = await findOrganizations(
      environmentId,
      memberships.map(({ organizationId }) => organizationId),
    );
    return memberships.flatMap((membership) => {
      const organization = found.get(membership.organizationId);
      return organization === undefined ? [] : [{ membership, organization }];
    });
  });

/**
 * The organizations that govern the account: those whose directory manages an active membership of the user and whose word covers
 * the account, and the one that requires single sign-on for the domain of the address.
 */
export const findGovernors = (visit: Visit): Promise<Governor[]> =>
  lazily(visit, 'governors', async () => {
    const [members, required] = await awaitAll([findMembers(visit), findRequirement(visit)]);
    const byDirectory = members
      .filter(
        ({ membership, organization }) =>
          membership.directoryManaged && membership.status === 'active' && coversAccount(organization, visit.user),
      )
      .map(({ organization: { id, name } }): Governor => ({ organizationId: id, name, by: 'directory' }));
    if (required === undefined) return byDirectory;
    const { organizationId } = required;
    const known = members.find(({ organization }) => organization.id === organizationId)?.organization;
    const found = known ?? (await findOrganizations(visit.environmentId, [organizationId])).get(organizationId);
    return [...byDirectory, { organizationId, name: found?.name ?? '', by: 'sso' }];
  });

/** The governor of a membership that the user may not leave (the act `leave` of trust); undefined if they may. */
export function findLeavingGovernor(
  { user, verdict }: Visit,
  governors: readonly Governor[],
  { membership, organization }: Member,
): Governor | undefined {
  const governor = governors.find(({ organizationId }) => organizationId === organization.id);
  const isManaged = governor !== undefined && membership.status !== 'pending';
  const isCovered = coversAccount(organization, user);
  const facts = { act: 'leave' as const, organizationId: organization.id, isCovered, isManaged };
  return may(verdict?.authority ?? [], facts).isAllowed ? undefined : governor;
}

/** The sentence that names a governor as the reason for which the user cannot change something. */
export const explainGovernor = ({ translate }: Visit, { name, by }: Governor): string =>
  translate(`governed.${by}`, { organization: name });

/** The reason for which an organization's directory or single sign-on keeps the user from changing the account. */
export async function findGovernedReason(visit: Visit): Promise<string | undefined> {
  const [governor] = await findGovernors(visit);
  return governor && explainGovernor(visit, governor);
}

/** The same for the password, which single sign-on replaces; a directory does not concern it. */
export async function findPasswordReason(visit: Visit): Promise<string | undefined> {
  const governor = (await findGovernors(visit)).find(({ by }) => by === 'sso');
  return governor && explainGovernor(visit, governor);
}
