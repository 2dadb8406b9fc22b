/** The settings and addresses of an environment that its guide names. */
export interface Guide {
  /** The address below which the operations of agents are. */
  address: string;
  issuer: string;
  tokenEndpoint: string;
  claimGrant: string;
  isAnonymous: boolean;
  isServiceAuth: boolean;
  isAsserted: boolean;
  isClaimable: boolean;
}

const JSON_BLOCK = (text: string): string => ['```json', text, '```'].join('\n');

const anonymous = ({ address }: Guide): string => `### anonymous

You have no user yet. Send this to \`${address}/identity\`:

${JSON_BLOCK('{ "type": "anonymous" }')}`;

const serviceAuth = ({ address }: Guide): string => `### service_auth

You know the email address of your user. Send this to \`${address}/identity\`:

${JSON_BLOCK('{ "type": "service_auth", "login_hint": "ada@example.com" }')}

The response has no assertion until your user has completed the claim.`;

const asserted = ({ address, issuer }: Guide): string => `### identity_assertion

Your user’s identity provider issues ID-JAGs: \`typ\` \`oauth-id-jag+jwt\`, \`aud\` \`${issuer}\`, a new \`jti\`, \`client_id\`,
\`email\` with \`email_verified\`, expiry within ten minutes. Ask your user first. Then send it to \`${address}/identity\`:

${JSON_BLOCK('{ "type": "identity_assertion", "assertion_type": "urn:ietf:params:oauth:token-type:id-jag", "assertion": "eyJ…" }')}`;

const claimStep = ({ address, claimGrant, tokenEndpoint }: Guide): string => `## 3. Let your user claim you

1. Give your user the link \`claim.attempt.verification_uri\`. Without one, send \`{"claim_token": "…", "login_hint": "…"}\` to
   \`${address}/identity/claim\`.
2. The page shows a code of eight letters to your user, who gives it to you. It is valid for ten minutes and can be
   entered five times.
3. Send \`{"claim_token": "…", "user_code": "…"}\` to \`${address}/identity/claim/complete\`. The response has a new assertion: use only
   this one, and request new credentials with it. Those that you were issued before may be invalid.

Keep the claim token to yourself. To wait in another process, poll \`${tokenEndpoint}\` with \`grant_type=${claimGrant}\` and \`claim_token\`:
\`authorization_pending\` until the claim is completed.
`;

/** The guide for agents (auth.md) of an environment: only what its settings accept. */
export function composeGuide(guide: Guide): string {
  const { address, tokenEndpoint } = guide;
  const methods = [
    ...(guide.isAsserted ? [asserted(guide)] : []),
    ...(guide.isServiceAuth ? [serviceAuth(guide)] : []),
    ...(guide.isAnonymous ? [anonymous(guide)] : []),
  ];
  const register = methods.length === 0 ? 'This service accepts no registrations of agents.' : methods.join('\n\n');
  return `# auth.md

You are an agent. Register, then exchange your assertion for a credential.

## 1. Register

POST JSON without a key. Use the first kind that you can.

${register}

The response has \`identity.assertion\`, valid for an hour. Before that, \`{"type": "refresh", "assertion": "…"}\` gets a new one.

## 2. Get a credential

Send a form to \`${tokenEndpoint}\` with \`grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer\` and \`assertion\`. The access token is
valid for five minutes; then exchange the assertion again. \`scope\` are your permissions.
For an API key, send \`"credential_type": "api_key"\` with the same members as JSON to \`${address}/token\`.

Send the credential as \`Authorization: Bearer …\`.

${guide.isClaimable ? claimStep(guide) : ''}
## Errors

| Code | What to do |
| --- | --- |
| \`auth_method_disabled\` | Register in another way. |
| \`invalid_grant\` | The assertion is invalid, expired or used: get a new one. |
| \`claim_not_confirmed\` | Your user has not opened the link yet. |
| \`claim_expired\`, \`user_code_expired\` | Begin another attempt, or register again. |
| \`claim_denied\`, \`access_denied\` | Your user declined, your registration was revoked, or agents are stopped. Begin another attempt only if your user asks for it. |
| \`agents_stopped\` | Agents are stopped at present. Try again later. |
| 429 | Wait for \`Retry-After\` seconds. |

After a 401, exchange your assertion again; if that fails, register again.
`;
}
