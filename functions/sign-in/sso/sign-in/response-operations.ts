import * as z from 'zod';

import { anyCaller } from '../../../kernel/authentication/caller.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { notFound } from '../../../kernel/errors.ts';
import { holderOfKey } from '../../../kernel/storage/external-key.ts';
import { operation } from '../../../kernel/operation.ts';
import { PageBody } from '../../../kernel/pages/html.ts';
import { oidcDetails, samlDetails } from '../attempt/details.ts';
import { readParty } from '../connection/addresses.ts';
import { type ConnectionRecord, connections } from '../connection/entity.ts';
import { oidcIn, samlIn } from '../connection/rules.ts';
import { openConnection } from '../connection/secrets.ts';
import { readCertificate } from '../saml/certificate.ts';
import { writeMetadata } from '../saml/service-provider-metadata.ts';
import { ExchangeFailure, exchangeCode } from '../oidc/exchange.ts';
import { oidcIdentity } from '../oidc/identity.ts';
import { endedSignIn, errorForm, signInEnded } from './errors.ts';
import type { ProviderResponse, SsoSignInRecord } from './entity.ts';
import { receiveUnsolicited } from './unsolicited.ts';
import { readResponse, toIdentityResponse, storeResponse, verifySaml } from './respond.ts';
import { continueAt, findSignIn, openSecrets, signInOfState } from './state.ts';

const connectionNotFound = notFound('connection');

/** The connection of a key in a URL, and its sign-in if the state names one: one round trip, two for an imported key. */
async function findBoth(key: string, state: string) {
  const [record, signIn] = await awaitAll([
    holderOfKey(key, 'conn').then((holder) => holder && connections.get(holder.environmentId, holder.id)),
    findSignIn(state),
  ]);
  return { record: record?.state === 'deleting' ? undefined : record, signIn };
}

/** Reports whether a sign-in belongs to this connection. */
const isOf = (signIn: SsoSignInRecord | undefined, record: ConnectionRecord): signIn is SsoSignInRecord =>
  signIn?.connectionId === record.id && signIn.environmentId === record.environmentId;

const SamlForm = z.object({
  SAMLResponse: z.string().max(400_000).optional(),
  RelayState: z.string().max(2_048).optional(),
});

const receiveSaml = operation({
  id: 'sso.saml_acs',
  method: 'POST',
  path: '/sso/saml/acs/{external_key}',
  beyondContract: true,
  summary: 'Receive the SAML response of an identity provider',
  description:
    'Receives responses as the assertion consumer service of a connection (HTTP-POST binding). A response is verified and stored; the ' +
    'browser continues with a GET, to which its cookie is sent. The setting `idp_initiated` of the connection decides what happens to a response that no sign-in requested.',
  auth: anyCaller,
  body: SamlForm,
  form: true,
  responses: { 200: PageBody, 303: null },
  errors: [connectionNotFound, signInEnded],
  errorForm,
  emits: ['authentication.sso_started'],
  idempotency: 'none',
  async handle({ params, body, request, fail }) {
    const { RelayState: state = '', SAMLResponse: response = '' } = body;
    const { record, signIn } = await findBoth(params.external_key, state);
    if (record === undefined || samlIn(record) === undefined) throw fail(connectionNotFound);
    // XML is read only if the connection has a sign-in that the state names, or accepts unsolicited responses.
    if (signInOfState(state) === undefined) {
      const { location, cookies } = await receiveUnsolicited(record, response, state, request);
      return { status: 303, headers: { location }, cookies };
    }
    if (!isOf(signIn, record) || signIn.response !== undefined) throw endedSignIn(request);
    const { requestId, reauthentication } = openSecrets(signIn, state);
    if (requestId === undefined) throw endedSignIn(request);
    const outcome = await verifySaml(record, response, requestId);
    const received = readResponse(record, outcome, reauthentication);
    const given = { details: samlDetails(record, outcome, received), outcome };
    if (!(await storeResponse(signIn, state, record, received, given))) throw endedSignIn(request);
    return { status: 303, headers: { location: continueAt(state) } };
  },
});

