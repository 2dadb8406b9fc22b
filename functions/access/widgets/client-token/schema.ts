import * as z from 'zod';

import { secret, timestamp } from '../../../kernel/values.ts';

const id = z.string().min(1).max(128);

export const CreateClientToken = z.object({ organization_id: id, user_id: id }).meta({ id: 'ClientApiTokenDto' });

export const ClientToken = z.object({ token: secret }).meta({ id: 'ClientApiTokenResponse' });

export const ClientSession = z
  .object({
    object: z.literal('client_session'),
    user_id: z.string(),
    organization_id: z.string(),
    expires_at: timestamp,
  })
  .meta({ id: 'ClientSession' });
