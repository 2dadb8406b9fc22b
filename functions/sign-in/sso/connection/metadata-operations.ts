import * as z from 'zod';

import { operation } from '../../../kernel/operation.ts';
import { keyOrGrant } from '../../../tenancy/modules/portal-access/public.ts';
import { findOrganization } from '../../../tenancy/organizations/public.ts';
import { connections } from './entity.ts';
import { connectionNotFound, deletionInProgress, metadataFetchFailed, metadataNeedsSaml } from './errors.ts';
import { findConnectionOwner } from './find.ts';
import { metadataIn } from './metadata.ts';
import { findRenewal, renewalEvent, stageRenewal } from './renewal.ts';
import { samlIn } from './rules.ts';
import { stageConnectionChange, switchedOn } from './stage.ts';
import { merged } from './update-operations.ts';
import { PresentedConnection, presentFully } from './x-schema.ts';

/** Characters of a metadata document; some identity providers publish long lists of certificates and contacts. */
const MAX_METADATA = 500_000;

const PutMetadata = z
  .object({
    metadata: z.string().min(1).max(MAX_METADATA).describe('The SAML metadata of the identity provider, as XML.'),
  })
  .meta({ id: 'PutSsoConnectionMetadata' });

const putMetadata = operation({
  id: 'sso_connections.put_metadata',
  method: 'PUT',
  path: '/x/connections/{id}/metadata',
  summary: 'Configure the identity provider of a SAML connection with its metadata file',
  description:
    'Use it for identity providers that do not publish their metadata at a URL. The entity id, the sign-in URL and the ' +
    'certificates are replaced; a metadata URL is removed.',
  auth: keyOrGrant(findConnectionOwner),
  operator: 'config.change',
  body: PutMetadata,
  responses: { 200: PresentedConnection },
  errors: [connectionNotFound, deletionInProgress, metadataNeedsSaml, metadataFetchFailed],
  emits: ['connection.activated', 'connection.deactivated', renewalEvent],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail }) {
    const record = await connections.get(environmentId, params.id);
    const organization = record && (await findOrganization(environmentId, record.organizationId));
    if (record === undefined || organization === undefined) throw fail(connectionNotFound);
    if (record.state === 'deleting') throw fail(deletionInProgress);
    const former = samlIn(record);
    if (former === undefined) throw fail(metadataNeedsSaml);
    const read = await metadataIn(body.metadata);
    const saml = {
      ...former,
      ...read,
      idpCertificates: merged(former, read.idpCertificates),
      idpMetadataUrl: undefined,
      metadataEtag: undefined,
    };
    const isOn = record.state === 'active' || record.hasLapsed === true;
    const reminded = stageRenewal(unit, record, findRenewal(record, saml));
    const changes = { saml, reminded, ...(isOn ? switchedOn({ ...record, saml }) : {}) };
    const changed = stageConnectionChange(unit, record, changes, organization);
    return { status: 200, body: presentFully(changed, organization) };
  },
});

export const metadataOperations = [putMetadata] as const;
