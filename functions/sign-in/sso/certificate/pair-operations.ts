import { operation } from '../../../kernel/operation.ts';
import { wholeList } from '../../../kernel/pagination.ts';
import { keyOrGrant } from '../../../tenancy/modules/portal-access/public.ts';
import type * as z from 'zod';

import { ENCRYPTION_PAIR, parseKeyPair, SIGNING_PAIR, storedCertificate } from '../connection/certificate.ts';
import { MAX_ENCRYPTION_PAIRS } from '../connection/entity.ts';
import {
  certificateNotFound,
  connectionNotFound,
  keyPairNotAccepted,
  notSaml,
  signingPairExists,
  tooManyEncryptionPairs,
  typeNotSupported,
} from '../connection/errors.ts';
import { findConnectionOwner } from '../connection/find.ts';
import { reject } from '../connection/reject.ts';
import { type NewPair, selfSigned } from '../connection/self-signed.ts';
import { findSocialConnection } from '../connection/social.ts';
import { certificateEvents, samlConnection, stageCertificates } from './change.ts';
import {
  BroughtPair,
  EncryptionCertificate,
  EncryptionCertificateList,
  presentCertificate,
  SigningCertificate,
} from './schema.ts';

const ENCRYPTION = '/connections/{connectionId}/saml_sp_encryption_certs';
const SIGNING = '/connections/{connectionId}/saml_sp_signing_cert';
const ENCRYPTION_KIND = 'saml_sp_encryption_certificate';
const SIGNING_KIND = 'saml_sp_signing_certificate';

/**
 * The key pair of a request: the caller's own, or a new one.
 * @throws Failure `key_pair_not_accepted`
 */
async function pairFor(prefix: string, name: string, { key, cert }: z.output<typeof BroughtPair>): Promise<NewPair> {
  if (key === undefined && cert === undefined) return selfSigned(prefix, name);
  const parsed = key === undefined || cert === undefined ? 'key' : parseKeyPair({ key, cert });
  if (typeof parsed === 'string' || parsed.certificate.keyType !== 'rsa') throw reject(keyPairNotAccepted);
  return { stored: storedCertificate(prefix, parsed.certificate), key: parsed.key };
}

const listEncryptionCertificates = operation({
  id: 'saml_sp_encryption_certs.list',
  method: 'GET',
  path: ENCRYPTION,
  summary: 'List the certificates with which the identity provider encrypts assertions',
  description: 'Lists the oldest first. The newest certificate is in the metadata of the connection.',
  auth: keyOrGrant(findConnectionOwner),
  operator: 'config.read',
  responses: { 200: EncryptionCertificateList },
  errors: [connectionNotFound, notSaml],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params }) {
    const { saml } = await samlConnection(environmentId, params.connectionId);
    return { status: 200, body: wholeList(saml.spEncryption.map((one) => presentCertificate(ENCRYPTION_KIND, one))) };
  },
});

const createEncryptionCertificate = operation({
  id: 'saml_sp_encryption_certs.create',
  method: 'POST',
  path: ENCRYPTION,
  summary: 'Create a further key pair for encrypted assertions',
  description: `Generates an RSA key pair of 2048 bits that is valid for ten years, or imports yours. A connection has at most ${MAX_ENCRYPTION_PAIRS}, all of which are tried.`,
  auth: keyOrGrant(findConnectionOwner),
  operator: 'config.change',
  body: BroughtPair,
  bodyOptional: true,
  responses: { 201: EncryptionCertificate },
  errors: [connectionNotFound, notSaml, keyPairNotAccepted, tooManyEncryptionPairs],
  emits: certificateEvents,
  idempotency: 'replay',
  async handle({ environmentId, params, body, unit, fail }) {
    const connection = await samlConnection(environmentId, params.connectionId);
    const { saml } = connection;
    if (saml.spEncryption.length >= MAX_ENCRYPTION_PAIRS) throw fail(tooManyEncryptionPairs);
    const { stored, key } = await unit.once('pair', () => pairFor(ENCRYPTION_PAIR, params.connectionId, body));
    await stageCertificates(unit, connection, {
      saml: { ...saml, spEncryption: [...saml.spEncryption, stored] },
      secrets: (former) => ({ ...former, spEncryptionKeys: { ...former.spEncryptionKeys, [stored.id]: key } }),
      renewed: { type: 'ResponseEncryption', certificate: stored },
    });
    return { status: 201, body: presentCertificate(ENCRYPTION_KIND, stored) };
  },
});

