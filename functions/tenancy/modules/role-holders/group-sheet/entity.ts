import { collection } from '../../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../../kernel/storage/entity.ts';
import {
  model,
  ownedAttributes,
  ownedIndex,
  ownerKey,
  recordAttributes,
  recordKey,
} from '../../../../kernel/storage/record.ts';
import type { Write } from '../../../../kernel/storage/write.ts';

/** The resource type of organizations in every model; its slug never changes. */
const ORGANIZATION_TYPE = 'organization';

/**
 * A role of a group on a resource. It contains ids, so that a new role or resource with the name of a deleted one does not
 * restore it.
 */
export interface GroupGrant {
  /** The id of the group's role assignment (`gra_…`). */
  id: string;
  roleId: string;
  /** The id of the resource (`authz_resource_…`); the organization's own resource for a role at the organization. */
  resourceId: string;
  /** The resource's identifiers, which never change, so that a list returns them without reading the resource. */
  typeSlug: string;
  externalId: string;
  /** The time when the group got the role (ISO 8601). */
  createdAt: string;
}

/** A role on a resource. */
export type RolePlace = Pick<GroupGrant, 'roleId' | 'resourceId'>;

/**
 * All roles of a group in one item, the sheet, with at most 100 of some 250 bytes, so that a change takes effect at the
 * next check, however many members the group has. Its id is the group's. A group without a role has none, and neither has a
 * deleted group. `functions/tenancy/groups` writes sheets; they are declared here because the rows of role holders are verified
 * against them.
 */
const GroupSheetEntity = entity({
  model: model('group-sheet'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    organizationId: { type: 'string', required: true, readOnly: true },
    /** The roles of the group, a list of {@link GroupGrant}. */
    grants: { type: 'any', required: true },
    /** The {@link RolePlace}s of roles that the next write adds, whose rows of role holders exist already; absent otherwise. */
    coming: { type: 'any' },
  },
  indexes: {
    primary: recordKey('group-grants'),
    owned: ownedIndex,
  },
});

export type GroupSheetRecord = RecordOf<typeof GroupSheetEntity>;

const groupSheets = collection(GroupSheetEntity, 'internal');

/** The ids of a group and its organization. */
export interface GroupKey {
  environmentId: string;
  id: string;
  organizationId: string;
}

/** The sheet of a group, by one strongly consistent GetItem. */
export const getSheet = (environmentId: string, groupId: string): Promise<GroupSheetRecord | undefined> =>
  groupSheets.get(environmentId, groupId);

/** The write of a sheet. It fails if the sheet was changed since it was read. */
export function writeSheet(
  { environmentId, id, organizationId }: GroupKey,
  former: GroupSheetRecord | undefined,
  contents: { grants: readonly GroupGrant[]; coming?: RolePlace[] | undefined },
): Write {
  if (former !== undefined) return groupSheets.revise(former, { coming: undefined, ...contents }).write;
  const owner = ownerKey('organization', organizationId);
  return groupSheets.create({ environmentId, id, organizationId, owner, ...contents }).write;
}

/** The removal of a sheet. It fails if the sheet was changed since it was read. */
export const removalOfSheet = (sheet: GroupSheetRecord): Write => groupSheets.remove(sheet);

/** A condition check that a sheet is unchanged at the commit. */
export function sameSheet({ environmentId, id }: GroupKey, sheet: GroupSheetRecord | undefined): Write {
  const { TableName, Key } = groupSheets
    .entity()
    .get({ environmentId, id })
    .params<{ TableName: string; Key: Record<string, unknown> }>();
  const condition =
    sheet === undefined
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : {
          ConditionExpression: '#version = :version',
          ExpressionAttributeNames: { '#version': 'version' },
          ExpressionAttributeValues: { ':version': sheet.version },
        };
  return { kind: 'ConditionCheck', params: { TableName, Key, ...condition } };
}

/** The roles of a group in the order of their assignments' ids. */
export const grantsIn = (sheet: GroupSheetRecord | undefined): readonly GroupGrant[] =>
  (sheet?.grants ?? []) as GroupGrant[];

/**
 * The roles of groups by the groups' ids. A group without roles, or a deleted group, has an empty list. It takes one
 * strongly consistent BatchGetItem for each hundred groups, with eight read units for a group with 100 roles.
 */
export async function readSheets(
  environmentId: string,
  groupIds: readonly string[],
): Promise<Map<string, readonly GroupGrant[]>> {
  const sheets = await groupSheets.getMany(environmentId, [...new Set(groupIds)]);
  const found = new Map(sheets.map((sheet) => [sheet.id, grantsIn(sheet)]));
  return new Map(groupIds.map((id) => [id, found.get(id) ?? []]));
}

/** The ids of the roles at the organization among some grants, each once. */
export const rolesAtOrganization = (grants: Iterable<GroupGrant>): string[] => [
  ...new Set([...grants].filter(({ typeSlug }) => typeSlug === ORGANIZATION_TYPE).map(({ roleId }) => roleId)),
];
