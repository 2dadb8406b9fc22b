import { readUlid } from '../../../../kernel/id-format.ts';
import { collection, fitsKey } from '../../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../../kernel/storage/entity.ts';
import type { List } from '../../../../kernel/storage/list.ts';
import type { Reading } from '../../../../kernel/storage/range.ts';
import {
  childIndex,
  model,
  ownedAttributes,
  ownedIndex,
  ownerKey,
  partition,
  recordAttributes,
  sortedBy,
} from '../../../../kernel/storage/record.ts';
import { unguarded, type Write } from '../../../../kernel/storage/write.ts';
import { readSheets } from '../group-sheet/entity.ts';

/**
 * The row that records a membership or a group as a holder of a role on a resource. It is in the partition of the
 * organization, the role and the kind of holder, sorted by the resource and then by the holder. A membership's row is
 * written with its grant. A group's row is added before its grant and removed after it, so these rows contain at least the
 * groups' roles.
 */
const HolderEntity = entity({
  model: model('role-holder'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    organizationId: { type: 'string', required: true, readOnly: true },
    roleId: { type: 'string', required: true, readOnly: true },
    kind: { type: ['membership', 'group'] as const, required: true, readOnly: true },
    resourceId: { type: 'string', required: true, readOnly: true },
    /** The id of the holder (`om_…` or `group_…`). */
    holderId: { type: 'string', required: true, readOnly: true },
  },
  indexes: {
    primary: {
      pk: partition('pk', 'role-holders', 'organizationId', 'roleId', 'kind'),
      sk: sortedBy('sk', 'resourceId', 'holderId'),
    },
    /** The holders of an environment role in all organizations: one Query for each page, which lags by moments. */
    byRole: childIndex('role-holder', 'roleId'),
    owned: ownedIndex,
  },
});

export type HolderRecord = RecordOf<typeof HolderEntity>;

const holders = collection(HolderEntity, 'internal');

/** The id of an organization's own resource, which has no row. */
export const organizationResourceId = (organizationId: string): string => `authz_resource_${readUlid(organizationId)}`;

/** A role that a membership or a group has on a resource. */
export interface RoleHolder {
  environmentId: string;
  organizationId: string;
  roleId: string;
  /** The id of the resource (`authz_resource_…`); the organization's own resource for a role at the organization. */
  resourceId: string;
  kind: 'membership' | 'group';
  /** The id of the holder (`om_…` or `group_…`). */
  holderId: string;
}

/** The write that records a holder, which has no effect if it is recorded already. */
export function recordHolder(holder: RoleHolder): Write {
  const { organizationId, roleId, resourceId, holderId } = holder;
  const owner = ownerKey('organization', organizationId);
  const { write } = holders.create({ ...holder, id: `${roleId}#${resourceId}#${holderId}`, owner });
  return unguarded(write);
}

/** The write that removes a holder, which has no effect if it is not recorded. */
export function removeHolder(holder: RoleHolder): Write {
  const { params } = recordHolder(holder);
  const { pk, sk } = params.Item as { pk: string; sk: string };
  return { kind: 'Delete', params: { TableName: params.TableName, Key: { pk, sk } } };
}

/** A condition check that a holder is still recorded at the commit. */
export function presenceOfHolder(holder: HolderRecord): Write {
  const { TableName, Key } = holders.entity().get(holder).params<{ TableName: string; Key: Record<string, unknown> }>();
  return { kind: 'ConditionCheck', params: { TableName, Key, ConditionExpression: 'attribute_exists(pk)' } };
}

/** The filter of {@link listHolders}. */
export interface HolderQuery {
  environmentId: string;
  organizationId: string;
  roleId: string;
  kind: 'membership' | 'group';
  /** The resource to which the list is limited, sorted by the holders' ids; all resources if absent. */
  resourceId?: string | undefined;
  /** The id of the holder after which the list of a resource continues. */
  after?: string | undefined;
  scan?: 'asc' | 'desc';
  limit: number;
}

/** A text that sorts after every id. */
const LAST = '~';

/**
 * Holders of a role in an organization, by one strongly consistent Query. The position of a list of one resource is the id
 * of a holder.
 */
export async function listHolders(query: HolderQuery): Promise<Reading<HolderRecord>> {
  const { environmentId, organizationId, roleId, kind, resourceId, after, scan = 'asc', limit } = query;
  if (![organizationId, roleId].every(fitsKey)) return { records: [] };
  const partition = holders.entity().query.primary({ environmentId, organizationId, roleId, kind });
  if (resourceId === undefined) return holders.select('primary', partition).toPage({ scan, limit });
  const bounds = scan === 'asc' ? [after ?? '', LAST] : ['', after ?? LAST];
  const [from, to] = bounds.map((holderId) => ({ resourceId, holderId })) as [HolderPlace, HolderPlace];
  // DynamoDB's BETWEEN includes both ends, so one more row is read, and the excluded end is left out.
  const page = await holders.select('primary', partition.between(from, to)).toPage({ scan, limit: limit + 1 });
  return { ...page, records: page.records.filter(({ holderId }) => holderId !== after) };
}

interface HolderPlace {
  resourceId: string;
  holderId: string;
}

/** Number of holder rows whose sheets are read at once. */
const VERIFIED_AT_ONCE = 10;

/**
 * Reports whether any group has a role of an organization. The rows of holders are read ten at a time and verified against
 * the groups' sheets, since a row may exist before the role is given and after it is removed. It takes one strongly
 * consistent Query if there are no such rows; for each ten of them a BatchGetItem and another Query, up to the first group
 * that has the role.
 */
export async function isRoleOfGroup(environmentId: string, organizationId: string, roleId: string): Promise<boolean> {
  const partition = { environmentId, organizationId, roleId, kind: 'group' } as const;
  let last: HolderRecord | undefined;
  for (;;) {
    const query = holders.entity().query.primary(partition);
    const range = last === undefined ? query : query.gt({ resourceId: last.resourceId, holderId: last.holderId });
    const { records, reached } = await holders
      .select('primary', range)
      .toPage({ scan: 'asc', limit: VERIFIED_AT_ONCE });
    const sheets = await readSheets(
      environmentId,
      records.map(({ holderId }) => holderId),
    );
    if ([...sheets.values()].some((grants) => grants.some((grant) => grant.roleId === roleId))) return true;
    if (reached === undefined) return false;
    last = records.at(-1);
  }
}

/** Maximum number of holders of one role that are counted. */
const MOST_COUNTED = 1_000;

/**
 * The number of assignments of a role in all organizations, at most 1,000, by one Query of an index, which lags by moments.
 */
export async function countHolders(environmentId: string, roleId: string) {
  const found = await holders.list('byRole', { environmentId, roleId }).take(MOST_COUNTED + 1);
  const counted = found.slice(0, MOST_COUNTED);
  const memberships = counted.filter(({ kind }) => kind === 'membership').length;
  return { memberships, groups: counted.length - memberships, is_exact: counted.length === found.length };
}

/** The holders of a role in all organizations, in an index that lags by moments. */
export const holdersInEnvironment = (environmentId: string, roleId: string): List<HolderRecord> =>
  holders.list('byRole', { environmentId, roleId });
