import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { operation } from '../../../kernel/operation.ts';
import { type PageQuery, readPageTogether } from '../../../kernel/pagination.ts';
import type { Failure } from '../../../kernel/errors.ts';
import { pageWithin } from '../../../kernel/storage/reading.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import { loadRoles } from '../../../tenancy/roles/public.ts';
import { ask, readFacts } from '../check/ask.ts';
import { assignmentErrors, findSubject, removalErrors, stageAssignment, stageRemoval } from './change.ts';
import { subjectNotFound } from './errors.ts';
import { resourceNotFound } from '../resource/errors.ts';
import { findResource, findResourceByExternalId, type FoundResource } from '../resource/find.ts';
import { findAssignments } from './of-membership.ts';
import { listOnResource } from './on-resource.ts';
import { presentAssignments } from './present.ts';
import {
  AssignRole,
  ListOfMembership,
  ListOnResource,
  presentAssignment,
  RemoveRole,
  RoleAssignment,
  RoleAssignmentList,
} from './schema.ts';

const OF_MEMBERSHIP = '/authorization/organization_memberships/{organization_membership_id}/role_assignments';

const listRoleAssignments = operation({
  id: 'authorization.organization_memberships.role_assignments.list',
  method: 'GET',
  path: OF_MEMBERSHIP,
  summary: 'List the role assignments of a member',
  description:
    'Lists the roles of the membership on the organization and on resources, including those from groups; with a resource, only those on it. The list is strongly consistent.',
  auth: apiKey,
  query: ListOfMembership,
  responses: { 200: RoleAssignmentList },
  errors: [subjectNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, query, fail }) {
    const { resource_id: id, resource_external_id: externalId } = query;
    const questions = id === undefined && externalId === undefined ? [] : [{ named: query }];
    const { facts, findings } = await ask(environmentId, params.organization_membership_id, questions, {
      isWhole: true,
    });
    if (facts.membership === undefined || facts.organization === undefined) throw fail(subjectNotFound);
    const [node] = findings[0]?.chain ?? [];
    if (questions.length > 0 && node === undefined) throw fail(subjectNotFound);
    const found = (await findAssignments(facts)).filter(
      ({ resource }) => node === undefined || resource.id === node.id,
    );
    const body = await readPageTogether(
      query,
      async (window) => pageWithin(found, window),
      (records) => presentAssignments(environmentId, records),
    );
    return { status: 200, body };
  },
});

const assignRole = operation({
  id: 'authorization.organization_memberships.role_assignments.create',
  method: 'POST',
  path: OF_MEMBERSHIP,
  summary: 'Assign a role on a resource to a member',
  description:
    'The role must be one of the resource’s type. A role on the organization’s own resource is also in `roles` of the ' +
    'membership. If the member has the role already, the existing assignment is returned. A membership has at most 1,000 roles on resources.',
  auth: apiKey,
  operator: 'people.change',
  body: AssignRole,
  responses: { 201: RoleAssignment },
  errors: assignmentErrors,
  emits: ['organization_membership.updated'],
  idempotency: 'replay',
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const wanted = {
      environmentId,
      membershipId: params.organization_membership_id,
      named: body,
      slug: body.role_slug,
    };
    return { status: 201, body: presentAssignment(await stageAssignment(unit, wanted, { fail, invalid })) };
  },
});

const ON_RESOURCE =
  'Lists the assignments on this resource, including those of groups; `role_slug` selects those of one role. Assignments ' +
  'of memberships on resources below the organization may lag behind changes for a moment.';
const LAST_ROLE = 'A member that loses its last role at the organization gets the default role.';

const removeRole = operation({
  id: 'authorization.organization_memberships.role_assignments.remove',
  method: 'DELETE',
  path: OF_MEMBERSHIP,
  summary: 'Remove a role on a resource from a member',
  description: LAST_ROLE,
  auth: apiKey,
  operator: 'people.change',
  body: RemoveRole,
  responses: { 204: null },
  errors: removalErrors,
  emits: ['organization_membership.updated'],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail }) {
    const { facts, node } = await findSubject(environmentId, params.organization_membership_id, body, fail);
    await stageRemoval(unit, facts, { slug: body.role_slug, resourceId: node.id }, fail);
    return { status: 204 };
  },
});

const removeRoleAssignment = operation({
  id: 'authorization.organization_memberships.role_assignments.delete',
  method: 'DELETE',
  path: `${OF_MEMBERSHIP}/{role_assignment_id}`,
  summary: 'Delete a role assignment of a member',
  description: LAST_ROLE,
  auth: apiKey,
  operator: 'people.change',
  responses: { 204: null },
  errors: removalErrors,
  emits: ['organization_membership.updated'],
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const facts = await readFacts(environmentId, params.organization_membership_id);
    if (facts.membership === undefined || facts.organization === undefined) throw fail(subjectNotFound);
    await stageRemoval(unit, facts, { id: params.role_assignment_id }, fail);
    return { status: 204 };
  },
});

type OnResourceQuery = PageQuery & { role_slug?: string | undefined };

/** Responds with a page of the assignments on a resource. */
async function assignmentsOn(
  environmentId: string,
  found: FoundResource | undefined,
  query: OnResourceQuery,
  fail: (error: typeof resourceNotFound) => Failure,
) {
  if (found === undefined) throw fail(resourceNotFound);
  const { id, organizationId, typeSlug, externalId } = found.view;
  const roles = await loadRoles(environmentId, organizationId);
  const role = query.role_slug === undefined ? undefined : roles.rolesBySlug.get(query.role_slug);
  const isOther = query.role_slug !== undefined && role?.resourceType !== typeSlug;
  const search = { environmentId, organizationId, node: { id, typeSlug, externalId }, roles, role };
  const list = async (window: Window): ReturnType<typeof listOnResource> =>
    isOther ? { records: [] } : listOnResource(search, window);
  return readPageTogether(query, list, (records) => presentAssignments(environmentId, records));
}

const listAssignmentsOnResource = operation({
  id: 'authorization.resources.role_assignments',
  method: 'GET',
  path: '/authorization/resources/{resource_id}/role_assignments',
  summary: 'List the role assignments on a resource',
  description: ON_RESOURCE,
  auth: apiKey,
  query: ListOnResource,
  responses: { 200: RoleAssignmentList },
  errors: [resourceNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, query, fail }) {
    const found = await findResource(environmentId, params.resource_id);
    return { status: 200, body: await assignmentsOn(environmentId, found, query, fail) };
  },
});

const listAssignmentsByExternalId = operation({
  id: 'authorization.resources.role_assignments_by_external_id',
  method: 'GET',
  path: '/authorization/organizations/{organization_id}/resources/{resource_type_slug}/{external_id}/role_assignments',
  freeText: 'external_id',
  summary: 'List the role assignments on a resource by its external id',
  description: ON_RESOURCE,
  auth: apiKey,
  query: ListOnResource,
  responses: { 200: RoleAssignmentList },
  errors: [resourceNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, query, fail }) {
    const { organization_id: organizationId, resource_type_slug: type, external_id: externalId } = params;
    const found = await findResourceByExternalId(environmentId, organizationId, type, externalId);
    return { status: 200, body: await assignmentsOn(environmentId, found, query, fail) };
  },
});

/** Operations on the role assignments of memberships. */
export const assignmentOperations = [
  listRoleAssignments,
  assignRole,
  removeRole,
  removeRoleAssignment,
  listAssignmentsOnResource,
  listAssignmentsByExternalId,
] as const;
