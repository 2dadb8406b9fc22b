import * as z from 'zod';

import { clientIdOfApplication } from './client-id.ts';
import { commaSeparated, listSchema, pageMembers } from '../../../kernel/pagination.ts';
import { timestamp } from '../../../kernel/values.ts';
import type { ApplicationRecord, ApplicationUri } from './entity.ts';

/** Maximum number of redirect URIs, of origins, and of scopes, of one application. */
const MAX_URIS = 100;
const MAX_SCOPES = 100;

/** The members that every variant of an application has. */
const members = {
  object: z.literal('connect_application'),
  id: z.string(),
  client_id: z.string(),
  description: z.string().nullable(),
  name: z.string(),
  scopes: z.array(z.string()),
  created_at: timestamp,
  updated_at: timestamp,
};

/** The members that the variants for sign-in have. */
const oauthMembers = {
  ...members,
  application_type: z.literal('oauth'),
  redirect_uris: z.array(z.object({ uri: z.string().meta({ format: 'uri' }), default: z.boolean() })),
  cors_origins: z.array(z.string()),
  uses_pkce: z.boolean(),
};

export const Application = z
  .union([
    z.object({ ...oauthMembers, is_first_party: z.literal(true) }),
    z.object({
      ...oauthMembers,
      is_first_party: z.literal(false),
      was_dynamically_registered: z.literal(false),
      organization_id: z.string(),
    }),
    z.object({ ...oauthMembers, is_first_party: z.literal(false), was_dynamically_registered: z.literal(true) }),
    z.object({ ...members, application_type: z.literal('m2m'), organization_id: z.string() }),
  ])
  .meta({ id: 'ConnectApplication' });

export const ApplicationList = listSchema(Application).meta({ id: 'ConnectApplicationList' });

const registration = z.enum(['dynamic', 'authenticated']);

export const ListApplications = z.object({
  ...pageMembers('conn_app', 'normal'),
  registration_types: commaSeparated(registration)
    .pipe(z.array(registration).min(1))
    .default(['authenticated'])
    .describe(
      '`authenticated`: applications that were created with an API key. `dynamic`: those that registered themselves. By default only `authenticated`; send `authenticated,dynamic` for all.',
    ),
  organization_id: z.string().min(1).max(128).optional(),
});

const name = z.string().trim().min(1).max(255).meta({ example: 'Reporting' });
const description = z.string().trim().max(1_000).nullable();
const scopes = z
  .array(z.string().trim().min(1).max(128))
  .max(MAX_SCOPES)
  .transform((all) => [...new Set(all)])
  .nullable()
  .describe(
    '`openid`, `profile`, `email`, `offline_access`, and permissions of the environment. A new `oauth` application without `scopes` has the first four.',
  );

const RedirectUri = z
  .object({ uri: z.string().min(1).max(1_000), default: z.boolean().nullable().optional() })
  .meta({ id: 'RedirectUriDto' });

const redirectUris = z
  .array(RedirectUri)
  .max(MAX_URIS)
  .nullable()
  .describe(
    'The redirect URIs, which are compared as text; a URI on a loopback host, such as `http://127.0.0.1:3000/callback`, matches with any port. The first is the default if none is marked as default.',
  );

const corsOrigins = z
  .array(z.string().min(1).max(300))
  .max(MAX_URIS)
  .nullable()
  .describe(
    'The origins whose pages may call the token endpoint for the application, such as `https://app.example.com`. Without any, pages of every origin may.',
  )
  .optional();

const CreateOAuthApplication = z
  .object({
    name,
    application_type: z.literal('oauth'),
    description: description.optional(),
    scopes: scopes.optional(),
    redirect_uris: redirectUris.optional(),
    cors_origins: corsOrigins,
    uses_pkce: z.boolean().nullable().optional().describe('Whether the application must use PKCE. Default: true.'),
    is_first_party: z.boolean().describe('True for an application of your own: its users are not asked for consent.'),
    organization_id: z
      .string()
      .min(1)
      .max(128)
      .nullable()
      .optional()
      .describe('The organization of a third-party application; ignored for a first-party one.'),
  })
  .meta({ id: 'CreateOAuthApplicationDto' });

const CreateM2MApplication = z
  .object({
    name,
    application_type: z.literal('m2m'),
    description: description.optional(),
    scopes: scopes.optional(),
    organization_id: z.string().min(1).max(128),
  })
  .meta({ id: 'CreateM2MApplicationDto' });

export const CreateApplication = z.discriminatedUnion('application_type', [
  CreateOAuthApplication,
  CreateM2MApplication,
]);

export const UpdateApplication = z
  .object({
    name: name.optional(),
    description: description.optional(),
    scopes: scopes.optional(),
    redirect_uris: redirectUris.optional(),
    cors_origins: corsOrigins,
  })
  .meta({ id: 'UpdateOAuthApplicationDto' });

/** A stored application as callers see it. */
export function presentApplication(record: ApplicationRecord): z.input<typeof Application> {
  const common = {
    object: 'connect_application' as const,
    id: record.id,
    client_id: clientIdOfApplication(record),
    description: record.description ?? null,
    name: record.name,
    scopes: record.scopes,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
  const organization = { organization_id: record.organizationId ?? '' };
  if (record.applicationType === 'm2m') return { ...common, application_type: 'm2m', ...organization };
  const uris = record.redirectUris as ApplicationUri[];
  const oauth = {
    ...common,
    application_type: 'oauth' as const,
    redirect_uris: uris,
    cors_origins: record.corsOrigins ?? [],
    uses_pkce: record.usesPkce,
  };
  if (record.isFirstParty) return { ...oauth, is_first_party: true };
  const third = { ...oauth, is_first_party: false as const };
  return record.registration === 'dynamic'
    ? { ...third, was_dynamically_registered: true }
    : { ...third, was_dynamically_registered: false, ...organization };
}
