import { apiKey } from '../../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { orFail } from '../../../../kernel/errors.ts';
import { isId } from '../../../../kernel/id-format.ts';
import { operation } from '../../../../kernel/operation.ts';
import { readPageTogether } from '../../../../kernel/pagination.ts';
import { findOrganization, organizationNotFound } from '../../../organizations/public.ts';
import { stageRevocationOfAll } from '../../../sessions/public.ts';
import { findUser, touchUserVersion, userNotFound } from '../../users/public.ts';
import { stageMembership, stageMembershipChange, stageMembershipEnd } from './stage.ts';
import { type OrganizationMembershipRecord, organizationMemberships } from './entity.ts';
import {
  alreadyMember,
  cannotDeactivatePending,
  cannotReactivatePending,
  invalidRole,
  invalidStatuses,
  malformedId,
  membershipNotFound,
  missingUserOrOrganization,
  multipleRolesNotEnabled,
  subResourceRoleNotAllowed,
} from './errors.ts';
import { findMemberships, findMembership } from './find.ts';
import { type Parties, findParties, presentAll } from './present.ts';
import { rolesOfMemberships, wantedRoles } from './roles.ts';
import {
  CreateOrganizationMembership,
  ListOrganizationMemberships,
  OrganizationMembership,
  OrganizationMembershipList,
  presentMembership,
  UpdateOrganizationMembership,
} from './schema.ts';

/** Reads a membership whose user and organization both exist; undefined otherwise. */
async function readMembership(
  environmentId: string,
  id: string,
): Promise<{ record: OrganizationMembershipRecord; parties: Parties } | undefined> {
  const record = await organizationMemberships.get(environmentId, id);
  const parties = record && (await findParties(record));
  return record && parties && { record, parties };
}

const present = (record: OrganizationMembershipRecord, { user, organizationName }: Parties) =>
  presentMembership(record, user, organizationName);

const listOrganizationMemberships = operation({
  id: 'organization_memberships.list',
  method: 'GET',
  path: '/user_management/organization_memberships',
  summary: 'List the organization memberships of a user or an organization',
  description:
    'Lists only active memberships unless `statuses` selects others. The list of a user is strongly consistent; the ' +
    'list of an organization may lag behind changes for a moment.',
  auth: apiKey,
  query: ListOrganizationMemberships,
  responses: { 200: OrganizationMembershipList },
  errors: [missingUserOrOrganization, invalidStatuses, userNotFound, organizationNotFound],
  memberErrors: { statuses: invalidStatuses },
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query, fail }) {
    const { user_id: userId, organization_id: organizationId, statuses = ['active'] } = query;
    if (userId === undefined && organizationId === undefined) throw fail(missingUserOrOrganization);
    const [user, organization, page] = await awaitAll([
      userId === undefined || findUser(environmentId, userId),
      organizationId === undefined || findOrganization(environmentId, organizationId),
      readPageTogether(
        query,
        (window) => findMemberships(environmentId, { userId, organizationId, statuses }, window),
        (found) => presentAll(environmentId, found),
      ),
    ]);
    if (user === undefined) throw fail(userNotFound);
    if (organization === undefined) throw fail(organizationNotFound);
    return { status: 200, body: page };
  },
});

const createOrganizationMembership = operation({
  id: 'organization_memberships.create',
  method: 'POST',
  path: '/user_management/organization_memberships',
  summary: 'Create an organization membership',
  description: 'An inactive membership of this user in this organization is reactivated, with the given roles, if any.',
  auth: apiKey,
  operator: 'people.change',
  body: CreateOrganizationMembership,
  responses: { 201: OrganizationMembership },
  errors: [
    alreadyMember,
    cannotReactivatePending,
    userNotFound,
    organizationNotFound,
    invalidRole,
    multipleRolesNotEnabled,
    subResourceRoleNotAllowed,
  ],
  emits: ['organization_membership.created', 'organization_membership.updated'],
  idempotency: 'replay',
  dryRun: true,
  async handle({ environmentId, body, unit, fail }) {
    const pair = { environmentId, userId: body.user_id, organizationId: body.organization_id };
    const [user, organization, former, known] = await awaitAll([
      findUser(environmentId, pair.userId),
      findOrganization(environmentId, pair.organizationId),
      findMembership(environmentId, pair.userId, pair.organizationId),
      rolesOfMemberships(environmentId, pair.organizationId),
    ]);
    if (user === undefined) throw fail(userNotFound);
    if (organization === undefined) throw fail(organizationNotFound);
    if (former?.status === 'active') throw fail(alreadyMember);
    if (former?.status === 'pending') throw fail(cannotReactivatePending);
    const roles = wantedRoles(known, body, fail);
    const record =
      former === undefined
        ? stageMembership(unit, { ...pair, roles: roles ?? [known.defaultRole] })
        : stageMembershipChange(unit, former, { status: 'active', roles: roles && { known, own: roles } });
    return { status: 201, body: presentMembership(record, user, organization.name) };
  },
});

