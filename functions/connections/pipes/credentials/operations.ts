import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { messages, messagesWith400 } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import type * as z from 'zod';

import { accountEvents } from '../connected-account/stage.ts';
import type { AccountRecord } from '../connected-account/entity.ts';
import { authMethodMismatch } from '../integration/errors.ts';
import { AccessTokenResponse, CredentialsResponse, Vend } from './schema.ts';
import { findAccount, vendApiKey, type Vended, vendErrors, vendToken } from './vend.ts';

const common = {
  auth: apiKey,
  body: Vend,
  emits: accountEvents,
  // No response is stored for repeated requests: it contains a secret, and repeating the request is harmless.
  idempotency: 'none',
} as const;

type Credential = z.input<typeof CredentialsResponse>;

const inactive = (error: 'not_installed' | 'needs_reauthorization') => ({ active: false as const, error });

const lifeOf = ({ tokenExpiresAt, scopes }: AccountRecord, missing: string[]) => ({
  expires_at: tokenExpiresAt ?? null,
  scopes,
  missing_scopes: missing,
});

/** The credentials of a connected account, by its authentication method. */
async function presentCredential(vended: Vended, fail: Parameters<typeof vendToken>[1]['fail']): Promise<Credential> {
  const object = 'credential' as const;
  if (vended.account.state === 'needs_reauthorization') return inactive(vended.account.state);
  if (vended.account.authMethod === 'api_key') {
    const none = { scopes: [], missing_scopes: [] };
    return { active: true, credential: { object, auth_method: 'api_key', ...none, ...(await vendApiKey(vended)) } };
  }
  const token = await vendToken(vended, { fail });
  if ('error' in token) return inactive(token.error);
  const { accessToken: value, record, missing, config, secrets } = token;
  const { metadata = {} } = secrets;
  const credential = { object, value, config, ...lifeOf(record, missing), metadata };
  if (record.authMethod === 'oauth') return { active: true, credential: { ...credential, auth_method: 'oauth' } };
  return { active: true, credential: { ...credential, auth_method: 'client_credentials' } };
}

export const vendCredentials = operation({
  ...common,
  id: 'data_integrations.vend_credentials',
  method: 'POST',
  path: '/data-integrations/{slug}/credentials',
  summary: 'Get the credentials of a connected account',
  description:
    'For an account of OAuth or client credentials, returns a valid access token, renewed shortly before it expires; ' +
    'for an account of an API key, its key. Without a valid token or key, `active` is false and `error` gives the reason. A provider that does ' +
    'not respond causes a 503 with Retry-After and changes nothing.',
  responses: { 200: CredentialsResponse },
  errorForm: messages,
  errors: vendErrors,
  async handle({ environmentId, params, body, fail, invalid }) {
    const found = await findAccount(environmentId, params.slug, body, { fail, invalid });
    if (found.kind === 'inactive') return { status: 200, body: inactive(found.error) };
    return { status: 200, body: await presentCredential(found.vended, fail) };
  },
});

export const getAccessToken = operation({
  ...common,
  id: 'data_integrations.get_access_token',
  method: 'POST',
  path: '/data-integrations/{provider}/token',
  summary: 'Get an OAuth access token of a connected account',
  description: 'Does the same as `/credentials`, but only for accounts of OAuth.',
  responses: { 200: AccessTokenResponse },
  errorForm: messagesWith400,
  errors: [...vendErrors, authMethodMismatch],
  async handle({ environmentId, params, body, fail, invalid }) {
    const found = await findAccount(environmentId, params.provider, body, { fail, invalid });
    if (found.kind === 'inactive') return { status: 200, body: inactive(found.error) };
    if (found.vended.account.authMethod !== 'oauth') throw fail(authMethodMismatch);
    const token = await vendToken(found.vended, { fail });
    if ('error' in token) return { status: 200, body: inactive(token.error) };
    const { accessToken, record, missing } = token;
    const access_token = { object: 'access_token' as const, access_token: accessToken, ...lifeOf(record, missing) };
    return { status: 200, body: { active: true as const, access_token } };
  },
});

export const credentialsOperations = [vendCredentials, getAccessToken] as const;
