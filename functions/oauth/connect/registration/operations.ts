import { clientIdOfApplication } from '../application/client-id.ts';
import { bearerToken } from '../../../kernel/authentication/api-key.ts';
import { mintKey } from '../../../kernel/authentication/secret-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { declareError, Failure } from '../../../kernel/errors.ts';
import { oauthErrors } from '../../../kernel/http/error-response.ts';
import { readUlid } from '../../../kernel/id-format.ts';
import { newId } from '../../../kernel/ids.ts';
import { constantTimeEqual, randomSecret, sha256Hex } from '../../../kernel/keys/hash.ts';
import { countAddress, countAttempt } from '../../../kernel/limits/count-attempt.ts';
import { operation } from '../../../kernel/operation.ts';
import { ENVIRONMENT_OWNER } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import {
  connectSettings,
  OPENID_SCOPES,
  SERVER_PATH,
  serverAddress,
  serverInPath,
  stopLocatingClient,
} from '../../../sign-in/modules/authorization-server/public.ts';
import { readKeys } from '../client-assertion/rules.ts';
import { splitScopes } from '../authorize/scope.ts';
import { type ApplicationRecord, type ApplicationUri, applications, findApplication } from '../application/entity.ts';
import { CLIENT_SECRET_PREFIX } from '../client-secret/authenticate.ts';
import { locateApplication, UNUSED_SECONDS } from './lifetime.ts';
import { type AuthMethod, findMetadataFault, GRANT_TYPES, readClientName } from './rules.ts';
import { ClientInformation, ClientMetadata, NewClientInformation } from './schema.ts';

const REGISTRATION_TOKEN_PREFIX = 'reg_';

const registrationOff = declareError({
  status: 403,
  code: 'registration_not_supported',
  message: 'This environment does not allow dynamic registration of clients. Ask its operator for a client id.',
  form: 'oauth',
});

/** The error for an invalid redirect URI (RFC 7591 section 3.2.2). */
const invalidRedirectUri = declareError({
  status: 400,
  code: 'invalid_redirect_uri',
  message:
    'A redirect URI cannot be registered: the message of the response names it and the rule. Depending on the setting `registration`, only loopback URIs are allowed, or also https and schemes of apps, without fragment or user information.',
  form: 'oauth',
});

const invalidClientMetadata = declareError({
  status: 400,
  code: 'invalid_client_metadata',
  message: 'The metadata of the client has an invalid field.',
  form: 'oauth',
});

/** The error for an invalid registration token, which is the same for an unknown client (RFC 7592 section 2). */
const invalidToken = declareError({
  status: 401,
  code: 'invalid_token',
  message: 'The registration access token is not that of this client.',
  form: 'oauth',
});

/** Counts a registration by the network of the client and by the environment. @throws Failure: the general 429 */
async function countRegistration(unit: Pick<Unit, 'once'>, environmentId: string, address: string): Promise<void> {
  await countAddress(unit, environmentId, 'oauth-registration.address', address);
  await countAttempt(unit, environmentId, 'oauth-registration.environment', environmentId);
}

const present = (record: ApplicationRecord) => ({
  client_id: clientIdOfApplication(record),
  client_id_issued_at: Math.floor(Date.parse(record.createdAt) / 1_000),
  client_name: record.name,
  redirect_uris: (record.redirectUris as ApplicationUri[]).map(({ uri }) => uri),
  token_endpoint_auth_method: record.tokenAuthMethod ?? 'none',
  grant_types: [...GRANT_TYPES],
  response_types: ['code'],
  scope: record.scopes.join(' '),
});

