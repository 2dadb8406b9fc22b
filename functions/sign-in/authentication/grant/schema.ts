import * as z from 'zod';

import { canonicalGrant } from '../../../kernel/compatibility.ts';
import { secret } from '../../../kernel/values.ts';
import { IDENTITY_PROVIDERS } from '../../../proofs/modules/credentials/public.ts';
import { User } from '../../../tenancy/modules/users/public.ts';

/** The value of the member that distinguishes grants, for any vendor prefix. */
const VENDOR = 'urn:{vendor}:oauth:grant-type:';

const text = z.string().max(2_048);
const token = secret.max(4_096);

/** The end user's client, in the members that a back end forwards. */
const client = {
  ip_address: z
    .string()
    .max(255)
    .optional()
    .describe(
      'The IP address of the user’s client, as your back end sees it. Attempts are counted by it. Ignored without a secret.',
    ),
  user_agent: text
    .optional()
    .describe('The `User-Agent` of the user’s client, as your back end sees it. Ignored without a secret.'),
  device_id: z
    .string()
    .max(255)
    .optional()
    .describe('Your own id of the user’s device. `new_device` of the settings recognizes the device by it.'),
};
const publicClient = {
  client_id: z.string().max(255),
  client_secret: secret.optional().describe('An API key of the environment. Public clients have none.'),
  ...client,
};
// An empty secret counts as missing (RFC 6749 section 3.2), and these grants require a secret.
const confidentialClient = {
  ...publicClient,
  client_secret: secret.min(1, 'is required').describe('An API key of the environment.'),
};
const signals = {
  signals_id: text
    .optional()
    .describe(
      'The id that the script of Radar in your page returned; used if the settings of Radar require an assessment of sign-ins.',
    ),
  radar_auth_attempt_id: text
    .optional()
    .describe('The Radar attempt that this sign-in continues, once and within ten minutes; it is not counted again.'),
};
const pending = {
  pending_authentication_token: token.describe(
    'The token of the 403 that requires this step. It is valid for ten minutes and one successful sign-in; a wrong code does not use it up.',
  ),
};
const invitationToken = token
  .optional()
  .describe('The token of an invitation: this sign-in accepts it, and verifies the address that it was sent to.');
const code = secret.max(100).describe('The code of six digits.');
const email = z.string().max(320);

const grant = <const Type extends string>(type: Type) => z.literal(type);
const vendorGrant = <const Type extends string>(type: Type) =>
  grant(`${VENDOR}${type}`).describe('`{vendor}` may be any name, such as `workos`: the second part is not compared.');

const AuthorizationCode = z.object({
  grant_type: grant('authorization_code'),
  ...publicClient,
  code: token.describe('The code that the redirect URI received. It can be used once, within ten minutes.'),
  code_verifier: secret
    .max(128)
    .optional()
    .describe(
      'The verifier of PKCE, which is required if the authorization request had a `code_challenge`, and rejected otherwise.',
    ),
  redirect_uri: text
    .optional()
    .describe('If sent, it must be the one of the authorization request (RFC 6749 section 4.1.3).'),
  invitation_token: invitationToken,
  signals_id: signals.signals_id,
});
const Password = z.object({
  grant_type: grant('password'),
  ...confidentialClient,
  email,
  password: secret.max(1_024),
  invitation_token: invitationToken,
  ...signals,
});
const RefreshToken = z.object({
  grant_type: grant('refresh_token'),
  ...publicClient,
  refresh_token: token.optional().meta({
    'x-absence': 'tolerated',
    description:
      'The response has a new one. Using the replaced one later revokes the session. Only a page of a registered ' +
      'origin may omit it, as a public client with a JSON body: its browser has it in a cookie.',
  }),
  organization_id: z
    .string()
    .max(255)
    .optional()
    .describe('Another organization of the user, to which the session switches.'),
});
const MagicAuth = z.object({
  grant_type: vendorGrant('magic-auth:code'),
  ...confidentialClient,
  code,
  email,
  invitation_token: invitationToken,
  link_authorization_code: token
    .optional()
    .describe(
      'An unused authorization code of a sign-in of the same user at a provider. The response then has the `oauth_tokens` of that sign-in, and the code cannot be used again.',
    ),
  ...signals,
});
const EmailVerification = z.object({
  grant_type: vendorGrant('email-verification:code'),
  ...confidentialClient,
  code,
  ...pending,
});
const Totp = z.object({
  grant_type: vendorGrant('mfa-totp'),
  ...confidentialClient,
  code,
  ...pending,
  authentication_challenge_id: z
    .string()
    .max(255)
    .describe('The id of the challenge: from the `mfa_challenge` response, or from the enrollment.'),
});
const OrganizationSelection = z.object({
  grant_type: vendorGrant('organization-selection'),
  ...confidentialClient,
  ...pending,
  organization_id: z
    .string()
    .max(255)
    .describe('The chosen organization, which is one of the `organizations` of the 403.'),
});
const RadarEmail = z.object({
  grant_type: vendorGrant('radar-email-challenge:code'),
  ...confidentialClient,
  code,
  radar_challenge_id: z.string().max(255),
  ...pending,
});
const RadarSms = z.object({
  grant_type: vendorGrant('radar-sms-challenge:code'),
  ...confidentialClient,
  code,
  verification_id: z
    .string()
    .max(255)
    .optional()
    .describe('The id that POST /user_management/radar_challenges returned; only for a sign-up.'),
  phone_number: z.string().max(40).optional().describe('The phone number that received the code; only for a sign-up.'),
  ...pending,
});
const EmailCompletion = z.object({
  grant_type: vendorGrant('email-completion'),
  ...confidentialClient,
  email_completion_token: token.describe('The token of the `email_completion_required` response.'),
  email,
  signals_id: signals.signals_id,
});
const Device = z.object({
  grant_type: grant('urn:ietf:params:oauth:grant-type:device_code'),
  client_id: publicClient.client_id,
  ...client,
  device_code: token,
});

