import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { orFail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage, wholeList } from '../../../kernel/pagination.ts';
import { pageWithin } from '../../../kernel/storage/reading.ts';
import { groupNotFound, MAX_GRANTS } from '../../../tenancy/groups/public.ts';
import { duplicateGroupRoleAssignment, groupAssignmentNotFound, placeNotFound } from './errors.ts';
import { findGroupRoles } from './find.ts';
import {
  CreateGroupRoleAssignment,
  DeleteGroupRoleAssignments,
  GroupRoleAssignment,
  GroupRoleAssignmentList,
  ListGroupRoleAssignments,
  presentGroupAssignment,
  ReplaceGroupRoleAssignments,
} from './schema.ts';
import { findPlace, isAt, newAssignment, stageAssignments } from './stage.ts';

const OF_GROUP = '/authorization/groups/{group_id}/role_assignments';
const AT_ONCE =
  'The next check of each member of the group uses the change. The `roles` of their memberships are updated in the background, and their tokens at the next refresh.';

const listGroupRoleAssignments = operation({
  id: 'authorization.groups.role_assignments.list',
  method: 'GET',
  path: OF_GROUP,
  summary: 'List the role assignments of a group',
  description: `Lists all of them, at most ${MAX_GRANTS}. The list is strongly consistent.`,
  auth: apiKey,
  query: ListGroupRoleAssignments,
  responses: { 200: GroupRoleAssignmentList },
  errors: [groupNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, query, fail }) {
    const found = await orFail(findGroupRoles(environmentId, params.group_id), () => fail(groupNotFound));
    const body = await readPage(query, async (window) => pageWithin(found.assignments, window), presentGroupAssignment);
    return { status: 200, body };
  },
});

const createGroupRoleAssignment = operation({
  id: 'authorization.groups.role_assignments.create',
  method: 'POST',
  path: OF_GROUP,
  summary: 'Assign a role to a group',
  description: `The role is assigned on the organization if no resource is named. The role must be one of the resource’s type. ${AT_ONCE}`,
  auth: apiKey,
  operator: 'people.change',
  body: CreateGroupRoleAssignment,
  responses: { 201: GroupRoleAssignment },
  errors: [groupNotFound, placeNotFound, duplicateGroupRoleAssignment],
  emits: [],
  idempotency: 'replay',
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const found = await orFail(findGroupRoles(environmentId, params.group_id), () => fail(groupNotFound));
    const place = await findPlace(found, body, { fail, invalid });
    const { assignments } = found;
    if (assignments.some((each) => isAt(each, place))) throw fail(duplicateGroupRoleAssignment);
    if (assignments.length >= MAX_GRANTS) {
      const message = `is one more than the ${MAX_GRANTS} roles that a group may have; remove one first`;
      throw invalid([{ field: 'role_slug', code: 'too_many_role_assignments', message }]);
    }
    const made = newAssignment(found.group.id, place);
    await stageAssignments(unit, found, [...assignments, made]);
    return { status: 201, body: presentGroupAssignment(made) };
  },
});

const replaceGroupRoleAssignments = operation({
  id: 'authorization.groups.role_assignments.replace',
  method: 'PUT',
  path: OF_GROUP,
  summary: 'Replace the role assignments of a group',
  description: `Replaces all assignments, at most ${MAX_GRANTS}; if one is invalid, nothing changes. An assignment that the group already has keeps its id. ${AT_ONCE}`,
  auth: apiKey,
  operator: 'people.change',
  body: ReplaceGroupRoleAssignments,
  responses: { 200: GroupRoleAssignmentList },
  errors: [groupNotFound, placeNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const found = await orFail(findGroupRoles(environmentId, params.group_id), () => fail(groupNotFound));
    const places = await awaitAll(
      body.role_assignments.map((named, at) => findPlace(found, named, { fail, invalid }, `role_assignments[${at}]`)),
    );
    const once = places.filter((place, at) => places.findIndex((each) => samePlace(each, place)) === at);
    const wanted = once.map(
      (place) => found.assignments.find((each) => isAt(each, place)) ?? newAssignment(found.group.id, place),
    );
    await stageAssignments(unit, found, wanted);
    const sorted = wanted.toSorted((one, other) => (one.id < other.id ? 1 : -1));
    return { status: 200, body: wholeList(sorted.map(presentGroupAssignment)) };
  },
});

const samePlace = (
  one: { roleId: string; resourceId: string },
  other: { roleId: string; resourceId: string },
): boolean => one.roleId === other.roleId && one.resourceId === other.resourceId;

const removeGroupRoleAssignments = operation({
  id: 'authorization.groups.role_assignments.remove',
  method: 'DELETE',
  path: OF_GROUP,
  summary: 'Remove a role from a group',
  description: `Without a resource in the body, the group loses the role that it has on the organization. ${AT_ONCE}`,
  auth: apiKey,
  operator: 'people.change',
  body: DeleteGroupRoleAssignments,
  responses: { 204: null },
  errors: [groupNotFound, placeNotFound, groupAssignmentNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const found = await orFail(findGroupRoles(environmentId, params.group_id), () => fail(groupNotFound));
    const place = await findPlace(found, body, { fail, invalid });
    const kept = found.assignments.filter((each) => !isAt(each, place));
    if (kept.length === found.assignments.length) throw fail(groupAssignmentNotFound);
    await stageAssignments(unit, found, kept);
    return { status: 204 };
  },
});

const getGroupRoleAssignment = operation({
  id: 'authorization.groups.role_assignments.get',
  method: 'GET',
  path: `${OF_GROUP}/{role_assignment_id}`,
  summary: 'Get a role assignment of a group',
  auth: apiKey,
  responses: { 200: GroupRoleAssignment },
  errors: [groupNotFound, groupAssignmentNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const found = await orFail(findGroupRoles(environmentId, params.group_id), () => fail(groupNotFound));
    const assignment = found.assignments.find(({ id }) => id === params.role_assignment_id);
    if (assignment === undefined) throw fail(groupAssignmentNotFound);
    return { status: 200, body: presentGroupAssignment(assignment) };
  },
});

const deleteGroupRoleAssignment = operation({
  id: 'authorization.groups.role_assignments.delete',
  method: 'DELETE',
  path: `${OF_GROUP}/{role_assignment_id}`,
  summary: 'Delete a role assignment of a group',
  description: AT_ONCE,
  auth: apiKey,
  operator: 'people.change',
  responses: { 204: null },
  errors: [groupNotFound, groupAssignmentNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const found = await orFail(findGroupRoles(environmentId, params.group_id), () => fail(groupNotFound));
    const kept = found.assignments.filter(({ id }) => id !== params.role_assignment_id);
    if (kept.length === found.assignments.length) throw fail(groupAssignmentNotFound);
    await stageAssignments(unit, found, kept);
    return { status: 204 };
  },
});

/** Operations on the role assignments of groups. */
export const groupAssignmentOperations = [
  listGroupRoleAssignments,
  createGroupRoleAssignment,
  replaceGroupRoleAssignments,
  removeGroupRoleAssignments,
  getGroupRoleAssignment,
  deleteGroupRoleAssignment,
] as const;
