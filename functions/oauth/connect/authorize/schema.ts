import * as z from 'zod';

const text = z.string().max(4_096).optional();

/**
 * The members of an authorization request. Any text is accepted: errors are sent to the application at its redirect URI (RFC
 * 6749 section 4.1.2.1), after that was checked.
 */
export const requestMembers = {
  client_id: z
    .string()
    .max(2_048)
    .optional()
    .describe('The client id of the application, or the URL of its client ID metadata document.'),
  redirect_uri: z
    .string()
    .max(2_048)
    .optional()
    .describe(
      'A redirect URI of the application, with the same text; a loopback host may have any port. Optional if the application has only one.',
    ),
  response_type: text.meta({ const: 'code' }),
  response_mode: text.meta({ const: 'query' }),
  scope: text.describe('The scopes, separated by spaces; by default all scopes of the application.'),
  state: text.describe('A value that `redirect_uri` receives unchanged.'),
  nonce: text.describe('A value that the ID token contains.'),
  code_challenge: text.describe(
    'The challenge of PKCE (RFC 7636), required unless a confidential application has `uses_pkce: false`.',
  ),
  code_challenge_method: text.meta({ const: 'S256' }),
  resource: text.describe(
    'The address of the service that the token is for (RFC 8707): a hosted OAuth resource of the environment (`POST /user_management/hosted_oauth_resources`). It is the `aud` of the token.',
  ),
  prompt: text.describe(
    '`none` shows no page, and returns `login_required`, `consent_required` or `interaction_required` if one is needed. `login`, `consent`, `select_account` and `create` show the page of that name.',
  ),
  max_age: text.describe('The maximum number of seconds since the last sign-in.'),
  login_hint: text.describe('The email address with which the first page is prefilled.'),
  ui_locales: text,
  organization_id: text.describe(
    'The id of the organization in which the application acts. Without it a user with several organizations chooses one.',
  ),
  screen_hint: text.meta({ enum: ['sign-up', 'sign-in'] }),
  request: text,
};

/** Parameters without a value count as absent (RFC 6749 section 3.1). */
export const AuthorizeRequest = z.preprocess(
  (raw) =>
    typeof raw === 'object' && raw !== null && !Array.isArray(raw)
      ? Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== ''))
      : raw,
  z.object({
    ...requestMembers,
    request_uri: text.describe('The URI of a pushed request (RFC 9126). With it, only `client_id` is needed.'),
  }),
);

export type AuthorizeRequest = z.output<typeof AuthorizeRequest>;
