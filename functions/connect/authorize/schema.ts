import * as z from 'zod';

const text = z.string().max(4_096).optional();

/**
 * The members of an authorization request. Any text is accepted: errors are sent to the application at its redirect URI (RFC
 * 6749 section 4.1.2.1), after that was checked.
 */
export const requestMembers = {
  client_id: z.string().max(2_048).optional(),
  redirect_uri: z
    .string()
    .max(2_048)
    .optional()
    .describe('One of the application, as text; a loopback host with any port. Optional if it has one only.'),
  response_type: text.meta({ const: 'code' }),
  response_mode: text.meta({ const: 'query' }),
  scope: text.describe('Separated by spaces; all of the application when absent.'),
  state: text.describe('Returned unchanged at `redirect_uri`.'),
  nonce: text.describe('Returned in the ID token.'),
  code_challenge: text.describe('PKCE (RFC 7636), required unless a confidential application has `uses_pkce: false`.'),
  code_challenge_method: text.meta({ const: 'S256' }),
  resource: text.describe('The service that the token is for (RFC 8707): a hosted OAuth resource.'),
  prompt: text.describe(
    '`none` shows no page: `login_required` or `consent_required` if one is needed. `login`, `consent`, `select_account` and ' +
      '`create` show theirs.',
  ),
  max_age: text.describe('The most seconds since the last sign-in.'),
  login_hint: text.describe('The email address with which the first page is prefilled.'),
  ui_locales: text,
  organization_id: text.describe('The organization in which the application acts; the user chooses when absent.'),
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
    request_uri: text.describe('Of a pushed request (RFC 9126): then only `client_id` is needed.'),
  }),
);

export type AuthorizeRequest = z.output<typeof AuthorizeRequest>;
