import * as z from 'zod';

import { IDENTITY_PROVIDERS } from '../../../proofs/modules/credentials/public.ts';
import { secret } from '../../../kernel/values.ts';

const text = z.string().max(2_048).optional();

/**
 * The query of GET /user_management/authorize. It accepts any text, because errors are sent to the application at its
 * redirect URI (RFC 6749 section 4.1.2.1) once that was checked.
 */
const Query = z.object({
  client_id: z.string().max(255),
  redirect_uri: z.string().max(2_048).meta({
    format: 'uri',
    description:
      'The redirect URI. It must be the same text as a registered URI, or match one that has a `*` or is a loopback URI without a port.',
  }),
  response_type: z.string().meta({ const: 'code' }),
  provider: text.meta({
    enum: ['hosted', ...IDENTITY_PROVIDERS],
    description: '`hosted` (or `authkit`) opens the hosted pages; the others redirect directly to the provider.',
  }),
  connection_id: text.describe(
    'The id of the connection through which the user signs in. It cannot be sent together with `provider`.',
  ),
  organization_id: text.describe(
    'The id of an organization (`org_…`) to which the user signs in. Without `provider`, the browser is redirected to the single sign-on of the organization (error `invalid_connection` if it has no active connection, or several); with `provider=hosted`, ' +
      'to the hosted pages; with another provider, to that provider. With `connection_id` it has no effect: the session is in the organization of the connection. At least one of `provider`, `connection_id` and `organization_id` is required.',
  ),
  screen_hint: text.meta({ enum: ['sign-up', 'sign-in'], default: 'sign-in' }),
  login_hint: text.describe('The email address with which the first page is prefilled.'),
  domain_hint: text,
  state: z.string().max(4_096).optional().describe('A value that `redirect_uri` receives unchanged.'),
  prompt: text.describe(
    '`login` requires a new sign-in; `none` shows no page: `redirect_uri` receives the error `login_required` if no user is signed in (or must sign in again), and `interaction_required` if a further step is needed.',
  ),
  max_age: text.meta({
    type: 'integer',
    minimum: 0,
    description:
      'The maximum number of seconds since the last sign-in; 0 requires a new one. Only with `provider=hosted` and with connections: with another provider the request is rejected (`invalid_request`).',
  }),
  invitation_token: text.describe('The token of an invitation, which this sign-in accepts.'),
  pending_authentication_token: secret
    .max(4_096)
    .optional()
    .describe(
      'The token of a 403 `passkey_progressive_enrollment`, with the provider `hosted`: opens the page that offers the user a passkey, ' +
        'and then continues to `redirect_uri`. If it has expired, the user signs in on the pages.',
    ),
  ui_locales: text.meta({
    description: 'Languages of the hosted pages, the preferred one first, separated by spaces (OpenID Connect).',
  }),
  code_challenge: text.describe(
    'The challenge of PKCE (RFC 7636). The code can then only be exchanged with its `code_verifier`.',
  ),
  code_challenge_method: text.meta({ const: 'S256', description: 'Required with `code_challenge`: `S256`.' }),
  provider_scopes: z.array(z.string().max(255)).max(50).optional(),
  provider_query_params: z.record(z.string().max(255), z.string().max(2_048)).optional(),
  claim_nonce: text.describe('Accepted, without effect.'),
  analytics_client_id: text.describe(
    'The client id of your analytics, which the events of the sign-in have in their context.',
  ),
  analytics_sessions: z
    .array(
      z.object({
        containerId: z.string().max(255),
        sessionId: z.string().max(255).optional(),
        sessionNumber: z.string().max(255).optional(),
      }),
    )
    .max(10)
    .optional()
    .catch(undefined)
    .describe('The sessions of your analytics as JSON, at most ten. Other values are ignored.'),
  ajs_anonymous_id: text.describe('The anonymous id of Segment’s analytics.js.'),
});

export type AuthorizeQuery = z.output<typeof Query>;

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
  const {
    provider_scopes: scopes,
    provider_query_params: whole,
    analytics_sessions: sessions,
    ...rest
  } = Object.fromEntries(members);
  return {
    response_type: '',
    ...rest,
    ...(scopes === undefined ? {} : { provider_scopes: scopes.split(',').filter((scope) => scope !== '') }),
    ...(sessions === undefined ? {} : { analytics_sessions: parseJson(sessions) }),
    ...(params.length > 0 ? { provider_query_params: Object.fromEntries(params) } : {}),
    ...(params.length === 0 && whole !== undefined ? { provider_query_params: parseJson(whole) } : {}),
  };
}

/** Parses a value that is written as JSON; any other text is returned unchanged. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const AuthorizeQuery = z.preprocess(gathered, Query);
