import * as z from 'zod';

import { emailInput, secret } from '../../kernel/values.ts';
import { INTENTS } from '../intents.ts';

const emails = z.array(emailInput).max(20).optional();

export const GenerateLink = z
  .object({
    return_url: z.string().min(1).max(1_000).optional(),
    success_url: z.string().min(1).max(1_000).optional(),
    organization: z.string().min(1).max(255),
    intent: z
      .enum(INTENTS)
      .optional()
      .describe(
        'The task of the link, with the pages that it needs: those of `sso` include domains and certificates, those of `dsync` domains. If it is absent, the link allows all tasks.',
      ),
    it_contact_emails: emails.describe('People who become IT contacts of the organization.'),
    admin_emails: emails.describe('More people who become IT contacts, as with `it_contact_emails`.'),
    intent_options: z
      .object({
        sso: z
          .object({
            bookmark_slug: z.string().min(1).max(255).optional().describe('Accepted and ignored.'),
            provider_type: z.enum(['GoogleSAML']).optional().describe('The provider to configure.'),
          })
          .meta({ id: 'SsoIntentOptions' }),
      })
      .optional()
      .meta({ id: 'IntentOptions' }),
  })
  .meta({ id: 'GenerateLinkDto' });

export const PortalLink = z
  .object({ link: secret.describe('The link, which opens one session, within five minutes.') })
  .meta({ id: 'PortalLinkResponse' });
