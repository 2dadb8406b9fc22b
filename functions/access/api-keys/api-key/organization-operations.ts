import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { clock } from '../../../kernel/clock.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage } from '../../../kernel/pagination.ts';
import { findOrganization, organizationNotFound } from '../../../tenancy/organizations/public.ts';
import { admitMinting, readCallerAuthority } from '../../../tenancy/modules/trust/public.ts';
import { newKey, requireFuture } from './stage.ts';
import { apiKeys } from './entity.ts';
import { readCurrentPermissions, readPermissions } from './permissions.ts';
import {
  CreateOrganizationApiKey,
  ListOrganizationApiKeys,
  OrganizationApiKeyList,
  OrganizationApiKeyWithValue,
  presentOrganizationKey,
} from './schema.ts';

export const listOrganizationApiKeys = operation({
  id: 'organization_api_keys.list',
  method: 'GET',
  path: '/organizations/{organizationId}/api_keys',
  summary: 'List the API keys of an organization',
  description:
    'Lists the keys of the organization itself. Keys of users are listed by `GET /user_management/users/{userId}/api_keys`, for one user at a time.',
  auth: apiKey,
  operator: 'config.read',
  query: ListOrganizationApiKeys,
  responses: { 200: OrganizationApiKeyList },
  errors: [organizationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, query, fail }) {
    const holderId = params.organizationId;
    const [organization, page, current] = await awaitAll([
      findOrganization(environmentId, holderId),
      readPage(
        query,
        (window) => apiKeys.list('byHolder', { environmentId, holderId }).toPage(window),
        (key) => key,
      ),
      readCurrentPermissions(environmentId),
    ]);
    if (organization === undefined) throw fail(organizationNotFound);
    return { status: 200, body: { ...page, data: page.data.map((key) => presentOrganizationKey(current(key))) } };
  },
});

export const createOrganizationApiKey = operation({
  id: 'organization_api_keys.create',
  method: 'POST',
  path: '/organizations/{organizationId}/api_keys',
  summary: 'Create an API key of an organization',
  description: 'Only this response contains the value: the service stores its hash and its last four characters.',
  auth: apiKey,
  operator: 'secrets.write',
  body: CreateOrganizationApiKey,
  responses: { 201: OrganizationApiKeyWithValue },
  errors: [organizationNotFound],
  emits: ['api_key.created'],
  idempotency: 'none',
  async handle({ environmentId, caller, params, body, unit, fail, invalid }) {
    const { organizationId } = params;
    requireFuture(body.expires_at, invalid);
    const [organization, permissions] = await awaitAll([
      findOrganization(environmentId, organizationId),
      readPermissions(environmentId, body.permissions, invalid),
    ]);
    if (organization === undefined) throw fail(organizationNotFound);
    const verdict = admitMinting(readCallerAuthority(caller, clock.now()), organizationId);
    const { record, write, value } = newKey(verdict, environmentId, { organizationId }, { ...body, ...permissions });
    unit.announce({ record, write }, 'api_key.created', presentOrganizationKey, { organizationId });
    return { status: 201, body: { ...presentOrganizationKey(record), value } };
  },
});

export const apiKeyOrganizationOperations = [listOrganizationApiKeys, createOrganizationApiKey] as const;
