import * as z from 'zod';

import { listSchema, pageMembers } from '../../kernel/pagination.ts';
import { timestamp } from '../../kernel/values.ts';

/** The common members of every variant of an application. */
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

/** The variants for sign-in. */
const oauthMembers = {
  ...members,
  application_type: z.literal('oauth'),
  redirect_uris: z.array(z.object({ uri: z.string().meta({ format: 'uri' }), default: z.boolean() })),
  uses_pkce: z.boolean(),
};

const ConnectApplication = z
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

export const AuthorizedApplicationList = listSchema(
  z.object({
    object: z.literal('authorized_connect_application'),
    id: z.string(),
    granted_scopes: z.array(z.string()),
    oauth_resource: z.string().optional(),
    application: ConnectApplication,
  }),
).meta({ id: 'AuthorizedConnectApplicationList' });

export const ListAuthorizedApplications = z.object(pageMembers('authorized_connect_app', 'normal'));
