import type { Failure } from '../../../kernel/errors.ts';
import { orFail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import { claim, release } from '../../../kernel/storage/unique.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { keyOrGrant } from '../../../tenancy/modules/portal-access/public.ts';
import { findOrganization } from '../../../tenancy/organizations/public.ts';
import { externalIdOf } from './create-operations.ts';
import { type ConnectionRecord, MAX_IDP_CERTIFICATES, type SamlPart } from './entity.ts';
import {
  algorithmNotSupported,
  ambiguousSaml,
  bothOptions,
  clientSecretNotAccepted,
  clientSecretRequired,
  connectionNotFound,
  deletionInProgress,
  discoveryMustUseHttps,
  externalIdInUse,
  metadataFetchFailed,
  notVerified,
  tokenMethodNotSupported,
  typeConflictsWithOptions,
  typeNotSupported,
  typeNotUpdatable,
} from './errors.ts';
import { findConnection, findConnectionOwner, isSocial } from './find.ts';
import { readMetadata } from './metadata.ts';
import { changedOidc, firstOidc } from './oidc-options.ts';
import { findRenewal, renewalEvent, stageRenewal } from './renewal.ts';
import { type AttributeMaps, changedMaps, oidcIn, samlIn } from './rules.ts';
import { addressIssues, reject } from './reject.ts';
import { Connection, PatchConnection, type PatchConnectionBody, presentConnection } from './schema.ts';
import { openConnection, sealConnection } from './secrets.ts';
import { stageConnectionChange, switchedOn } from './stage.ts';
import { findProtocol } from './types.ts';
import { showConnection } from './x-operations.ts';

/** Checks the type and the options of a request against the connection. @throws Failure */
function checkProtocol(record: ConnectionRecord, body: PatchConnectionBody): void {
  const { connection_type: type, saml_options: saml, oidc_options: oidc } = body;
  if (saml !== undefined && oidc !== undefined) throw reject(bothOptions);
  if (type !== undefined && type !== record.type) {
    throw reject(findProtocol(type) === undefined ? typeNotSupported : typeNotUpdatable);
  }
  const given = saml !== undefined ? 'saml' : oidc !== undefined ? 'oidc' : undefined;
  if (given !== undefined && given !== record.protocol) throw reject(typeConflictsWithOptions);
}

/** The SAML options after a request. Metadata at a new URL is fetched; a member in the request replaces the URL. */
async function changedSaml(former: SamlPart, body: NonNullable<PatchConnectionBody['saml_options']>) {
  const { idp_metadata_url: url, idp_entity_id: entityId, idp_sso_url: ssoUrl } = body;
  const manual = entityId !== undefined || ssoUrl !== undefined;
  if (manual && (url ?? (url === undefined ? former.idpMetadataUrl : undefined)) !== undefined) {
    throw reject(ambiguousSaml);
  }
  const own = (value: string | null | undefined, stored: string | undefined) =>
    value === undefined ? stored : (value ?? undefined);
  const read = url === undefined || url === null ? undefined : await readMetadata(url);
  const certificates = read && merged(former, read.idpCertificates);
  return {
    ...former,
    ...read,
    ...(certificates === undefined ? {} : { idpCertificates: certificates }),
    ...(url === null ? { idpMetadataUrl: undefined, metadataEtag: undefined } : {}),
    ...(entityId === undefined ? {} : { idpEntityId: entityId }),
    ...(ssoUrl === undefined ? {} : { idpSsoUrl: ssoUrl }),
    acsUrl: own(body.acs_url, former.acsUrl),
    spEntityId: own(body.sp_entity_id, former.spEntityId),
  };
}

/** Merges the certificates of new metadata; those that existed keep their ids. */
export const merged = (former: SamlPart, read: SamlPart['idpCertificates']): SamlPart['idpCertificates'] =>
  read
    .map((one) => former.idpCertificates.find(({ value }) => value === one.value) ?? one)
    .slice(0, MAX_IDP_CERTIFICATES);

/** The parts of a connection after a request. */
async function changedParts(record: ConnectionRecord, body: PatchConnectionBody) {
  const [saml, oidc] = [samlIn(record), oidcIn(record)];
  if (saml !== undefined && body.saml_options !== undefined) {
    return { saml: await changedSaml(saml, body.saml_options) };
  }
  if (record.protocol !== 'oidc' || body.oidc_options === undefined) return {};
  const changed =
    oidc === undefined
      ? await firstOidc(body.oidc_options)
      : await changedOidc(oidc, await openConnection(record), body.oidc_options);
  return { oidc: changed.oidc, sealed: await sealConnection(record, changed.secrets) };
}

/** Stages a change of a connection's external id; null removes it. */
function stageExternalId(
  unit: Pick<Unit, 'stage'>,
  { environmentId, id, organizationId, externalId }: ConnectionRecord,
  next: string | null | undefined,
  taken: Failure,
): void {
  if (next === undefined || (next ?? undefined) === externalId) return;
  if (externalId !== undefined) unit.stage(release(externalIdOf(environmentId, externalId), id));
  if (next === null) return;
  unit.stage(claim(externalIdOf(environmentId, next), id, ownerKey('organization', organizationId)), taken);
}

export const updateConnection = operation({
  id: 'connections.update',
  method: 'PATCH',
  path: '/connections/{id}',
  summary: 'Update a connection',
  description:
    'Absent fields are unchanged; null returns a field to its default. In `custom_attributes`, only the named attributes change. Another `discovery_endpoint` or `token_authentication_method` requires the `client_secret` again, except with `private_key_jwt`.',
  auth: keyOrGrant(findConnectionOwner),
  operator: 'config.change',
  ifMatch: showConnection,
  body: PatchConnection,
  responses: { 200: Connection },
  errors: [
    connectionNotFound,
    externalIdInUse,
    typeNotSupported,
    typeConflictsWithOptions,
    bothOptions,
    ambiguousSaml,
    tokenMethodNotSupported,
    algorithmNotSupported,
    clientSecretRequired,
    clientSecretNotAccepted,
    discoveryMustUseHttps,
    deletionInProgress,
    typeNotUpdatable,
    metadataFetchFailed,
    notVerified,
  ],
  emits: ['connection.activated', 'connection.deactivated', renewalEvent],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const record = await orFail(findConnection(environmentId, params.id), () => fail(connectionNotFound));
    if (isSocial(record)) throw fail(typeNotSupported);
    if (record.state === 'deleting') throw fail(deletionInProgress);
    const organization = await orFail(findOrganization(environmentId, record.organizationId), () =>
      fail(connectionNotFound),
    );
    checkProtocol(record, body);
    const issues = addressIssues({
      'saml_options.acs_url': body.saml_options?.acs_url,
      'saml_options.idp_sso_url': body.saml_options?.idp_sso_url,
      'oidc_options.redirect_uri': body.oidc_options?.redirect_uri,
    });
    if (issues.length > 0) throw invalid(issues);
    const parts = await changedParts(record, body);
    stageExternalId(unit, record, body.external_id, fail(externalIdInUse));
    // New certificates can make an expired connection active, and expired ones make it inactive. A disabled connection
    // stays inactive.
    const isOn = record.state === 'active' || record.hasLapsed === true;
    const changes = {
      name: body.name ?? record.name,
      externalId: body.external_id === undefined ? record.externalId : (body.external_id ?? undefined),
      attributeMaps: changedMaps(record.attributeMaps as AttributeMaps, body.attribute_maps),
      ...parts,
      ...(parts.saml === undefined ? {} : { reminded: stageRenewal(unit, record, findRenewal(record, parts.saml)) }),
      ...(isOn ? switchedOn({ ...record, ...parts }) : {}),
    };
    const changed = stageConnectionChange(unit, record, changes, organization);
    return { status: 200, body: presentConnection(changed, organization) };
  },
});
