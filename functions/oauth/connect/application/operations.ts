import { awaitAll } from '../../../kernel/concurrency.ts';
import { clientIdOfApplication } from './client-id.ts';
import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { orFail } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage } from '../../../kernel/pagination.ts';
import { ENVIRONMENT_OWNER, ownerKey } from '../../../kernel/storage/record.ts';
import { findOrganization, organizationNotFound } from '../../../tenancy/organizations/public.ts';
import { removalOfSecrets } from '../client-secret/entity.ts';
import { locateApplication } from '../registration/lifetime.ts';
import { checkScopes, readOrigins, readUris } from './check.ts';
import { applicationNotFound, applications, findApplication, listApplications } from './entity.ts';
import { OPENID_SCOPES, stopLocatingClient } from '../../../sign-in/modules/authorization-server/public.ts';
import {
  Application,
  ApplicationList,
  CreateApplication,
  ListApplications,
  presentApplication,
  UpdateApplication,
} from './schema.ts';

const listConnectApplications = operation({
  id: 'connect_applications.list',
  method: 'GET',
  path: '/connect/applications',
  summary: 'List applications',
  description:
    'Lists the applications that were created with an API key, unless `registration_types` selects others. ' +
    '`organization_id` selects the applications of an organization; applications that registered themselves have no ' +
    'organization.',
  auth: apiKey,
  operator: 'config.read',
  query: ListApplications,
  responses: { 200: ApplicationList },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query }) {
    const { organization_id: organizationId, registration_types: registrations } = query;
    const page = await readPage(
      query,
      async (window) => {
        if (organizationId === undefined) return listApplications(environmentId, [...new Set(registrations)], window);
        if (!registrations.includes('authenticated')) return { records: [] };
        return applications.list('byOrganization', { environmentId, organizationId }).toPage(window);
      },
      presentApplication,
    );
    return { status: 200, body: page };
  },
});

const createConnectApplication = operation({
  id: 'connect_applications.create',
  method: 'POST',
  path: '/connect/applications',
  summary: 'Create an application',
  description:
    'An `oauth` application signs users in; an `m2m` application has tokens of its own, for its organization. A third-party ' +
    'application (`is_first_party: false`) belongs to an organization, and its users are asked for consent.',
  auth: apiKey,
  operator: 'config.change',
  body: CreateApplication,
  responses: { 201: Application },
  errors: [organizationNotFound],
  emits: [],
  idempotency: 'replay',
  async handle({ environmentId, body, unit, fail, invalid }) {
    const isFirstParty = body.application_type === 'oauth' && body.is_first_party;
    const organizationId = isFirstParty ? undefined : (body.organization_id ?? undefined);
    if (!isFirstParty && organizationId === undefined) {
      const message = 'is required for a third-party application';
      throw invalid([{ field: 'organization_id', code: 'required', message }]);
    }
    const { redirect_uris, cors_origins } = body.application_type === 'oauth' ? body : {};
    const { uris, issues } = readUris(redirect_uris ?? []);
    const pages = readOrigins(cors_origins ?? []);
    issues.push(...pages.issues);
    const scopes = body.scopes ?? (body.application_type === 'oauth' ? [...OPENID_SCOPES] : []);
    const [organization, wrongScopes] = await awaitAll([
      organizationId === undefined ? undefined : findOrganization(environmentId, organizationId),
      checkScopes(environmentId, scopes),
    ]);
    if (issues.length + wrongScopes.length > 0) throw invalid([...issues, ...wrongScopes]);
    if (organizationId !== undefined && organization === undefined) throw fail(organizationNotFound);
    const { record, write } = applications.create({
      environmentId,
      id: newId('conn_app'),
      owner: organizationId === undefined ? ENVIRONMENT_OWNER : ownerKey('organization', organizationId),
      registration: 'authenticated',
      applicationType: body.application_type,
      name: body.name,
      description: body.description ?? undefined,
      scopes,
      redirectUris: uris,
      corsOrigins: pages.origins,
      usesPkce: body.application_type === 'oauth' && (body.uses_pkce ?? true),
      isFirstParty,
      organizationId,
      secretIds: [],
    });
    unit.stage([write, locateApplication(record)]);
    return { status: 201, body: presentApplication(record) };
  },
});

const getConnectApplication = operation({
  id: 'connect_applications.get',
  method: 'GET',
  path: '/connect/applications/{id}',
  summary: 'Get an application by its id or client id',
  auth: apiKey,
  operator: 'config.read',
  etag: true,
  responses: { 200: Application },
  errors: [applicationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const application = await orFail(findApplication(environmentId, params.id), () => fail(applicationNotFound));
    return { status: 200, body: presentApplication(application) };
  },
});

const updateConnectApplication = operation({
  id: 'connect_applications.update',
  method: 'PUT',
  path: '/connect/applications/{id}',
  summary: 'Update an application',
  description:
    'Null leaves `scopes`, `redirect_uris` and `cors_origins` unchanged, because SDKs send null for an omitted member; an empty ' +
    'list clears them. A null `description` clears it.',
  auth: apiKey,
  operator: 'config.change',
  body: UpdateApplication,
  ifMatch: getConnectApplication,
  dryRun: true,
  responses: { 200: Application },
  errors: [applicationNotFound],
  emits: [],
  idempotency: 'replay',
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const [application, wrongScopes] = await awaitAll([
      findApplication(environmentId, params.id),
      checkScopes(environmentId, body.scopes ?? []),
    ]);
    if (application === undefined) throw fail(applicationNotFound);
    const { uris, issues } = readUris(body.redirect_uris ?? []);
    const pages = readOrigins(body.cors_origins ?? []);
    issues.push(...pages.issues);
    for (const field of ['redirect_uris', 'cors_origins'] as const) {
      if (application.applicationType === 'oauth' || (body[field] ?? []).length === 0) continue;
      issues.push({ field, code: 'not_supported', message: 'is not for m2m applications' });
    }
    if (issues.length + wrongScopes.length > 0) throw invalid([...issues, ...wrongScopes]);
    const { record, write } = applications.revise(application, {
      ...(body.name === undefined ? {} : { name: body.name }),
      ...(body.description === undefined ? {} : { description: body.description ?? undefined }),
      ...(body.scopes === undefined || body.scopes === null ? {} : { scopes: body.scopes }),
      ...(body.redirect_uris === undefined || body.redirect_uris === null ? {} : { redirectUris: uris }),
      ...(body.cors_origins === undefined || body.cors_origins === null ? {} : { corsOrigins: pages.origins }),
    });
    unit.stage(record.documentUrl === undefined ? [write, locateApplication(record)] : write);
    return { status: 200, body: presentApplication(record) };
  },
});

const deleteConnectApplication = operation({
  id: 'connect_applications.delete',
  method: 'DELETE',
  path: '/connect/applications/{id}',
  summary: 'Delete an application',
  description: 'Its client secrets and tokens are invalid once the response is sent.',
  auth: apiKey,
  operator: 'config.change',
  responses: { 204: null },
  errors: [applicationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const application = await orFail(findApplication(environmentId, params.id), () => fail(applicationNotFound));
    unit.stage([
      applications.remove(application),
      ...(application.documentUrl === undefined
        ? [stopLocatingClient(environmentId, clientIdOfApplication(application))]
        : []),
      ...removalOfSecrets(application),
    ]);
    return { status: 204 };
  },
});

/** The operations on applications. */
export const applicationOperations = [
  listConnectApplications,
  createConnectApplication,
  getConnectApplication,
  updateConnectApplication,
  deleteConnectApplication,
] as const;