const getOrganizationMembership = operation({
  id: 'organization_memberships.get',
  method: 'GET',
  path: '/user_management/organization_memberships/{id}',
  summary: 'Get an organization membership',
  auth: apiKey,
  responses: { 200: OrganizationMembership },
  errors: [membershipNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const found = await orFail(readMembership(environmentId, params.id), () => fail(membershipNotFound));
    return { status: 200, body: present(found.record, found.parties) };
  },
});

const updateOrganizationMembership = operation({
  id: 'organization_memberships.update',
  method: 'PUT',
  path: '/user_management/organization_memberships/{id}',
  summary: 'Update the roles of an organization membership',
  description: 'The given roles replace those of the membership; access tokens contain them from the next refresh.',
  auth: apiKey,
  operator: 'people.change',
  body: UpdateOrganizationMembership,
  responses: { 200: OrganizationMembership },
  errors: [membershipNotFound, invalidRole, multipleRolesNotEnabled, subResourceRoleNotAllowed],
  emits: ['organization_membership.updated'],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params, body, unit, fail }) {
    const found = await orFail(readMembership(environmentId, params.id), () => fail(membershipNotFound));
    const known = await rolesOfMemberships(environmentId, found.record.organizationId);
    const roles = wantedRoles(known, body, fail);
    const record = stageMembershipChange(unit, found.record, { roles: roles && { known, own: roles } });
    return { status: 200, body: present(record, found.parties) };
  },
});

const deleteOrganizationMembership = operation({
  id: 'organization_memberships.delete',
  method: 'DELETE',
  path: '/user_management/organization_memberships/{id}',
  summary: 'Delete an organization membership',
  description: 'The user’s sessions in the organization are revoked.',
  auth: apiKey,
  operator: 'people.change',
  responses: { 200: null },
  errors: [membershipNotFound],
  emits: ['organization_membership.deleted', 'session.revoked'],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params, unit, fail }) {
    const found = await orFail(readMembership(environmentId, params.id), () => fail(membershipNotFound));
    const { record, parties } = found;
    touchUserVersion(unit, parties.user);
    stageMembershipEnd(unit, record);
    await revokeWithin(unit, record);
    return { status: 200 };
  },
});

/** The error for an id that no membership can have. */
const notOfMembership = { field: 'id', code: 'invalid_id', message: 'looks like om_01JX…' };

const deactivateOrganizationMembership = operation({
  id: 'organization_memberships.deactivate',
  method: 'PUT',
  path: '/user_management/organization_memberships/{id}/deactivate',
  summary: 'Deactivate an organization membership',
  description:
    'The user’s sessions in the organization are revoked, and the user cannot sign in to it until the membership ' +
    'is reactivated.',
  auth: apiKey,
  operator: 'people.support',
  responses: { 200: OrganizationMembership },
  errors: [malformedId, membershipNotFound, cannotDeactivatePending],
  emits: ['organization_membership.updated', 'session.revoked'],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params, unit, fail }) {
    if (!isId('om', params.id)) throw fail(malformedId, { issues: [notOfMembership] });
    const found = await orFail(readMembership(environmentId, params.id), () => fail(membershipNotFound));
    const { record: former, parties } = found;
    if (former.status === 'pending') throw fail(cannotDeactivatePending);
    // A membership that its directory has made inactive is inactive by the administrator from now on.
    const record = stageMembershipChange(unit, former, { status: 'inactive', inactiveBy: 'administrator' });
    if (former.status === 'inactive') return { status: 200, body: present(record, parties) };
    touchUserVersion(unit, parties.user);
    await revokeWithin(unit, record);
    return { status: 200, body: present(record, parties) };
  },
});

const reactivateOrganizationMembership = operation({
  id: 'organization_memberships.reactivate',
  method: 'PUT',
  path: '/user_management/organization_memberships/{id}/reactivate',
  summary: 'Reactivate an organization membership',
  auth: apiKey,
  operator: 'people.support',
  responses: { 200: OrganizationMembership },
  errors: [malformedId, membershipNotFound, cannotReactivatePending],
  emits: ['organization_membership.updated'],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params, unit, fail }) {
    if (!isId('om', params.id)) throw fail(malformedId, { issues: [notOfMembership] });
    const found = await orFail(readMembership(environmentId, params.id), () => fail(membershipNotFound));
    if (found.record.status === 'pending') throw fail(cannotReactivatePending);
    const record = stageMembershipChange(unit, found.record, { status: 'active' });
    return { status: 200, body: present(record, found.parties) };
  },
});

/**
 * Revokes the member's sessions in the organization. The unit of work revises the user's row, so that a concurrent sign-in
 * conflicts.
 */
const revokeWithin = (
  unit: Parameters<typeof stageRevocationOfAll>[0],
  { environmentId, userId, organizationId }: OrganizationMembershipRecord,
) => stageRevocationOfAll(unit, environmentId, userId, (session) => session.organizationId === organizationId);

/** The operations on organization memberships. */
export const organizationMembershipOperations = [
  listOrganizationMemberships,
  createOrganizationMembership,
  getOrganizationMembership,
  updateOrganizationMembership,
  deleteOrganizationMembership,
  deactivateOrganizationMembership,
  reactivateOrganizationMembership,
] as const;
