import { apiKey } from '../../kernel/authentication/api-key.ts';
import { operation } from '../../kernel/operation.ts';
import { organizationMemberships } from './entity.ts';
import { membershipNotFound } from './errors.ts';
import { withParties } from './present.ts';
import { OrganizationMembership } from './schema.ts';

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
    const record = await organizationMemberships.get(environmentId, params.id);
    const body = record && (await withParties(record));
    if (body === undefined) throw fail(membershipNotFound);
    return { status: 200, body };
  },
});

/** Operations on organization memberships. */
export const organizationMembershipOperations = [getOrganizationMembership] as const;