const registerClient = operation({
  id: 'oauth2.register',
  method: 'POST',
  path: `${SERVER_PATH}/register`,
  beyondContract: true,
  summary: 'Register an application dynamically',
  description:
    'Registers a client dynamically (RFC 7591), if `registration` of `/x/connect/settings` is `loopback` or `any`. The application is unverified: users must always give consent, and its requests need PKCE. If no user authorizes it within a day, it is removed; later, it is removed 90 days after its last use.',
  auth: serverInPath(registrationOff),
  browser: 'any-origin',
  body: ClientMetadata,
  responses: { 201: NewClientInformation },
  errorForm: oauthErrors,
  errors: [registrationOff, invalidRedirectUri, invalidClientMetadata],
  bodyError: () => invalidClientMetadata,
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body, unit, fail, request }) {
    const { registration, registration_scopes: further } = await findSettings(environmentId, connectSettings);
    if (registration === 'off') throw fail(registrationOff);
    await countRegistration(unit, environmentId, request.sourceIp);
    const fault = findMetadataFault(body, registration);
    if (fault !== undefined) {
      throw fail(fault.kind === 'metadata' ? invalidClientMetadata : invalidRedirectUri, { message: fault.message });
    }
    const allowed = [...OPENID_SCOPES, ...further];
    const asked = splitScopes(body.scope);
    const scopes = asked.length === 0 ? allowed : allowed.filter((scope) => asked.includes(scope));
    const id = newId('conn_app');
    const method = (body.token_endpoint_auth_method ?? 'client_secret_basic') as AuthMethod;
    const hasSecret = method !== 'none' && method !== 'private_key_jwt';
    const credential = hasSecret ? mintKey(CLIENT_SECRET_PREFIX, readUlid(id)) : undefined;
    const read = method === 'private_key_jwt' && body.jwks !== undefined ? readKeys(body.jwks) : { keys: undefined };
    const token = `${REGISTRATION_TOKEN_PREFIX}${randomSecret(32)}`;
    const { record, write } = applications.create({
      environmentId,
      id,
      owner: ENVIRONMENT_OWNER,
      registration: 'dynamic',
      applicationType: 'oauth',
      name: readClientName(body),
      scopes,
      redirectUris: [...new Set(body.redirect_uris)].map((uri, at) => ({ uri, default: at === 0 })),
      usesPkce: true,
      isFirstParty: false,
      secretIds: [],
      tokenAuthMethod: method,
      secretHash: credential?.hash,
      keys: 'keys' in read ? read.keys : undefined,
      keysUri: method === 'private_key_jwt' ? body.jwks_uri : undefined,
      registrationHash: sha256Hex(token),
      expiresAt: clock.seconds() + UNUSED_SECONDS,
    });
    unit.stage([write, locateApplication(record)]);
    const information = {
      ...present(record),
      ...(credential === undefined ? {} : { client_secret: credential.value, client_secret_expires_at: 0 }),
      registration_access_token: token,
      registration_client_uri: `${serverAddress(environmentId)}/register/${clientIdOfApplication(record)}`,
    };
    return { status: 201, headers: { 'cache-control': 'no-store' }, body: information };
  },
});

/** The application of a registration token. @throws Failure 401 */
async function findRegistered(environmentId: string, clientId: string, token: string): Promise<ApplicationRecord> {
  const record = await findApplication(environmentId, clientId);
  const isOwn = record?.registrationHash !== undefined && constantTimeEqual(record.registrationHash, sha256Hex(token));
  if (!isOwn) throw new Failure(invalidToken, { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } });
  return record;
}

const common = {
  path: `${SERVER_PATH}/register/{registeredId}`,
  beyondContract: true,
  auth: serverInPath(invalidToken),
  browser: 'any-origin',
  errorForm: oauthErrors,
  errors: [invalidToken],
  emits: [],
  idempotency: 'none',
} as const;

const readRegistration = operation({
  ...common,
  id: 'oauth2.read_registration',
  method: 'GET',
  summary: 'Read the registration of an application',
  description: 'Requires the registration access token (RFC 7592 section 2.1).',
  responses: { 200: ClientInformation },
  async handle({ environmentId, params, request }) {
    const record = await findRegistered(environmentId, params.registeredId, bearerToken(request) ?? '');
    return { status: 200, body: present(record) };
  },
});

const deleteRegistration = operation({
  ...common,
  id: 'oauth2.delete_registration',
  method: 'DELETE',
  summary: 'Delete the registration of an application',
  description:
    'Requires the registration access token (RFC 7592 section 2.3). The application’s tokens are invalid at the next call.',
  responses: { 204: null },
  async handle({ environmentId, params, unit, request }) {
    const record = await findRegistered(environmentId, params.registeredId, bearerToken(request) ?? '');
    unit.stage([applications.remove(record), stopLocatingClient(environmentId, clientIdOfApplication(record))]);
    return { status: 204 };
  },
});

/** The operations on registrations. */
export const registrationOperations = [registerClient, readRegistration, deleteRegistration] as const;
