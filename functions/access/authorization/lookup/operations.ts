import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { declareError, type Failure } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage } from '../../../kernel/pagination.ts';
import { readTogether } from '../../../kernel/storage/together.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import { type OrganizationMembershipRecord, presentMembership } from '../../../tenancy/modules/memberships/public.ts';
import { findUsersById } from '../../../tenancy/modules/users/public.ts';
import { ask } from '../check/ask.ts';
import { checkNotFound } from '../check/errors.ts';
import { resources } from '../resource/entity.ts';
import { findResource, findResourceByExternalId, type FoundResource } from '../resource/find.ts';
import { notedPlace, notedResource, noteResource, type ResourceNote } from '../resource/notes.ts';
import { parentNamed, presentResource, ResourceList } from '../resource/schema.ts';
import { findChain } from './chain.ts';
import { readOrganization } from './organization.ts';
import { listMembers } from './members.ts';
import { listAccessible } from './resources.ts';
import { ListAccessible, ListMembers, MemberList } from './schema.ts';

const parentRequired = declareError({
  status: 400,
  code: 'bad_request',
  message:
    'Name a parent: parent_resource_id, or parent_resource_external_id with parent_resource_type_slug. The resources directly below ' +
    'it are listed; the organization’s own resource is a parent too.',
});

const invalidAssignment = declareError({
  status: 400,
  code: 'bad_request',
  message:
    '`assignment` must be `direct`, which lists only members with a role on this resource itself, or `indirect`, which lists all members with the permission, also by a role on the organization or on a parent.',
});

const listResourcesOfMembership = operation({
  id: 'authorization.organization_memberships.resources',
  method: 'GET',
  path: '/authorization/organization_memberships/{organization_membership_id}/resources',
  summary: 'List the resources below a parent on which a member has a permission',
  description:
    'Lists the resources directly below the parent, of the permission’s resource type, on which the check authorizes the member. The list is strongly consistent.',
  auth: apiKey,
  query: ListAccessible,
  responses: { 200: ResourceList },
  errors: [parentRequired, checkNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, query, fail }) {
    if (query.parent_resource_id === undefined && query.parent_resource_external_id === undefined) {
      throw fail(parentRequired);
    }
    const question = { named: parentNamed(query), permission: query.permission_slug };
    const { facts, findings } = await ask(environmentId, params.organization_membership_id, [question], {
      isWhole: true,
    });
    const [finding] = findings;
    if (finding === undefined) throw fail(checkNotFound);
    return {
      status: 200,
      body: await readPage(query, (window) => listAccessible(facts, finding, window), presentResource),
    };
  },
});

type MemberQuery = Parameters<typeof readPage>[0] & { permission_slug: string; assignment: 'direct' | 'indirect' };

/**
 * The members with a permission on a resource. It takes four waves of reads if this instance has seen the resource,
 * otherwise five, and one more if groups have a role.
 * @param noted the cached note about the resource, which only predicts reads
 */
async function membersOn(
  environmentId: string,
  find: () => Promise<FoundResource | undefined>,
  noted: ResourceNote | undefined,
  query: MemberQuery,
  fail: (error: typeof checkNotFound) => Failure,
) {
  const [found, read, predicted] = await readTogether(() =>
    awaitAll([
      find(),
      resources.getMany(environmentId, noted?.ancestors ?? []),
      noted && readOrganization(environmentId, noted.organizationId),
    ]),
  );
  if (found === undefined) throw fail(checkNotFound);
  const { organizationId } = found.view;
  const [chain, { roles, organization, isMultiple }] = await awaitAll([
    findChain(found, read),
    predicted?.organizationId === organizationId ? predicted : readOrganization(environmentId, organizationId),
  ]);
  const [resource, ...above] = chain ?? [];
  if (resource === undefined) throw fail(checkNotFound);
  if (found.record !== undefined) {
    const ancestors = above.slice(0, -1).map(({ id }) => id);
    noteResource(found.record, ancestors);
  }
  const permission = roles.model.permissionsBySlug.get(query.permission_slug);
  if (permission === undefined || organization === undefined) throw fail(checkNotFound);
  const nodes = [resource, ...(query.assignment === 'direct' ? [] : above)] as const;
  const search = { environmentId, organizationId, nodes, permission, roles, isMultiple };
  const page = await readPage(
    query,
    (window: Window) => listMembers(search, window),
    (record: OrganizationMembershipRecord) => record,
  );
  const users = await findUsersById(environmentId, [...new Set(page.data.map(({ userId }) => userId))]);
  const byId = new Map(users.map((user) => [user.id, user]));
  const data = page.data.flatMap((record) => {
    const user = byId.get(record.userId);
    return user === undefined ? [] : [presentMembership(record, user, organization.name)];
  });
  return { ...page, data };
}

const MEMBERS_DESCRIPTION =
  'Lists active members only. `direct` requires a role on this resource itself; `indirect` also accepts a role on a ' +
  'resource above it. The list is strongly consistent.';

/** The parts of the declaration that the lists by either id share. */
const memberList = {
  method: 'GET',
  description: MEMBERS_DESCRIPTION,
  auth: apiKey,
  query: ListMembers,
  responses: { 200: MemberList },
  errors: [invalidAssignment, checkNotFound],
  memberErrors: { assignment: invalidAssignment },
  emits: [],
  idempotency: 'none',
} as const;

const listMembershipsOnResource = operation({
  ...memberList,
  id: 'authorization.resources.organization_memberships',
  path: '/authorization/resources/{resource_id}/organization_memberships',
  summary: 'List the members who have a permission on a resource',
  async handle({ environmentId, params, query, fail }) {
    const find = () => findResource(environmentId, params.resource_id);
    const noted = notedResource(environmentId, params.resource_id);
    return { status: 200, body: await membersOn(environmentId, find, noted, query, fail) };
  },
});

const listMembershipsByExternalId = operation({
  ...memberList,
  id: 'authorization.resources.organization_memberships_by_external_id',
  path: '/authorization/organizations/{organization_id}/resources/{resource_type_slug}/{external_id}/organization_memberships',
  freeText: 'external_id',
  summary: 'List the members who have a permission on a resource by its external id',
  async handle({ environmentId, params, query, fail }) {
    const { organization_id: organizationId, resource_type_slug: type, external_id: externalId } = params;
    const find = () => findResourceByExternalId(environmentId, organizationId, type, externalId);
    const noted = notedPlace(environmentId, organizationId, type, externalId);
    return { status: 200, body: await membersOn(environmentId, find, noted, query, fail) };
  },
});

/** Operations that look up resources and members by a permission. */
export const lookupOperations = [
  listResourcesOfMembership,
  listMembershipsOnResource,
  listMembershipsByExternalId,
] as const;
