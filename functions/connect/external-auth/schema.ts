import * as z from 'zod';

import { emailInput, externalId, metadata } from '../../kernel/values.ts';

const name = z.string().max(255).optional();

const UserOfApplication = z
  .object({
    id: externalId.describe('The application’s own id of the user, the `external_id` here.'),
    email: emailInput,
    first_name: name,
    last_name: name,
    name,
    metadata: metadata.optional(),
  })
  .meta({ id: 'UserObject' });

const UserConsentOption = z
  .object({
    claim: z.string().min(1).max(255),
    type: z.literal('enum'),
    label: z.string().min(1).max(255),
    choices: z
      .array(z.object({ value: z.string().max(255).optional(), label: z.string().max(255).optional() }))
      .max(100),
  })
  .meta({ id: 'UserConsentOption' });

export const CompleteExternalAuth = z
  .object({
    external_auth_id: z.string().min(1).max(128),
    user: UserOfApplication,
    user_consent_options: z
      .array(UserConsentOption)
      .max(50)
      .optional()
      .describe('Not supported: any option is rejected with `user_consent_options_not_supported`.'),
  })
  .meta({ id: 'UserManagementLoginRequest' });

export const ExternalAuthCompletion = z
  .object({ redirect_uri: z.string().meta({ format: 'uri' }) })
  .meta({ id: 'ExternalAuthCompleteResponse' });
