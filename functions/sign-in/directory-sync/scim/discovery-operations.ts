import { Failure } from '../../../kernel/errors.ts';
import { scimErrors } from '../../../kernel/http/error-response.ts';
import { type Method, operation } from '../../../kernel/operation.ts';
import type { DirectoryRecord } from '../directory/entity.ts';
import { findCallersDirectory, directoryToken } from './authenticate.ts';
import {
  ENTERPRISE_ATTRIBUTES,
  ENTERPRISE_SCHEMA,
  GROUP_ATTRIBUTES,
  GROUP_SCHEMA,
  USER_ATTRIBUTES,
  USER_SCHEMA,
} from './definitions.ts';
import { commonErrors, scimNotFound, scimNotImplemented } from './errors.ts';
import { directoryAddress, type ScimResource } from './present.ts';
import { listResponse, MOST_RESULTS, ScimList, ScimResource as Resource } from './schema.ts';

const BASE = '/scim/v2.0/{externalKey}';
const CORE = 'urn:ietf:params:scim:schemas:core:2.0';

const common = {
  auth: directoryToken,
  errorForm: scimErrors,
  idempotency: 'none',
  beyondContract: true,
  emits: [],
} as const;

const meta = (directory: DirectoryRecord, resourceType: string, path: string) => ({
  meta: { resourceType, location: `${directoryAddress(directory)}/${path}` },
});

/** The features of the service (RFC 7643 section 5, RFC 9865 section 4). */
const serviceProviderConfig = (directory: DirectoryRecord): ScimResource => ({
  schemas: [`${CORE}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MOST_RESULTS },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  pagination: {
    cursor: true,
    index: true,
    defaultPaginationMethod: 'index',
    defaultPageSize: 100,
    maxPageSize: MOST_RESULTS,
  },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Token of the directory',
      description: 'A bearer token that the application shows once.',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  ...meta(directory, 'ServiceProviderConfig', 'ServiceProviderConfig'),
});

const schemas = (directory: DirectoryRecord): ScimResource[] =>
  [
    { id: USER_SCHEMA, name: 'User', description: 'A user', attributes: USER_ATTRIBUTES },
    { id: GROUP_SCHEMA, name: 'Group', description: 'A group of users', attributes: GROUP_ATTRIBUTES },
    { id: ENTERPRISE_SCHEMA, name: 'EnterpriseUser', description: 'An employee', attributes: ENTERPRISE_ATTRIBUTES },
  ].map((schema) => ({ schemas: [`${CORE}:Schema`], ...schema, ...meta(directory, 'Schema', `Schemas/${schema.id}`) }));

const resourceTypes = (directory: DirectoryRecord): ScimResource[] =>
  [
    {
      id: 'User',
      name: 'User',
      endpoint: '/Users',
      description: 'A user',
      schema: USER_SCHEMA,
      schemaExtensions: [{ schema: ENTERPRISE_SCHEMA, required: false }],
    },
    { id: 'Group', name: 'Group', endpoint: '/Groups', description: 'A group of users', schema: GROUP_SCHEMA },
  ].map((type) => ({
    schemas: [`${CORE}:ResourceType`],
    ...type,
    ...meta(directory, 'ResourceType', `ResourceTypes/${type.id}`),
  }));

const getConfig = operation({
  ...common,
  id: 'scim.get_service_provider_config',
  method: 'GET',
  path: `${BASE}/ServiceProviderConfig`,
  summary: 'Get the capabilities of the SCIM service',
  responses: { 200: Resource },
  errors: [...commonErrors],
  handle: async ({ caller }) => ({ status: 200, body: serviceProviderConfig(findCallersDirectory(caller)) }),
});

/**
 * The operations on one of the service's own lists: one that returns all of it, and one that returns an entry by its id.
 */
const catalogue = (
  name: { plural: string; singular: string; path: string },
  entries: (directory: DirectoryRecord) => ScimResource[],
) => [
  operation({
    ...common,
    id: `scim.list_${name.plural}`,
    method: 'GET',
    path: `${BASE}/${name.path}`,
    summary: `List the ${name.plural.replace('_', ' ')} of SCIM resources`,
    responses: { 200: ScimList },
    errors: [...commonErrors],
    async handle({ caller }) {
      const all = entries(findCallersDirectory(caller));
      return { status: 200, body: listResponse(all, { totalResults: all.length, startIndex: 1 }) };
    },
  }),
  operation({
    ...common,
    id: `scim.get_${name.singular}`,
    method: 'GET',
    path: `${BASE}/${name.path}/{id}`,
    summary: `Get a ${name.singular.replace('_', ' ')} of SCIM resources`,
    responses: { 200: Resource },
    errors: [...commonErrors, scimNotFound],
    async handle({ caller, params }) {
      const found = entries(findCallersDirectory(caller)).find(({ id }) => id === params.id);
      if (found === undefined) throw new Failure(scimNotFound);
      return { status: 200, body: found };
    },
  }),
];

/** An operation of RFC 7644 that the service does not support, which responds 501 as sections 3.7 and 3.11 require. */
const missing = (id: string, method: Method, path: string) =>
  operation({
    ...common,
    id,
    method,
    path: `${BASE}/${path}`,
    summary: `Responds that ${path} is not supported`,
    responses: { 204: null },
    errors: [...commonErrors, scimNotImplemented],
    async handle({ fail }) {
      throw fail(scimNotImplemented);
    },
  });

/** The operations by which a provider discovers the service's features. */
export const scimDiscoveryOperations = [
  getConfig,
  ...catalogue({ plural: 'schemas', singular: 'schema', path: 'Schemas' }, schemas),
  ...catalogue({ plural: 'resource_types', singular: 'resource_type', path: 'ResourceTypes' }, resourceTypes),
  missing('scim.bulk', 'POST', 'Bulk'),
  missing('scim.get_me', 'GET', 'Me'),
  missing('scim.create_me', 'POST', 'Me'),
  missing('scim.replace_me', 'PUT', 'Me'),
  missing('scim.patch_me', 'PATCH', 'Me'),
  missing('scim.delete_me', 'DELETE', 'Me'),
] as const;
