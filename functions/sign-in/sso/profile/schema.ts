import * as z from 'zod';

import { secret } from '../../../kernel/values.ts';
import { CONNECTION_TYPES } from '../connection/types.ts';
import type { ConnectionIdentity } from '../sign-in/identity.ts';

const SlimRole = z.object({ slug: z.string() }).meta({ id: 'SlimRole' });

export const Profile = z
  .object({
    object: z.literal('profile'),
    id: z.string(),
    organization_id: z.string().nullable(),
    connection_id: z.string(),
    connection_type: z.enum(CONNECTION_TYPES),
    idp_id: z.string(),
    email: z.string(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    name: z.string().nullable(),
    role: SlimRole.nullable().optional(),
    roles: z.array(SlimRole).nullable().optional(),
    groups: z.array(z.string()).optional(),
    custom_attributes: z.record(z.string(), z.unknown()).optional(),
    raw_attributes: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Profile' });

export type PresentedProfile = z.input<typeof Profile>;

export const SsoToken = z
  .object({
    token_type: z.literal('Bearer'),
    access_token: z.string(),
    expires_in: z.int(),
    profile: Profile,
    oauth_tokens: z
      .object({
        provider: z.string(),
        refresh_token: z.string(),
        access_token: z.string(),
        expires_at: z.int(),
        scopes: z.array(z.string()),
      })
      .optional(),
  })
  .meta({ id: 'SsoTokenResponse' });

const text = z.string().max(16_384);

/** The body of POST /sso/token, as JSON or as a form. */
export const TokenQuery = z
  .object({
    client_id: z.string().max(255),
    client_secret: secret.max(1_024).optional().describe('An API key of the environment. Send it from a server only.'),
    grant_type: text.meta({
      enum: ['authorization_code', 'urn:ietf:params:oauth:grant-type:token-exchange'],
    }),
    code: secret.max(1_024).optional(),
    code_verifier: secret.max(1_024).optional(),
    subject_token: text.optional(),
    subject_token_type: text.optional().meta({ enum: ['urn:ietf:params:oauth:token-type:id_token'] }),
    organization_id: text.optional(),
  })
  .meta({ id: 'TokenQueryDto' });

/** The ids of a profile and of the records to which it belongs. */
export interface ProfileOf {
  id: string;
  organizationId: string | undefined;
  connectionId: string;
  type: PresentedProfile['connection_type'];
  /** Slugs of the roles that the profile has by its groups. */
  roles: readonly string[];
}

/** A profile as applications see it. */
export function presentProfile(of: ProfileOf, identity: ConnectionIdentity): PresentedProfile {
  const [first] = of.roles;
  return {
    object: 'profile',
    id: of.id,
    organization_id: of.organizationId ?? null,
    connection_id: of.connectionId,
    connection_type: of.type,
    idp_id: identity.idpId,
    email: identity.email,
    first_name: identity.firstName ?? null,
    last_name: identity.lastName ?? null,
    name: identity.name ?? null,
    role: first === undefined ? null : { slug: first },
    roles: of.roles.length === 0 ? null : of.roles.map((slug) => ({ slug })),
    groups: [...identity.groups],
    custom_attributes: { ...identity.custom },
    raw_attributes: { ...identity.raw },
  };
}
