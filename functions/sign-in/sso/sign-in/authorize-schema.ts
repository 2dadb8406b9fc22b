import * as z from 'zod';

import { IDENTITY_PROVIDERS } from '../../../proofs/modules/credentials/public.ts';
import { isChallenge } from '../../../kernel/authentication/code-exchange.ts';
import { secret } from '../../../kernel/values.ts';

const text = z.string().max(2_048).optional();

/**
 * The query of GET /sso/authorize. It accepts any text, because errors are sent to the application at its redirect URI (RFC
 * 6749 section 4.1.2.1) once that was checked.
 */
const Query = z.object({
  client_id: z.string().max(255),
  redirect_uri: z.string().max(2_048).meta({
    format: 'uri',
    description: 'The redirect URI, which must be registered in the environment with the same text.',
  }),
  response_type: z.string().meta({ const: 'code' }),
  connection: text.describe('The id of the connection.'),
  organization: text.describe('The id of the organization whose one active connection is used.'),
  provider: text.meta({ enum: [...IDENTITY_PROVIDERS], description: 'The social provider.' }),
  domain: text.meta({
    deprecated: true,
    description: 'A verified domain of the organization whose connection is used.',
  }),
  state: z.string().max(4_096).optional().describe('A value that `redirect_uri` receives unchanged.'),
  domain_hint: text,
  login_hint: text,
  nonce: text.describe('Accepted, without effect: the service sends the identity provider a nonce of its own.'),
  prompt: text.meta({ enum: ['login'] }),
  code_challenge: text.describe(
    'The challenge of PKCE (RFC 7636). The code can then only be exchanged with its `code_verifier`.',
  ),
  code_challenge_method: text.meta({ const: 'S256', description: 'Required with `code_challenge`: `S256`.' }),
  provider_scopes: z.array(z.string().max(255)).max(50).optional(),
  provider_query_params: z.record(z.string().max(255), z.string().max(2_048)).optional(),
});

export type AuthorizeSsoQuery = z.output<typeof Query>;

const MEMBER = /^provider_query_params\[([^\]]+)\]$/;

/**
 * Parses lists, which are separated by commas, and maps, which are written as `name[key]=value`. An empty member counts as
 * absent.
 */
function gathered(raw: unknown): unknown {
  const members = Object.entries(raw as Record<string, string>).filter(([, value]) => value !== '');
  const params = members.flatMap(([name, value]) => {
    const key = MEMBER.exec(name)?.[1];
    return key === undefined ? [] : [[key, value] as const];
  });
  const { provider_scopes: scopes, provider_query_params: _whole, ...rest } = Object.fromEntries(members);
  return {
    response_type: '',
    ...rest,
    ...(scopes === undefined ? {} : { provider_scopes: scopes.split(',').filter((scope) => scope !== '') }),
    ...(params.length > 0 ? { provider_query_params: Object.fromEntries(params) } : {}),
  };
}

export const AuthorizeSso = z.preprocess(gathered, Query);

export const SsoAuthorizeUrl = z.object({ url: z.string() }).meta({ id: 'SsoAuthorizeUrlResponse' });

/** A URL that contains a credential, with which a logout is completed. */
export const logoutUrl = secret;

/** The reasons for rejecting a request, which the application gets at its redirect URI. */
export interface Rejected {
  error: string;
  description: string;
}

const invalid = (description: string): Rejected => ({ error: 'invalid_request', description });

/** Parses the parameters of the request except those that select a connection, or returns the reason for its rejection. */
export function readParameters(query: AuthorizeSsoQuery) {
  const { code_challenge: challenge, code_challenge_method: method } = query;
  if (query.response_type !== 'code') {
    return { error: 'unsupported_response_type', description: 'response_type is always "code".' };
  }
  if (challenge === undefined && method !== undefined) return invalid('code_challenge_method needs a code_challenge.');
  if (challenge !== undefined && method !== 'S256') return invalid('code_challenge_method must be "S256".');
  if (challenge !== undefined && !isChallenge(challenge)) {
    return invalid('code_challenge must be 32 bytes in base64url.');
  }
  if (query.prompt !== undefined && query.prompt !== 'login') return invalid('prompt can only be "login".');
  return {
    codeChallenge: challenge,
    loginHint: query.login_hint,
    domainHint: query.domain_hint,
    prompt: query.prompt,
    providerScopes: query.provider_scopes,
    providerQueryParams: query.provider_query_params,
    screenHint: 'sign-in' as const,
  };
}
