import type { Reading } from '../../../kernel/storage/range.ts';
import { readWithin } from '../../../kernel/storage/reading.ts';
import { recordsWithin, type Window } from '../../../kernel/storage/window.ts';
import { findMembershipById } from '../../../tenancy/modules/memberships/public.ts';
import { resources, type ResourceRecord } from '../resource/entity.ts';
import { organizationNode } from '../assignment/of-membership.ts';
import { ask } from '../check/ask.ts';
import { ORGANIZATION_TYPE } from '../resource/rules.ts';
import type { Facts } from '../check/facts.ts';

/** Number of resources that are checked together in one wave of reads. */
const BATCH = 100;
/** Number of batches that a page checks before it is returned, even if it is short. */
const MOST_BATCHES = 5;

/** The members of a resource that a search returns. */
export interface FoundRow {
  id: string;
  externalId: string;
}

/** The search for the resources of a type on which a membership has a permission. */
export interface ResourceSearch {
  environmentId: string;
  membershipId: string;
  permission: string;
  typeSlug: string;
}

/**
 * The resources of a page, in the order of their ids: those on which a check permits access. If all roles that decide are on
 * resources of the type itself, only those resources are read. If one is on a resource above, all resources of the type in
 * the organization are read from an index, which lags by moments, and checked. Such a page can have few entries although
 * there is a next one.
 */
export async function searchResources(search: ResourceSearch, window: Window): Promise<Reading<FoundRow>> {
  const { environmentId, membershipId, permission, typeSlug } = search;
  if (typeSlug === ORGANIZATION_TYPE) return searchOrganization(search, window);
  const facts = (await ask(environmentId, membershipId, [], { isWhole: true })).facts;
  const { membership } = facts;
  if (membership?.status !== 'active' || facts.organization === undefined || typeSlug.includes('#')) {
    return { records: [] };
  }
  const { organizationId } = membership;
  const candidates = await findCandidates(search, facts);
  const list = (part: Window): Promise<Reading<ResourceRecord>> =>
    candidates === 'all'
      ? resources.list('byType', { environmentId, organizationId, typeSlug }).toPage(part)
      : readWithin(candidates, part, (ids) => resources.getMany(environmentId, ids));
  const found: ResourceRecord[] = [];
  let { after } = window;
  for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
    const { records: rows, reached } = await list({
      scan: window.scan,
      limit: BATCH,
      ...(after === undefined ? {} : { after }),
    });
    const questions = rows.map(({ id }) => ({ named: { resource_id: id }, permission }));
    const { findings } = await ask(environmentId, membershipId, questions);
    found.push(...rows.filter((_, at) => findings[at]?.isAuthorized === true));
    if (found.length >= window.limit) return { records: found.slice(0, window.limit) };
    if (reached === undefined) return { records: found };
    after = reached;
  }
  return after === undefined ? { records: found } : { records: found, reached: after };
}

/** The organization's own resource, which has no row, as the only one of its type. */
async function searchOrganization(
  { environmentId, membershipId, permission }: ResourceSearch,
  window: Window,
): Promise<Reading<FoundRow>> {
  const membership = await findMembershipById(environmentId, membershipId);
  if (membership === undefined) return { records: [] };
  const { id, externalId } = organizationNode(membership.organizationId);
  const { findings } = await ask(environmentId, membershipId, [{ named: { resource_id: id }, permission }]);
  return { records: recordsWithin(findings[0]?.isAuthorized === true ? [{ id, externalId }] : [], window) };
}

/**
 * The ids of the resources on which the membership can have the permission; `all` if a role on a resource above gives it.
 */
async function findCandidates({ environmentId, membershipId, permission, typeSlug }: ResourceSearch, facts: Facts) {
  const id = facts.model.permissionsBySlug.get(permission)?.id;
  if (id === undefined || facts.membership === undefined) return [];
  const named = { resource_id: organizationNode(facts.membership.organizationId).id };
  const { findings } = await ask(environmentId, membershipId, [{ named, permission }]);
  if (findings[0]?.isAuthorized === true) return 'all';
  const { holdings, sheets, roles } = facts;
  const granted = [...holdings.grants, ...holdings.groups.flatMap((groupId) => sheets.get(groupId) ?? [])].filter(
    ({ roleId, resourceId }) => resourceId !== named.resource_id && roles.roles.get(roleId)?.permissionIds.has(id),
  );
  const isBelow = granted.some(
    (grant) => grant.typeSlug !== typeSlug && facts.model.isWithin(typeSlug, grant.typeSlug),
  );
  if (isBelow) return 'all';
  return [...new Set(granted.filter((grant) => grant.typeSlug === typeSlug).map(({ resourceId }) => resourceId))];
}
