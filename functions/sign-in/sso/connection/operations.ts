import * as z from 'zod';

import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { Failure, general, orFail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { pageMembers, readPage } from '../../../kernel/pagination.ts';
import { hasFewWords, TOO_MANY_WORDS } from '../../../kernel/search-words.ts';
import { inQuery, keyOrGrant } from '../../../tenancy/modules/portal-access/public.ts';
import { findOrganization, findOrganizations } from '../../../tenancy/organizations/public.ts';
import { createConnection } from './create-operations.ts';
import { connections } from './entity.ts';
import { connectionNotFound } from './errors.ts';
import { findConnectionOwner, isSocial, findConnection, listConnections as findPage } from './find.ts';
import { stageConnectionRemoval } from './removal.ts';
import { isDraft } from './rules.ts';
import { Connection, ConnectionList, presentConnection } from './schema.ts';
import { presentSocialConnection } from './social.ts';
import { CONNECTION_TYPES, recordedType } from './types.ts';
import { updateConnection } from './update-operations.ts';

const ListQuery = z.object({
  connection_type: z
    .enum(['GithubOAuth', ...CONNECTION_TYPES])
    .optional()
    .describe(
      'The type of the connections. Each type has two spellings, such as `OktaSAML` and `okta_saml`; both are accepted.',
    ),
  domain: z.string().min(1).max(253).optional(),
  organization_id: z.string().min(1).max(255).optional(),
  search: z
    .string()
    .min(1)
    .max(255)
    .refine(hasFewWords, TOO_MANY_WORDS)
    .optional()
    .describe('Text that matches the beginnings of words of the name.'),
  ...pageMembers('conn', 'normal'),
});

const listConnections = operation({
  id: 'connections.list',
  method: 'GET',
  path: '/connections',
  summary: 'List connections',
  description: 'The list includes the configured social providers, as connections without an organization.',
  auth: keyOrGrant(inQuery('organization_id')),
  operator: 'config.read',
  query: ListQuery,
  responses: { 200: ConnectionList },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query }) {
    const { connection_type: type, domain, organization_id: organizationId, search } = query;
    const filter = { type: type && recordedType(type), domain, organizationId, search };
    const found = await readPage(
      query,
      (window) => findPage(environmentId, filter, window),
      (one) => one,
    );
    const ids = found.data.flatMap((one) => (isSocial(one) ? [] : [one.organizationId]));
    const organizations = await findOrganizations(environmentId, ids);
    const data = found.data.map((one) =>
      isSocial(one) ? presentSocialConnection(one) : presentConnection(one, organizations.get(one.organizationId)),
    );
    return { status: 200, body: { ...found, data } };
  },
});

const getConnection = operation({
  id: 'connections.get',
  method: 'GET',
  path: '/connections/{id}',
  summary: 'Get a connection',
  description: 'The response does not have the options of the connection; GET /x/connections/{id} returns them.',
  auth: apiKey,
  operator: 'config.read',
  responses: { 200: Connection },
  errors: [connectionNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const record = await orFail(findConnection(environmentId, params.id), () => fail(connectionNotFound));
    if (isSocial(record)) return { status: 200, body: presentSocialConnection(record) };
    const organization = await findOrganization(environmentId, record.organizationId);
    // The organization was deleted, and its connections will be removed too.
    if (organization === undefined) throw fail(connectionNotFound);
    return { status: 200, body: presentConnection(record, organization) };
  },
});

const deleteConnection = operation({
  id: 'connections.delete',
  method: 'DELETE',
  path: '/connections/{id}',
  summary: 'Delete a connection',
  description:
    'No user can sign in through it from then on. It is shown with the state `deleting` until a worker has removed ' +
    'its profiles. The connection of a social provider is deleted with DELETE /x/social/providers/{provider}.',
  auth: keyOrGrant(findConnectionOwner),
  operator: 'config.change',
  responses: { 204: null },
  errors: [connectionNotFound],
  emits: ['connection.deleted'],
  idempotency: 'none',
  async handle({ environmentId, params, caller, unit, fail }) {
    const former = await orFail(connections.get(environmentId, params.id), () => fail(connectionNotFound));
    if (former.state === 'deleting') return { status: 204 };
    if (caller.grant !== undefined && !isDraft(former)) {
      throw new Failure(general.forbidden, {
        message: 'A connection that was ever active decides who can sign in. Delete it with an API key.',
      });
    }
    stageConnectionRemoval(unit, former);
    return { status: 204 };
  },
});

export const connectionOperations = [
  listConnections,
  createConnection,
  getConnection,
  updateConnection,
  deleteConnection,
] as const;
