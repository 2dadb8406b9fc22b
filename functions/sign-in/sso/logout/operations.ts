import * as z from 'zod';

import { apiKey, environmentIdOf } from '../../../kernel/authentication/api-key.ts';
import { anyCaller, systemActor } from '../../../kernel/authentication/caller.ts';
import { mintKey, readKey } from '../../../kernel/authentication/secret-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { declareError, Failure, notFound } from '../../../kernel/errors.ts';
import { readUlid } from '../../../kernel/id-format.ts';
import { operation } from '../../../kernel/operation.ts';
import { settings } from '../../../kernel/settings.ts';
import { Unit } from '../../../kernel/storage/unit.ts';
import { secret } from '../../../kernel/values.ts';
import { defaultRedirectUri } from '../../../tenancy/modules/client-settings/public.ts';
import { connections } from '../connection/entity.ts';
import { oidcIn } from '../connection/rules.ts';
import { profiles } from '../profile/entity.ts';
import { openIdToken } from '../profile/stage.ts';
import { logoutTokens } from './entity.ts';

const PREFIX = 'sso_logout_';
const LIFE_SECONDS = 300;

const profileNotFound = notFound('profile');
const tokenNotFound = {
  ...notFound('logout'),
  message: 'The logout link was already used or has expired. Prepare a new one with POST /sso/logout/authorize.',
};

const connectionInvalid = declareError({
  status: 400,
  code: 'connection_invalid',
  message:
    'The connection of the profile does not support logout: only OpenID providers with an end_session_endpoint do. End ' +
    'your own session instead.',
  form: 'oauth',
});

const unauthorizedClient = declareError({
  status: 400,
  code: 'unauthorized_client',
  message: 'The connection of the profile is not active. Activate it first.',
  form: 'oauth',
});

const Authorized = z
  .object({
    logout_url: secret,
    logout_token: z
      .string()
      .describe('The token that `logout_url` contains. It can be used once, within five minutes.'),
  })
  .meta({ id: 'SsoLogoutAuthorizeResponse' });

/**
 * The logout endpoint of a profile's connection, which must have one.
 * @throws Failure
 */
async function findEndSession(environmentId: string, profileId: string) {
  const profile = await profiles.get(environmentId, profileId);
  const record = profile && (await connections.get(environmentId, profile.connectionId));
  if (profile === undefined) throw new Failure(profileNotFound);
  const oidc = record && oidcIn(record);
  const endpoint = oidc?.metadata.end_session_endpoint;
  if (record === undefined || oidc === undefined || endpoint === undefined) throw new Failure(connectionInvalid);
  if (record.state !== 'active') throw new Failure(unauthorizedClient);
  return { profile, oidc, endpoint };
}

const authorizeLogout = operation({
  id: 'sso.logout_authorize',
  method: 'POST',
  path: '/sso/logout/authorize',
  summary: 'Prepare the logout of a profile at its identity provider',
  description:
    'Send the browser to `logout_url` within five minutes: it can be opened once, and ends the session at the ' +
    'OpenID provider. The provider then redirects the browser to the default redirect URI, if there is one and it is ' +
    'registered with the provider for logouts (`post_logout_redirect_uris`).',
  auth: apiKey,
  body: z.object({ profile_id: z.string().min(1).max(255) }).meta({ id: 'SsoLogoutAuthorizeDto' }),
  responses: { 200: Authorized },
  errors: [profileNotFound, connectionInvalid, unauthorizedClient],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body, unit }) {
    await findEndSession(environmentId, body.profile_id);
    const { value, hash } = mintKey(PREFIX, readUlid(environmentId));
    const expiresAt = clock.seconds() + LIFE_SECONDS;
    unit.stage(logoutTokens.create({ environmentId, id: hash, profileId: body.profile_id, expiresAt }).write);
    const logoutUrl = `${settings().GATEHOUSE_BASE_URL}/sso/logout?token=${value}`;
    return { status: 200, body: { logout_url: logoutUrl, logout_token: value } };
  },
});

const logout = operation({
  id: 'sso.logout',
  method: 'GET',
  path: '/sso/logout',
  summary: 'Redirect the browser to the logout of an identity provider',
  auth: anyCaller,
  query: z.object({
    token: z.string().max(255).describe('The `logout_token` that `POST /sso/logout/authorize` returned.'),
  }),
  responses: { 200: null, 302: null },
  errors: [tokenNotFound, connectionInvalid, unauthorizedClient, profileNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ query, fail }) {
    const key = readKey(PREFIX, query.token);
    const environmentId = key === undefined ? '' : environmentIdOf(key.ulid);
    const record = key === undefined ? undefined : await logoutTokens.get(environmentId, key.hash);
    if (record === undefined || (record.expiresAt ?? 0) <= clock.seconds()) throw fail(tokenNotFound);
    const [{ profile, oidc, endpoint }, home] = await awaitAll([
      findEndSession(environmentId, record.profileId),
      defaultRedirectUri(environmentId),
    ]);
    const hint = await openIdToken(profile);
    const unit = new Unit<never>(environmentId, systemActor);
    unit.stage(logoutTokens.remove(record));
    if ((await unit.commit()).kind !== 'committed') throw fail(tokenNotFound);
    const url = new URL(endpoint);
    url.searchParams.set('client_id', oidc.clientId);
    if (hint !== undefined) url.searchParams.set('id_token_hint', hint);
    if (home !== undefined) url.searchParams.set('post_logout_redirect_uri', home);
    return { status: 302, headers: { location: url.href } };
  },
});

export const logoutOperations = [authorizeLogout, logout] as const;
