import { apiKey } from '../../kernel/authentication/api-key.ts';
import { operation } from '../../kernel/operation.ts';
import { pageOf } from '../../kernel/pagination.ts';
import { recordsWithin } from '../../kernel/storage/window.ts';
import { ask, readFacts } from '../check/ask.ts';
import { assignmentErrors, findSubject, stageAssignment, stageRemoval } from './change.ts';
import { subjectNotFound } from './errors.ts';
import { assignmentsOf } from './of-membership.ts';
import {
  AssignRole,
  ListOfMembership,
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
    'Its roles at the organization and on resources, those that groups give it included; with a resource only those on it. The ' +
    'list is current.',
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
    const found = (await assignmentsOf(facts)).filter(({ resource }) => node === undefined || resource.id === node.id);
    return {
      status: 200,
      body: await pageOf(query, async (window) => recordsWithin(found, window), presentAssignment),
    };
  },
});

const assignRole = operation({
  id: 'authorization.organization_memberships.role_assignments.create',
  method: 'POST',
  path: OF_MEMBERSHIP,
  summary: 'Assign a role on a resource to a member',
  description:
    'The role must be one of the resource’s type. A role on the organization’s own resource is a role of the membership, and ' +
    'shown there too. A role that the member has already is returned as it is. A membership has at most 1,000 roles on resources.',
  auth: apiKey,
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

const LAST_ROLE = 'A member that loses its last role at the organization gets the default role.';

const removeRole = operation({
  id: 'authorization.organization_memberships.role_assignments.remove',
  method: 'DELETE',
  path: OF_MEMBERSHIP,
  summary: 'Take a role on a resource from a member',
  description: LAST_ROLE,
  auth: apiKey,
  body: RemoveRole,
  responses: { 204: null },
  errors: assignmentErrors,
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
  responses: { 204: null },
  errors: assignmentErrors,
  emits: ['organization_membership.updated'],
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const facts = await readFacts(environmentId, params.organization_membership_id);
    if (facts.membership === undefined || facts.organization === undefined) throw fail(subjectNotFound);
    await stageRemoval(unit, facts, { id: params.role_assignment_id }, fail);
    return { status: 204 };
  },
});

/** Operations on the role assignments of memberships. */
export const assignmentOperations = [listRoleAssignments, assignRole, removeRole, removeRoleAssignment] as const;