/**
 * The parameters of an authorization response (RFC 6749 section 4.1.2, RFC 9207); further parameters of a provider are
 * ignored.
 */
const AuthorizationResponse = z.object({
  state: z.string().max(8_192).optional(),
  code: z.string().max(8_192).optional(),
  iss: z.string().max(8_192).optional(),
  error: z.string().max(8_192).optional(),
  error_description: z.string().max(8_192).optional(),
});

const receiveOidc = operation({
  id: 'sso.oidc_callback',
  method: 'GET',
  path: '/sso/oidc/callback/{external_key}',
  beyondContract: true,
  summary: 'Receive the response of an OpenID provider',
  description: 'Receives the response at the redirect URI of a connection.',
  auth: anyCaller,
  query: AuthorizationResponse,
  responses: { 200: PageBody, 302: null },
  errors: [connectionNotFound, signInEnded],
  errorForm,
  emits: [],
  idempotency: 'none',
  async handle({ params, query, request, fail }) {
    const { state = '', ...callback } = query;
    const { record, signIn } = await findBoth(params.external_key, state);
    const oidc = record && oidcIn(record);
    if (record === undefined || oidc === undefined) throw fail(connectionNotFound);
    if (!isOf(signIn, record) || signIn.response !== undefined) throw endedSignIn(request);
    const { nonce, verifier, reauthentication } = openSecrets(signIn, state);
    if (nonce === undefined || verifier === undefined) throw endedSignIn(request);
    const { redirectUri } = readParty(record);
    const secrets = await openConnection(record);
    const [response, details] = await exchangeCode(
      oidc,
      secrets,
      redirectUri,
      { state, nonce, verifier },
      callback,
    ).then(
      (exchanged) => {
        const identity = oidcIdentity(record, exchanged);
        const found = toIdentityResponse(identity, reauthentication);
        return [found, oidcDetails(found, { exchanged, identity })] as const;
      },
      (error: unknown) => {
        if (!(error instanceof ExchangeFailure)) throw error;
        const failed: ProviderResponse = { kind: 'failure', code: error.code, message: error.message, email: null };
        return [failed, oidcDetails(failed, { failure: error })] as const;
      },
    );
    if (!(await storeResponse(signIn, state, record, response, { details }))) throw endedSignIn(request);
    return { status: 302, headers: { location: continueAt(state) } };
  },
});

const showMetadata = operation({
  id: 'sso.saml_metadata',
  method: 'GET',
  path: '/sso/saml/metadata/{external_key}',
  beyondContract: true,
  summary: 'Get the SAML metadata of the service for a connection',
  description: 'Identity providers import this document. Its URL is the entity id, unless a custom one is set.',
  auth: anyCaller,
  responses: { 200: z.string().meta({ description: 'application/samlmetadata+xml' }) },
  errors: [connectionNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ params, fail }) {
    const holder = await holderOfKey(params.external_key, 'conn');
    const record = holder && (await connections.get(holder.environmentId, holder.id));
    const saml = record && samlIn(record);
    if (record === undefined || saml === undefined || record.state === 'deleting') throw fail(connectionNotFound);
    const { acsUrl, entityId } = readParty(record);
    const signing = saml.spSigning && readCertificate(saml.spSigning.value);
    // Only the newest certificate is published; responses that are encrypted with older ones can still be decrypted.
    const newest = saml.spEncryption.slice(-1).flatMap(({ value }) => readCertificate(value)?.base64 ?? []);
    const body = writeMetadata({
      entityId,
      acsUrl,
      encryptionCertificates: newest,
      ...(signing === undefined ? {} : { signingCertificate: signing.base64 }),
    });
    return { status: 200, body, headers: { 'content-type': 'application/samlmetadata+xml; charset=utf-8' } };
  },
});

export const responseOperations = [receiveSaml, receiveOidc, showMetadata] as const;
