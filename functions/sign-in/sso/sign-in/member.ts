import { isDeepStrictEqual } from 'node:util';

import { rolesOfGroups } from '../../../tenancy/modules/group-roles/public.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity } from '../../../kernel/storage/entity.ts';
import { ownedRecord, ownerKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import {
  type MembershipRoles,
  type OrganizationMembershipRecord,
  sortRoles,
  stageMembership,
  stageMembershipChange,
} from '../../../tenancy/modules/memberships/public.ts';
import type { ConnectionRecord } from '../connection/entity.ts';
import { settingsIn } from '../connection/settings.ts';
import type { ConnectionIdentity } from './identity.ts';

/** The roles that a connection last wrote to a membership. Its id is that of the membership, so it is read by one GetItem. */
const GroupRolesEntity = entity(
  ownedRecord('sso-group-roles', {
    connectionId: { type: 'string', required: true },
    slugs: { type: 'list', items: { type: 'string' }, required: true },
  }),
);

const givenByGroups = collection(GroupRolesEntity, 'internal');

/** Maximum bytes of custom attributes as JSON; larger ones are not stored in memberships. */
const MOST_CUSTOM_BYTES = 8_192;

interface Arriving {
  record: ConnectionRecord;
  identity: ConnectionIdentity;
  known: MembershipRoles;
}

const mappedRoles = ({ record, identity, known }: Arriving) => {
  const slugs = rolesOfGroups(record.environmentId, settingsIn(record).group_roles, identity.groups, {
    multiple: known.mayBeSeveral,
  });
  return sortRoles(known, slugs);
};

const customIn = ({ custom }: ConnectionIdentity): Record<string, unknown> | undefined => {
  const isAny = Object.keys(custom).length > 0;
  return isAny && Buffer.byteLength(JSON.stringify(custom)) <= MOST_CUSTOM_BYTES ? { ...custom } : undefined;
};

/** Makes a user of the organization's domain an active member, with the roles of the groups. */
export function stageArrivingMember(
  unit: Unit,
  arriving: Arriving,
  { userId, organizationId }: { userId: string; organizationId: string },
): OrganizationMembershipRecord {
  const { record, identity, known } = arriving;
  const roles = mappedRoles(arriving);
  const membership = stageMembership(unit, {
    environmentId: record.environmentId,
    userId,
    organizationId,
    roles: roles.length === 0 ? [known.defaultRole] : roles,
    customAttributes: customIn(identity) ?? {},
  });
  if (settingsIn(record).group_roles.length > 0) stageGiven(unit, record, membership, roles, undefined);
  return membership;
}

function stageGiven(
  unit: Pick<Unit, 'stage'>,
  { environmentId, id: connectionId, organizationId }: ConnectionRecord,
  { id }: OrganizationMembershipRecord,
  roles: readonly { slug: string }[],
  former: Awaited<ReturnType<typeof givenByGroups.get>>,
): void {
  const slugs = roles.map(({ slug }) => slug);
  const owner = ownerKey('organization', organizationId);
  const { write } =
    former === undefined
      ? givenByGroups.create({ environmentId, id, owner, connectionId, slugs })
      : givenByGroups.revise(former, { connectionId, slugs });
  unit.stage(write);
}

/**
 * Stages the data of an identity provider about a membership: its status, custom attributes, and roles. Roles are written
 * only if those that the provider's groups give have changed since the connection last wrote them, so that a role that an
 * administrator sets by hand is kept until then. A membership that a directory manages is left to the directory.
 */
export async function stageArrivingChange(
  unit: Unit,
  arriving: Arriving,
  membership: OrganizationMembershipRecord,
): Promise<OrganizationMembershipRecord> {
  const { record, identity, known } = arriving;
  const status = { status: 'active' as const };
  if (membership.directoryManaged) return stageMembershipChange(unit, membership, status);
  const former = await givenByGroups.get(record.environmentId, membership.id);
  const roles = mappedRoles(arriving);
  const slugs = roles.map(({ slug }) => slug);
  const before = former?.connectionId === record.id ? former.slugs : undefined;
  const isMapped = settingsIn(record).group_roles.length > 0 || before !== undefined;
  const isChanged = isMapped && !isDeepStrictEqual(before, slugs);
  if (isChanged) stageGiven(unit, record, membership, roles, former);
  const customAttributes = customIn(identity);
  return stageMembershipChange(unit, membership, {
    ...status,
    ...(customAttributes === undefined ? {} : { customAttributes }),
    ...(isChanged ? { roles: { known, own: roles.length === 0 ? [known.defaultRole] : roles } } : {}),
  });
}
