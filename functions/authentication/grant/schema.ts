import * as z from 'zod';

import { canonicalGrant } from '../../kernel/compatibility.ts';
import { secret } from '../../kernel/values.ts';
import { IDENTITY_PROVIDERS } from '../../credentials/public.ts';
import { User } from '../../users/public.ts';

/** Grants under any vendor's name are told apart by this one. */
const VENDOR = 'urn:{vendor}:oauth:grant-type:';

const text = z.string().max(2_048);
const token = secret.max(4_096);

/** What the end user's client is, as a back end tells it. */
const client = {
  ip_address: z
    .string()
    .max(255)
    .optional()
    .describe(
      'The IP address of the user’s client, as your back end sees it. Attempts are counted by it. Ignored without a secret.',
    ),
  user_agent: text.optional().describe('The user agent of the user’s client. Ignored without a secret.'),
  device_id: z
    .string()
    .max(255)
    .optional()
    .describe('Your own id of the user’s device, by which `new_device` of the settings knows it again.'),
};
const publicClient = {
  client_id: z.string().max(255),
  client_secret: secret.optional().describe('An API key of the environment. Public clients have none.'),
  ...client,
};
// An empty secret is none (RFC 6749 section 3.2), and these grants are for who has one.
const confidentialClient = {
  ...publicClient,
  client_secret: secret.min(1, 'is required').describe('An API key of the environment.'),
};
const signals = {
  signals_id: text.optional().describe('Taken for later judgements of risk.'),
  radar_auth_attempt_id: text.optional().describe('Taken for later judgements of risk.'),
};
const pending = {
  pending_authentication_token: token.describe('Of the 403 that asked for this step; good once and for ten minutes.'),
};
const invitationToken = token
  .optional()
  .describe('Accepts the invitation in this sign-in, and proves the address that it was sent to.');
const code = secret.max(100).describe('The code of six digits.');
const email = z.string().max(320);

const grant = <const Type extends string>(type: Type) => z.literal(type);
const vendorGrant = <const Type extends string>(type: Type) =>
  grant(`${VENDOR}${type}`).describe('`{vendor}` may be any name.');

const AuthorizationCode = z.object({
  grant_type: grant('authorization_code'),
  ...publicClient,
  code: token.describe('What came back at the redirect URI; good once and for ten minutes.'),
  code_verifier: secret
    .max(128)
    .optional()
    .describe('Needed with a code that was asked for with a `code_challenge`; not taken with any other.'),
  redirect_uri: text
    .optional()
    .describe('Must be the one of the authorization request, where it is sent (RFC 6749 section 4.1.3).'),
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
      'Replaced by that of the response. A replaced one that comes back late ends the session. Only a page of a registered ' +
      'origin may leave it out, as a public client with a JSON body: its browser keeps it in a cookie.',
  }),
  organization_id: z.string().max(255).optional().describe('Goes over to another organization of the user.'),
});
const MagicAuth = z.object({
  grant_type: vendorGrant('magic-auth:code'),
  ...confidentialClient,
  code,
  email,
  invitation_token: invitationToken,
  link_authorization_code: token
    .optional()
    .describe('A code of another sign-in of the same user, which this one takes over and uses up.'),
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
  authentication_challenge_id: z.string().max(255).describe('Of the `mfa_challenge` answer, or of the enrolment.'),
});
const OrganizationSelection = z.object({
  grant_type: vendorGrant('organization-selection'),
  ...confidentialClient,
  ...pending,
  organization_id: z.string().max(255).describe('One of the `organizations` of the 403.'),
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
  verification_id: z.string().max(255).optional().describe('Of POST /user_management/radar_challenges; at a sign-up.'),
  phone_number: z.string().max(40).optional().describe('The number that the code went to; at a sign-up.'),
  ...pending,
});
const EmailCompletion = z.object({
  grant_type: vendorGrant('email-completion'),
  ...confidentialClient,
  email_completion_token: token.describe('Of the `email_completion_required` answer.'),
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

/** Whether a body is of a standard grant, whose errors have the form of RFC 6749 section 5.2. */
export const isStandardGrant = (body: unknown): boolean => STANDARD.has((body as { grant_type?: unknown }).grant_type);

const STANDARD: ReadonlySet<unknown> = new Set(
  [AuthorizationCode, RefreshToken, Device].map(({ shape }) => shape.grant_type.value),
);

/** `urn:<any vendor>:…` in the one spelling that the schemas know. */
function withKnownGrant(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const { grant_type: type } = body as Record<string, unknown>;
  const canonical = typeof type === 'string' ? canonicalGrant(type) : type;
  return canonical === type ? body : { ...body, grant_type: `${VENDOR}${String(canonical)}` };
}

/** The body of POST /user_management/authenticate: one variant for each grant. */
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

/** A grant's body. */
export type Authenticate = z.output<typeof Authenticate>;

export const AuthenticateResponse = z
  .object({
    user: User,
    organization_id: z.string().optional(),
    hosted_authorization_code: secret.optional(),
    access_token: z.string(),
    refresh_token: z.string().optional().meta({
      'x-absence': 'tolerated',
      description:
        'Always there, except for a page of a registered origin where `browser_refresh` of the settings is `cookie`.',
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