const deleteEncryptionCertificate = operation({
  id: 'saml_sp_encryption_certs.delete',
  method: 'DELETE',
  path: `${ENCRYPTION}/{certificateId}`,
  summary: 'Delete a key pair for encrypted assertions',
  description: 'Assertions that are encrypted for it can no longer be decrypted.',
  auth: keyOrGrant(findConnectionOwner),
  operator: 'config.change',
  responses: { 204: null },
  errors: [connectionNotFound, certificateNotFound],
  emits: certificateEvents,
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const connection = await samlConnection(environmentId, params.connectionId, connectionNotFound);
    const { saml } = connection;
    const left = saml.spEncryption.filter(({ id }) => id !== params.certificateId);
    if (left.length === saml.spEncryption.length) throw fail(certificateNotFound);
    await stageCertificates(unit, connection, {
      saml: { ...saml, spEncryption: left },
      secrets: ({ spEncryptionKeys: { [params.certificateId]: _, ...kept } = {}, ...others }) => ({
        ...others,
        spEncryptionKeys: kept,
      }),
    });
    return { status: 204 };
  },
});

const getSigningCertificate = operation({
  id: 'saml_sp_signing_cert.get',
  method: 'GET',
  path: SIGNING,
  summary: 'Get the certificate of the key that signs requests',
  auth: keyOrGrant(findConnectionOwner),
  operator: 'config.read',
  responses: { 200: SigningCertificate },
  errors: [connectionNotFound, certificateNotFound, notSaml],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const { saml } = await samlConnection(environmentId, params.connectionId);
    if (saml.spSigning === undefined) throw fail(certificateNotFound);
    return { status: 200, body: presentCertificate(SIGNING_KIND, saml.spSigning) };
  },
});

const createSigningCertificate = operation({
  id: 'saml_sp_signing_cert.create',
  method: 'POST',
  path: SIGNING,
  summary: 'Create the key pair that signs requests',
  description:
    'Generates an RSA key pair of 2048 bits that is valid for ten years, or imports yours. A connection has at most one. Once it exists, requests are signed.',
  auth: keyOrGrant(findConnectionOwner),
  operator: 'config.change',
  body: BroughtPair,
  bodyOptional: true,
  responses: { 201: SigningCertificate },
  errors: [connectionNotFound, notSaml, keyPairNotAccepted, typeNotSupported, signingPairExists],
  emits: certificateEvents,
  idempotency: 'replay',
  async handle({ environmentId, params, body, unit, fail }) {
    const social = await findSocialConnection(environmentId, params.connectionId);
    if (social !== undefined) throw fail(typeNotSupported);
    const connection = await samlConnection(environmentId, params.connectionId);
    const { saml } = connection;
    if (saml.spSigning !== undefined) throw fail(signingPairExists);
    const { stored, key } = await unit.once('pair', () => pairFor(SIGNING_PAIR, params.connectionId, body));
    await stageCertificates(unit, connection, {
      saml: { ...saml, spSigning: stored },
      secrets: (former) => ({ ...former, spSigningKey: key }),
      renewed: { type: 'RequestSigning', certificate: stored },
    });
    return { status: 201, body: presentCertificate(SIGNING_KIND, stored) };
  },
});

const deleteSigningCertificate = operation({
  id: 'saml_sp_signing_cert.delete',
  method: 'DELETE',
  path: `${SIGNING}/{certificateId}`,
  summary: 'Delete the key pair that signs requests',
  description: 'Requests are no longer signed.',
  auth: keyOrGrant(findConnectionOwner),
  operator: 'config.change',
  responses: { 204: null },
  errors: [connectionNotFound, certificateNotFound],
  emits: certificateEvents,
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const connection = await samlConnection(environmentId, params.connectionId, connectionNotFound);
    if (connection.saml.spSigning?.id !== params.certificateId) throw fail(certificateNotFound);
    await stageCertificates(unit, connection, {
      saml: { ...connection.saml, spSigning: undefined },
      secrets: ({ spSigningKey: _, ...kept }) => kept,
    });
    return { status: 204 };
  },
});

export const pairOperations = [
  listEncryptionCertificates,
  createEncryptionCertificate,
  deleteEncryptionCertificate,
  getSigningCertificate,
  createSigningCertificate,
  deleteSigningCertificate,
] as const;
