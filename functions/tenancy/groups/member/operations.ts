import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { orFail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { pageMembers, readPage } from '../../../kernel/pagination.ts';
import { findMembershipById } from '../../modules/memberships/public.ts';
import { findOrganization } from '../../organizations/public.ts';
import * as z from 'zod';
import { groupNotFound } from '../group/errors.ts';
import { findGroup } from '../group/find.ts';
import { Group, GroupList, presentGroup } from '../group/schema.ts';
import { isMember, stageAddition, stageRemoval } from './stage.ts';
import { groupMembershipLimitExceeded, MAX_GROUPS, membershipNotFound, notMember } from './errors.ts';
import { findMember, listGroupsOfMembership, listMembers } from './find.ts';
import { CreateGroupMembership, GroupMemberList, ListGroupMembers, presentGroupMember } from './schema.ts';

const listGroupMembers = operation({
  id: 'group_members.list',
  method: 'GET',
  path: '/organizations/{organizationId}/groups/{groupId}/organization-memberships',
  summary: 'List the members of a group',
  description:
    'Lists the organization memberships in the group, in any status, each with its user. The list is strongly consistent.',
  auth: apiKey,
  query: ListGroupMembers,
  responses: { 200: GroupMemberList },
  errors: [groupNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, query, fail }) {
    const found = await orFail(findGroup(environmentId, params.organizationId, params.groupId), () =>
      fail(groupNotFound),
    );
    const { group, organization } = found;
    const page = await readPage(
      query,
      (window) => listMembers(group, window),
      ({ member }) => member,
    );
    const data = page.data.flatMap((member) => (member ? [presentGroupMember(member, organization.name)] : []));
    return { status: 200, body: { ...page, data } };
  },
});

const addGroupMember = operation({
  id: 'group_members.create',
  method: 'POST',
  path: '/organizations/{organizationId}/groups/{groupId}/organization-memberships',
  summary: 'Add an organization membership to a group',
  description:
    `A membership can be in ${MAX_GROUPS} groups; a group has any number of members. Adding a membership that is in the ` +
    'group changes nothing. The next check uses the roles of the group.',
  auth: apiKey,
  operator: 'people.change',
  body: CreateGroupMembership,
  responses: { 200: Group },
  errors: [groupNotFound, membershipNotFound, groupMembershipLimitExceeded],
  emits: ['group.member_added', 'organization_membership.updated'],
  idempotency: 'replay',
  dryRun: true,
  async handle({ environmentId, params, body, unit, fail }) {
    const { organizationId, groupId } = params;
    const [found, member] = await awaitAll([
      findGroup(environmentId, organizationId, groupId),
      findMember(environmentId, organizationId, body.organization_membership_id),
    ]);
    if (found === undefined) throw fail(groupNotFound);
    if (member === undefined) throw fail(membershipNotFound);
    if (!(await stageAddition(unit, member, found.group))) throw fail(groupMembershipLimitExceeded);
    return { status: 200, body: presentGroup(found.group) };
  },
});

const removeGroupMember = operation({
  id: 'group_members.delete',
  method: 'DELETE',
  path: '/organizations/{organizationId}/groups/{groupId}/organization-memberships/{omId}',
  summary: 'Remove an organization membership from a group',
  description: 'Access that the member has only through the group ends with this response.',
  auth: apiKey,
  operator: 'people.change',
  responses: { 204: null },
  errors: [groupNotFound, notMember],
  emits: ['group.member_removed', 'organization_membership.updated'],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params, unit, fail }) {
    const { organizationId, groupId, omId } = params;
    const [found, member] = await awaitAll([
      findGroup(environmentId, organizationId, groupId),
      findMember(environmentId, organizationId, omId),
    ]);
    if (found === undefined) throw fail(groupNotFound);
    if (member === undefined || !isMember(member, groupId)) throw fail(notMember);
    await stageRemoval(unit, member, found.group);
    return { status: 204 };
  },
});

const listGroupsOfMember = operation({
  id: 'organization_membership_groups.list',
  method: 'GET',
  path: '/user_management/organization_memberships/{omId}/groups',
  summary: 'List the groups of an organization membership',
  description: `Lists all of them, at most ${MAX_GROUPS}. The list is strongly consistent.`,
  auth: apiKey,
  query: z.object(pageMembers('group')),
  responses: { 200: GroupList },
  errors: [membershipNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, query, fail }) {
    const [membership, body] = await awaitAll([
      findMembershipById(environmentId, params.omId),
      readPage(query, (window) => listGroupsOfMembership(environmentId, params.omId, window), presentGroup),
    ]);
    const organization = membership && (await findOrganization(environmentId, membership.organizationId));
    if (organization === undefined) throw fail(membershipNotFound);
    return { status: 200, body };
  },
});

/** Operations on the members of groups. */
export const groupMemberOperations = [listGroupMembers, addGroupMember, removeGroupMember, listGroupsOfMember] as const;
