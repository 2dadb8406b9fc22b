import { apiKey } from '../../../kernel/authentication/api-key.ts';
import type { Failure } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { type Page, pageMembers, readPage, type PageQuery } from '../../../kernel/pagination.ts';
import { pageWithin } from '../../../kernel/storage/reading.ts';
import * as z from 'zod';

import { AuthorizationPermissionList, presentPermission } from '../../../tenancy/roles/public.ts';
import type { Named } from '../resource/schema.ts';
import { logDecisions } from '../decision-log/log.ts';
import { ask } from './ask.ts';
import { checkNotFound } from './errors.ts';
import { Check, CheckMany, CheckManyResult, CheckResult, Explain, Explanation, presentExplanation } from './schema.ts';

const checkAuthorization = operation({
  id: 'authorization.check',
  method: 'POST',
  path: '/authorization/organization_memberships/{organization_membership_id}/check',
  summary: 'Check whether a member has a permission on a resource',
  description:
    'Decides whether a user can do something, such as edit a document (`document:edit`). If you have the id of the user and not of the membership, ' +
    '`GET /user_management/organization_memberships?user_id=…&organization_id=…` returns it (`data[0].id`).\n\n' +
    '`authorized` is true if the membership is active and has a role with the permission on the resource or on a resource ' +
    'above it, assigned to the membership or to one of its groups; otherwise, such as for a member without roles, it is false. A permission, resource or membership that does not exist is not false: the ' +
    'response is 404 `not_found`. The check uses every change whose response was sent before it began.',
  auth: apiKey,
  operator: 'people.read',
  body: Check,
  responses: { 200: CheckResult },
  errors: [checkNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, body, request, fail }) {
    const { organization_membership_id: membershipId } = params;
    const question = { named: body, permission: body.permission_slug };
    const { findings } = await ask(environmentId, membershipId, [question]);
    const [finding] = findings;
    if (finding === undefined) throw fail(checkNotFound);
    const { isAuthorized } = finding;
    const decided = { membershipId, permission: body.permission_slug, resource: body, isAuthorized };
    await logDecisions(environmentId, request.id, 'check', [decided]);
    return { status: 200, body: { authorized: isAuthorized } };
  },
});

const checkMany = operation({
  id: 'x_authorization.check_many',
  method: 'POST',
  path: '/x/authorization/check',
  summary: 'Check up to 100 permissions and resources of one member',
  description:
    'The checks run at the same time, so the call takes about as long as one check. A check of an unknown permission or resource is denied with the code `not_found`; ' +
    'the others are not affected.',
  auth: apiKey,
  operator: 'people.read',
  body: CheckMany,
  responses: { 200: CheckManyResult },
  errors: [checkNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body, request, fail }) {
    const { organization_membership_id: membershipId } = body;
    const questions = body.checks.map((check) => ({ named: check, permission: check.permission_slug }));
    const { facts, findings } = await ask(environmentId, membershipId, questions);
    if (facts.membership === undefined || facts.organization === undefined) throw fail(checkNotFound);
    const data = findings.map((finding) => ({
      authorized: finding?.isAuthorized ?? false,
      code: finding === undefined ? ('not_found' as const) : null,
    }));
    const decided = questions.map(({ named, permission }, at) => ({
      membershipId,
      permission,
      resource: named,
      isAuthorized: data[at]?.authorized === true,
    }));
    await logDecisions(environmentId, request.id, 'check_many', decided);
    return { status: 200, body: { object: 'authorization_checks' as const, data } };
  },
});

const explainCheck = operation({
  id: 'x_authorization.explain',
  method: 'POST',
  path: '/x/authorization/explain',
  summary: 'Explain why a member has a permission on a resource, or why not',
  description:
    'If access is authorized, returns each role with the permission, with its resource and source; otherwise the roles that would permit it, and on which resource.',
  auth: apiKey,
  operator: 'people.read',
  body: Explain,
  responses: { 200: Explanation },
  errors: [checkNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body, fail }) {
    const question = { named: body, permission: body.permission_slug };
    const { facts, findings } = await ask(environmentId, body.organization_membership_id, [question], {
      isWhole: true,
    });
    const [finding] = findings;
    if (finding === undefined) throw fail(checkNotFound);
    return { status: 200, body: presentExplanation(facts, finding, body.permission_slug) };
  },
});

const ListPermissions = z.object(pageMembers('perm'));

/** Responds with a page of the permissions of a membership on a resource: those for which the check is positive. */
async function effectivePermissions(
  context: { environmentId: string; query: PageQuery; fail: (error: typeof checkNotFound) => Failure },
  params: { organization_membership_id: string },
  named: Named,
): Promise<{ status: 200; body: Page<ReturnType<typeof presentPermission>> }> {
  const { environmentId, query, fail } = context;
  const { facts, findings } = await ask(environmentId, params.organization_membership_id, [{ named }], {
    isWhole: true,
  });
  const [finding] = findings;
  if (finding === undefined) throw fail(checkNotFound);
  const isActive = facts.membership?.status === 'active';
  const ids = new Set(isActive ? finding.held.flatMap(({ role }) => [...role.permissionIds]) : []);
  const permissions = [...facts.model.permissions.values()].filter(({ id }) => ids.has(id));
  return {
    status: 200,
    body: await readPage(query, async (window) => pageWithin(permissions, window), presentPermission),
  };
}

/** The parts of the declaration that the operations on a member's permissions share. */
const effective = {
  method: 'GET',
  description:
    'Lists all permissions that the member has on the resource, including those from groups and from roles on parent resources.',
  auth: apiKey,
  query: ListPermissions,
  responses: { 200: AuthorizationPermissionList },
  errors: [checkNotFound],
  emits: [],
  idempotency: 'none',
} as const;

const listEffectivePermissions = operation({
  ...effective,
  id: 'authorization.organization_memberships.permissions',
  path: '/authorization/organization_memberships/{organization_membership_id}/resources/{resource_id}/permissions',
  summary: 'List the permissions of a member on a resource',
  handle: async ({ params, ...context }) => effectivePermissions(context, params, { resource_id: params.resource_id }),
});

const listEffectivePermissionsByExternalId = operation({
  ...effective,
  id: 'authorization.organization_memberships.permissions_by_external_id',
  path: '/authorization/organization_memberships/{organization_membership_id}/resources/{resource_type_slug}/{external_id}/permissions',
  freeText: 'external_id',
  summary: 'List the permissions of a member on a resource by its external id',
  handle: async ({ params, ...context }) =>
    effectivePermissions(context, params, {
      resource_external_id: params.external_id,
      resource_type_slug: params.resource_type_slug,
    }),
});

const listPermissionsOnResource = operation({
  ...effective,
  id: 'authorization.resources.permissions',
  path: '/authorization/resources/{resource_id}/organization_memberships/{organization_membership_id}/permissions',
  summary: 'List the permissions on a resource that a member has',
  description:
    'The same list as `GET /authorization/organization_memberships/{organization_membership_id}/resources/{resource_id}/permissions`.',
  handle: async ({ params, ...context }) => effectivePermissions(context, params, { resource_id: params.resource_id }),
});

/** Operations on checks. */
export const checkOperations = [
  checkAuthorization,
  checkMany,
  explainCheck,
  listEffectivePermissions,
  listEffectivePermissionsByExternalId,
  listPermissionsOnResource,
] as const;
