import * as z from 'zod';

import { listSchema, pageMembers } from '../../kernel/pagination.ts';
import { Application } from '../application/schema.ts';

export const AuthorizedApplicationList = listSchema(
  z.object({
    object: z.literal('authorized_connect_application'),
    id: z.string(),
    granted_scopes: z.array(z.string()),
    oauth_resource: z.string().optional(),
    application: Application,
  }),
).meta({ id: 'AuthorizedConnectApplicationList' });

export const ListAuthorizedApplications = z.object(pageMembers('authorized_connect_app', 'normal'));