export type AuthorizationCode = z.output<typeof AuthorizationCode>;
export type Password = z.output<typeof Password>;
export type RefreshToken = z.output<typeof RefreshToken>;
export type MagicAuth = z.output<typeof MagicAuth>;
export type EmailVerification = z.output<typeof EmailVerification>;
export type Totp = z.output<typeof Totp>;
export type OrganizationSelection = z.output<typeof OrganizationSelection>;
export type RadarEmail = z.output<typeof RadarEmail>;
export type RadarSms = z.output<typeof RadarSms>;
export type EmailCompletion = z.output<typeof EmailCompletion>;
export type Device = z.output<typeof Device>;

/** Reports whether a body is of a standard grant, whose errors have the form of RFC 6749 section 5.2. */
export const isStandardGrant = (body: unknown): boolean => STANDARD.has((body as { grant_type?: unknown }).grant_type);

const STANDARD: ReadonlySet<unknown> = new Set(
  [AuthorizationCode, RefreshToken, Device].map(({ shape }) => shape.grant_type.value),
);

/** Converts `urn:<any vendor>:…` to the spelling of the schemas. */
function withKnownGrant(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const { grant_type: type } = body as Record<string, unknown>;
  const canonical = typeof type === 'string' ? canonicalGrant(type) : type;
  return canonical === type ? body : { ...body, grant_type: `${VENDOR}${String(canonical)}` };
}

/** The body of POST /user_management/authenticate, with one variant for each grant. */
export const Authenticate = z.preprocess(
  withKnownGrant,
  z.discriminatedUnion('grant_type', [
    AuthorizationCode,
    Password,
    RefreshToken,
    MagicAuth,
    EmailVerification,
    Totp,
    OrganizationSelection,
    RadarEmail,
    RadarSms,
    EmailCompletion,
    Device,
  ]),
);

/** The parsed body of a grant. */
export type Authenticate = z.output<typeof Authenticate>;

export const AuthenticateResponse = z
  .object({
    user: User,
    organization_id: z.string().optional(),
    hosted_authorization_code: secret.optional().describe('A member of the contract that this service never returns.'),
    access_token: z.string(),
    refresh_token: z.string().optional().meta({
      'x-absence': 'tolerated',
      description:
        'The refresh token. It is always present, except for a page of a registered origin if `browser_refresh` in the settings is `cookie`.',
    }),
    authentication_method: z
      .enum([
        'SSO',
        'Password',
        'Passkey',
        'CrossAppAuth',
        'ExternalAuth',
        ...IDENTITY_PROVIDERS,
        'MagicAuth',
        'Impersonation',
        'MigratedSession',
      ])
      .optional(),
    impersonator: z.object({ email: z.string(), reason: z.string().nullable() }).optional(),
    oauth_tokens: z
      .object({
        provider: z.string(),
        refresh_token: z.string(),
        access_token: z.string(),
        /** Seconds since the epoch. */
        expires_at: z.int(),
        scopes: z.array(z.string()),
      })
      .optional(),
  })
  .meta({ id: 'UserlandAuthenticateResponse' });

export type AuthenticateResponse = z.input<typeof AuthenticateResponse>;
