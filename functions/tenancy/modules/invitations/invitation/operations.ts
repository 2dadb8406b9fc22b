import { apiKey } from '../../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { orFail } from '../../../../kernel/errors.ts';
import { listOperation } from '../../../../kernel/list-operation.ts';
import { operation } from '../../../../kernel/operation.ts';
import { organizationNotFound } from '../../../organizations/public.ts';
import { userExistsCheck } from '../../users/public.ts';
import { findInvitationByToken, invitations } from './entity.ts';
import {
  alreadyInvited,
  alreadyInvitedToOrganization,
  alreadyMember,
  expiresTooLate,
  expiresTooSoon,
  invalidRole,
  inviterNotFound,
  invitationNotFound,
  notDeliverable,
  organizationBlocked,
  userAlreadyExists,
} from './errors.ts';
import { findInvitations } from './find.ts';
import { isReachable, requireInvitationRoom, stageInvitation } from './stage.ts';
import { invitationOutcomeOperations } from './outcome-operations.ts';
import { findParties, findRejection, takenBy } from './parties.ts';
import { MAX_DAYS, MIN_DAYS } from './rules.ts';
import { CreateInvitation, Invitation, InvitationList, ListInvitations } from './schema.ts';
import { presentInvitation } from './token.ts';

export const listInvitations = listOperation({
  id: 'invitations.list',
  path: '/user_management/invitations',
  operator: 'people.read',
  summary: 'List invitations, by organization or by email address',
  description: 'The list may lag behind changes for a moment.',
  exposesCredential: true,
  query: ListInvitations,
  response: InvitationList,
  fetch: (environmentId, { organization_id: organizationId, email }, window) =>
    findInvitations(environmentId, { organizationId, email }, window),
  present: presentInvitation,
});

export const createInvitation = operation({
  id: 'invitations.create',
  method: 'POST',
  path: '/user_management/invitations',
  summary: 'Invite a person to the environment or to an organization, by mail',
  description:
    'Invites a new user to the environment or, with `organization_id`, a new or existing user to an organization, with the role in `role_slug`. It expires after `expires_in_days` (1 to 30, 7 by default). An address has at most one pending invitation to the environment, and one to each organization, and gets at most ten mails a day from each of them (429 beyond that). The response has the link too, in `accept_invitation_url`.',
  auth: apiKey,
  operator: 'people.change',
  body: CreateInvitation,
  responses: { 201: Invitation },
  errors: [
    organizationNotFound,
    inviterNotFound,
    alreadyInvitedToOrganization,
    alreadyMember,
    alreadyInvited,
    userAlreadyExists,
    expiresTooSoon,
    expiresTooLate,
    invalidRole,
    organizationBlocked,
    notDeliverable,
  ],
  emits: ['invitation.created'],
  // Responses are not stored for repeated requests, because they contain the token.
  idempotency: 'none',
  async handle({ environmentId, body, unit, fail, invalid }) {
    const { email, organization_id: organizationId, inviter_user_id: inviterId, role_slug: roleSlug } = body;
    if (body.expires_in_days < MIN_DAYS) throw fail(expiresTooSoon);
    if (body.expires_in_days > MAX_DAYS) throw fail(expiresTooLate);
    if (roleSlug !== undefined && organizationId === undefined) {
      throw invalid([{ field: 'role_slug', code: 'invalid', message: 'is a role in an organization; name it too' }]);
    }
    if (!(await isReachable(environmentId, email))) throw fail(notDeliverable);
    const wanted = { email, organizationId, roleSlug, inviterId };
    const [parties] = await awaitAll([
      findParties(environmentId, wanted),
      requireInvitationRoom(environmentId, email, organizationId),
    ]);
    const rejection = findRejection(wanted, parties);
    if (rejection !== undefined) throw fail(rejection);
    const { organization, role, inviter, former } = parties;
    const days = body.expires_in_days;
    const invitation = { environmentId, email, organization, role, inviter, days, locale: body.locale, former };
    const record = await stageInvitation(unit, invitation, fail(takenBy(wanted)));
    if (inviter !== undefined) unit.stage(userExistsCheck(environmentId, inviter.id));
    return { status: 201, body: await presentInvitation(record) };
  },
});

export const getInvitation = operation({
  id: 'invitations.get',
  method: 'GET',
  path: '/user_management/invitations/{id}',
  summary: 'Get an invitation',
  auth: apiKey,
  operator: 'people.read',
  exposesCredential: true,
  responses: { 200: Invitation },
  errors: [invitationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const record = await orFail(invitations.get(environmentId, params.id), () => fail(invitationNotFound));
    return { status: 200, body: await presentInvitation(record) };
  },
});

export const getInvitationByToken = operation({
  id: 'invitations.get_by_token',
  method: 'GET',
  path: '/user_management/invitations/by_token/{token}',
  summary: 'Get an invitation by its token',
  auth: apiKey,
  operator: 'never',
  responses: { 200: Invitation },
  errors: [invitationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const record = await orFail(findInvitationByToken(environmentId, params.token), () => fail(invitationNotFound));
    return { status: 200, body: await presentInvitation(record) };
  },
});

/** The operations on invitations. */
export const invitationOperations = [
  listInvitations,
  createInvitation,
  getInvitation,
  getInvitationByToken,
  ...invitationOutcomeOperations,
] as const;
