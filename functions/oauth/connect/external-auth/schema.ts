import * as z from 'zod';

import { MAX_CHOICES, MAX_OPTIONS } from '../consent/options.ts';
import { emailInput, externalId, metadata } from '../../../kernel/values.ts';

const name = z.string().max(255).optional();

const UserOfApplication = z
  .object({
    id: externalId.describe(
      'The application’s own id of the user, which is the `external_id` of the user in this service.',
    ),
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
      .max(MAX_CHOICES),
  })
  .meta({ id: 'UserConsentOption' });

export const CompleteExternalAuth = z
  .object({
    external_auth_id: z.string().min(1).max(128),
    user: UserOfApplication,
    user_consent_options: z
      .array(UserConsentOption)
      .max(MAX_OPTIONS)
      .optional()
      .describe(
        'Questions on the consent page. The access token has the claim that `claim` names, with the value that the user chooses. A first-party ' +
          'application has no consent page: `user_consent_options_not_supported`.',
      ),
  })
  .meta({ id: 'UserManagementLoginRequest' });

export const ExternalAuthCompletion = z
  .object({
    redirect_uri: z
      .string()
      .meta({ format: 'uri' })
      .describe('The URL to which you redirect the browser. It works once, in the browser that began the sign-in.'),
  })
  .meta({ id: 'ExternalAuthCompleteResponse' });
