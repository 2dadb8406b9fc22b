import { awaitAll } from '../../../../kernel/concurrency.ts';
import { readTogether } from '../../../../kernel/storage/together.ts';
import { effectiveRoles, findMembership, rolesOfMemberships } from '../../../../tenancy/modules/memberships/public.ts';
import { findOrganization } from '../../../../tenancy/organizations/public.ts';
import { permissionsOfRoles } from '../../../../tenancy/roles/public.ts';
import { findUser } from '../../../../tenancy/modules/users/public.ts';
import { findStop } from '../stop/entity.ts';
import { type End, findEnd } from './rules.ts';

/** The holder of a credential: an organization, or a user within it, and perhaps an agent that acts for them. */
export interface Holder {
  organizationId: string;
  userId?: string | undefined;
  /** The membership that justified the credential: its id, `any` for any active one, or undefined if it needs none. */
  requires?: string | undefined;
  /** The ownership epoch of the user’s account when the credential was issued; undefined if it does not matter. */
  ownershipEpoch?: number | undefined;
  /** The time when the credential of an agent was issued (ISO 8601), which stops of agents end; undefined for other credentials. */
  agentSince?: string | undefined;
}

/** The current state of a credential’s holder. */
export interface HolderState {
  /** The reason why the credential no longer has an effect; undefined if it has one. */
  end: End | undefined;
  /** The user’s active membership. */
  membershipId: string | undefined;
  /** The permissions that the user has in the organization now; undefined without a user, whose permissions would limit others. */
  permissions: ReadonlySet<string> | undefined;
}

/**
 * Reads the state of a holder, by strongly consistent reads in one round trip while this instance has cached the model of
 * roles: at most seven rows.
 */
export async function findHolderState(environmentId: string, holder: Holder): Promise<HolderState> {
  const { organizationId, userId, requires, ownershipEpoch, agentSince } = holder;
  const [organization, user, membership, roles, stops] = await readTogether(() =>
    awaitAll([
      findOrganization(environmentId, organizationId),
      userId === undefined ? undefined : findUser(environmentId, userId),
      userId === undefined ? undefined : findMembership(environmentId, userId, organizationId),
      userId === undefined ? undefined : rolesOfMemberships(environmentId, organizationId),
      agentSince === undefined ? [] : findStops(environmentId, { organizationId, userId }),
    ]),
  );
  const active = membership?.status === 'active' ? membership : undefined;
  const isOwner = ownershipEpoch === undefined || (user?.ownershipEpoch ?? 0) === ownershipEpoch;
  const end = findEnd({
    issuedAt: agentSince ?? '',
    stops,
    hasOrganization: organization !== undefined,
    hasUser: userId === undefined ? undefined : user !== undefined && isOwner,
    membershipId: active?.id,
    requires,
  });
  const held = active === undefined || roles === undefined ? [] : permissionsOfRoles(effectiveRoles(active, roles));
  return { end, membershipId: active?.id, permissions: userId === undefined ? undefined : new Set(held) };
}

/** Reads the stops of the environment, an organization and a user, by one strongly consistent GetItem each. */
export const findStops = (
  environmentId: string,
  { organizationId, userId }: Pick<Holder, 'organizationId' | 'userId'>,
) =>
  awaitAll([
    findStop(environmentId, 'environment'),
    findStop(environmentId, 'organization', organizationId),
    userId === undefined ? undefined : findStop(environmentId, 'user', userId),
  ]);
