import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { operation } from '../../../kernel/operation.ts';
import { wholeList } from '../../../kernel/pagination.ts';
import { parseCertificate, withCertificates } from '../connection/certificate.ts';
import { findConnectionOwner } from '../connection/find.ts';
import { isUnexpired } from '../connection/rules.ts';
import { MAX_IDP_CERTIFICATES } from '../connection/entity.ts';
import {
  certificateExpired,
  certificateNotFound,
  connectionNotFound,
  invalidCertificate,
  lastCertificate,
  notSaml,
} from '../connection/errors.ts';
import { clock } from '../../../kernel/clock.ts';
import { keyOrGrant } from '../../../tenancy/modules/portal-access/public.ts';
import { certificateEvents, samlConnection, stageCertificates } from './change.ts';
import { CreateIdpCertificate, IdpCertificate, IdpCertificateList, presentCertificate } from './schema.ts';
import { pairOperations } from './pair-operations.ts';

const PATH = '/connections/{connectionId}/saml_idp_signing_certs';
const KIND = 'saml_idp_signing_certificate';

const listIdpCertificates = operation({
  id: 'saml_idp_signing_certs.list',
  method: 'GET',
  path: PATH,
  summary: 'List the certificates with which the identity provider signs',
  description: 'Lists all certificates, the oldest first. Expired certificates are listed, but not used.',
  auth: apiKey,
  operator: 'config.read',
  responses: { 200: IdpCertificateList },
  errors: [connectionNotFound, notSaml],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params }) {
    const { saml } = await samlConnection(environmentId, params.connectionId);
    return { status: 200, body: wholeList(saml.idpCertificates.map((one) => presentCertificate(KIND, one))) };
  },
});

const createIdpCertificate = operation({
  id: 'saml_idp_signing_certs.create',
  method: 'POST',
  path: PATH,
  summary: 'Add a certificate with which the identity provider signs',
  description:
    'All unexpired certificates are valid at once. If the connection has the certificate already, it is returned.',
  auth: keyOrGrant(findConnectionOwner),
  operator: 'config.change',
  body: CreateIdpCertificate,
  responses: { 201: IdpCertificate },
  errors: [connectionNotFound, notSaml, invalidCertificate, certificateExpired],
  emits: certificateEvents,
  idempotency: 'replay',
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const connection = await samlConnection(environmentId, params.connectionId);
    const given = parseCertificate(body.value);
    if (given === undefined) throw fail(invalidCertificate);
    if (!isUnexpired({ notAfter: new Date(given.notAfter).toISOString() }, clock.now())) throw fail(certificateExpired);
    const former = connection.saml.idpCertificates;
    const present = former.find(({ value }) => value === given.pem.trim());
    if (present !== undefined) return { status: 201, body: presentCertificate(KIND, present) };
    if (former.length >= MAX_IDP_CERTIFICATES) {
      const message = `the connection has ${MAX_IDP_CERTIFICATES} certificates; delete expired ones first`;
      throw invalid([{ field: 'value', code: 'too_big', message }]);
    }
    const idpCertificates = withCertificates(former, [given]);
    const [added] = idpCertificates.slice(-1);
    if (added === undefined) throw fail(invalidCertificate);
    const saml = { ...connection.saml, idpCertificates };
    await stageCertificates(unit, connection, { saml, renewed: { type: 'ResponseSigning', certificate: added } });
    return { status: 201, body: presentCertificate(KIND, added) };
  },
});

const deleteIdpCertificate = operation({
  id: 'saml_idp_signing_certs.delete',
  method: 'DELETE',
  path: `${PATH}/{certificateId}`,
  summary: 'Delete a certificate of the identity provider',
  auth: keyOrGrant(findConnectionOwner),
  operator: 'config.change',
  responses: { 204: null },
  errors: [connectionNotFound, certificateNotFound, lastCertificate],
  emits: certificateEvents,
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const connection = await samlConnection(environmentId, params.connectionId, connectionNotFound);
    const { idpCertificates } = connection.saml;
    const left = idpCertificates.filter(({ id }) => id !== params.certificateId);
    if (left.length === idpCertificates.length) throw fail(certificateNotFound);
    if (left.length === 0) throw fail(lastCertificate);
    await stageCertificates(unit, connection, { saml: { ...connection.saml, idpCertificates: left } });
    return { status: 204 };
  },
});

export const certificateOperations = [
  listIdpCertificates,
  createIdpCertificate,
  deleteIdpCertificate,
  ...pairOperations,
] as const;
