import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { newId } from '../../../kernel/ids.ts';
import { operation } from '../../../kernel/operation.ts';
import { generatedKey } from '../../../kernel/storage/external-key.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import { indexText } from '../../../kernel/storage/search.ts';
import { claim, findHolder, type UniqueValue } from '../../../kernel/storage/unique.ts';
import { MAX_CONNECTIONS, stageNewConnection } from '../../../tenancy/modules/organization-sso/public.ts';
import {
  findOrganization,
  organizationExistsCheck,
  organizationNotFound,
} from '../../../tenancy/organizations/public.ts';
import { connections } from './entity.ts';
import {
  ambiguousSaml,
  bothOptions,
  clientSecretNotAccepted,
  clientSecretRequired,
  deletionInProgress,
  discoveryMustUseHttps,
  externalIdInUse,
  incompleteSaml,
  invalidCertificate,
  invalidSsoUrl,
  keyPairNotAccepted,
  metadataFetchFailed,
  notVerified,
  oidcOptionsRequired,
  samlOptionsRequired,
  tokenMethodNotSupported,
  typeConflictsWithOptions,
  typeNotSupported,
  typeOrOptionsRequired,
} from './errors.ts';
import { oidcOptions } from './oidc-options.ts';
import { changedMaps } from './rules.ts';
import { addressIssues, reject } from './reject.ts';
import { samlOptions } from './saml-options.ts';
import { Connection, CreateConnection, type CreateConnectionBody, presentConnection } from './schema.ts';
import { sealConnection } from './secrets.ts';
import { emitPassage, nextCheck, searchable, summaryIn, switchedOn } from './stage.ts';
import { inferredType, findProtocol } from './types.ts';

/** The unique value of a connection's `external_id`. */
export const externalIdOf = (environmentId: string, value: string): UniqueValue => ({
  environmentId,
  kind: 'connection.external_id',
  value,
});

/**
 * The protocol of a request.
 * @throws Failure for a type and options that do not match
 */
function requestedProtocol({ connection_type: type, saml_options, oidc_options }: CreateConnectionBody) {
  if (saml_options !== undefined && oidc_options !== undefined) throw reject(bothOptions);
  const given = saml_options !== undefined ? 'saml' : oidc_options !== undefined ? 'oidc' : undefined;
  if (type === undefined) {
    if (given === undefined) throw reject(typeOrOptionsRequired);
    return given;
  }
  const named = findProtocol(type);
  if (named === undefined) throw reject(typeNotSupported);
  if (given === undefined) throw reject(named === 'saml' ? samlOptionsRequired : oidcOptionsRequired);
  if (given !== named) throw reject(typeConflictsWithOptions);
  return given;
}

/** The checked options of a request, with the metadata that the provider publishes. */
async function optionsIn(body: CreateConnectionBody) {
  const protocol = requestedProtocol(body);
  if (protocol === 'saml' && body.saml_options !== undefined) {
    const { saml, secrets } = await samlOptions(body.saml_options);
    return { protocol: 'saml' as const, saml, secrets, inferred: inferredType('saml', saml.idpEntityId) };
  }
  if (body.oidc_options === undefined) throw reject(oidcOptionsRequired);
  const { oidc, secrets } = await oidcOptions(body.oidc_options);
  return { protocol: 'oidc' as const, oidc, secrets, inferred: inferredType('oidc', oidc.metadata.issuer) };
}

/** The connection that has an external id, for the organization of a request. */
async function withExternalId(environmentId: string, organizationId: string, externalId: string | undefined) {
  const holder = externalId === undefined ? undefined : await findHolder(externalIdOf(environmentId, externalId));
  const existing = holder === undefined ? undefined : await connections.get(environmentId, holder);
  if (existing === undefined) return undefined;
  if (existing.organizationId !== organizationId) throw reject(externalIdInUse);
  if (existing.state === 'deleting') throw reject(deletionInProgress);
  return existing;
}

export const createConnection = operation({
  id: 'connections.create',
  method: 'POST',
  path: '/connections',
  summary: 'Create a connection',
  description:
    'The call fetches metadata and discovery documents, and returns an active connection. If a connection of the ' +
    'organization already has the `external_id`, that connection is returned unchanged. An ' +
    `organization has at most ${MAX_CONNECTIONS} connections.`,
  auth: apiKey,
  operator: 'config.change',
  body: CreateConnection,
  responses: { 201: Connection },
  errors: [
    organizationNotFound,
    externalIdInUse,
    typeNotSupported,
    typeOrOptionsRequired,
    typeConflictsWithOptions,
    bothOptions,
    ambiguousSaml,
    incompleteSaml,
    samlOptionsRequired,
    oidcOptionsRequired,
    invalidCertificate,
    clientSecretRequired,
    clientSecretNotAccepted,
    keyPairNotAccepted,
    discoveryMustUseHttps,
    tokenMethodNotSupported,
    deletionInProgress,
    metadataFetchFailed,
    notVerified,
    invalidSsoUrl,
  ],
  emits: ['connection.activated'],
  idempotency: 'replay',
  async handle({ environmentId, body, unit, fail, invalid }) {
    const organizationId = body.organization_id;
    const [organization, existing] = await awaitAll([
      findOrganization(environmentId, organizationId),
      withExternalId(environmentId, organizationId, body.external_id),
    ]);
    if (organization === undefined) throw fail(organizationNotFound);
    if (existing !== undefined) return { status: 201, body: presentConnection(existing, organization) };
    const issues = addressIssues({
      'saml_options.acs_url': body.saml_options?.acs_url,
      'oidc_options.redirect_uri': body.oidc_options?.redirect_uri,
    });
    if (issues.length > 0) throw invalid(issues);
    // Metadata is fetched once, although the call may be applied again after a conflict.
    const { secrets, inferred, ...parts } = await unit.once('options', () => optionsIn(body));
    const id = newId('conn');
    const owner = ownerKey('organization', organizationId);
    const { record, write } = connections.create({
      environmentId,
      id,
      organizationId,
      type: body.connection_type ?? inferred,
      name: body.name ?? organization.name,
      externalId: body.external_id,
      externalKey: generatedKey(environmentId, id),
      ...parts,
      ...switchedOn(parts),
      attributeMaps: changedMaps({ standard: {}, custom: {} }, body.attribute_maps),
      settings: {},
      sealed: await sealConnection({ environmentId, organizationId, id }, secrets),
      ...nextCheck(id),
    });
    unit.stage([write, ...indexText(searchable(record), '', record.name)]);
    unit.stage(organizationExistsCheck(environmentId, organizationId));
    if (body.external_id !== undefined) {
      unit.stage(claim(externalIdOf(environmentId, body.external_id), id, owner));
    }
    const many = await stageNewConnection(unit, { environmentId, organizationId, connectionId: id }, summaryIn(record));
    if (many > MAX_CONNECTIONS) {
      const message = `the organization has ${MAX_CONNECTIONS} connections, which is the limit`;
      throw invalid([{ field: 'organization_id', code: 'too_big', message }]);
    }
    emitPassage(unit, undefined, record, organization);
    return { status: 201, body: presentConnection(record, organization) };
  },
});
