import * as z from 'zod';

import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Issue } from '../../../kernel/errors.ts';
import { clock } from '../../../kernel/clock.ts';
import { operation } from '../../../kernel/operation.ts';
import { settings } from '../../../kernel/settings.ts';
import { emailInput, secret } from '../../../kernel/values.ts';
import { isRedirectUri } from '../../../tenancy/modules/client-settings/public.ts';
import { findOrganization, organizationNotFound, stageItContacts } from '../../../tenancy/organizations/public.ts';
import { INTENTS } from '../../../tenancy/modules/portal-access/public.ts';
import { admitMinting, readCallerAuthority } from '../../../tenancy/modules/trust/public.ts';
import { LINK_SECONDS } from './entity.ts';
import { stagePortalLink } from './make.ts';

const emails = z.array(emailInput).max(20).optional();

const GenerateLink = z
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

const PortalLink = z
  .object({ link: secret.describe('The link, which opens one session, within five minutes.') })
  .meta({ id: 'PortalLinkResponse' });

/** Describes what is wrong with the addresses of a link: each must be a registered redirect URI, over https except on loopback. */
async function findIssues(environmentId: string, addresses: Readonly<Record<string, string | undefined>>) {
  const found = await awaitAll(
    Object.entries(addresses).map(async ([field, address]): Promise<Issue[]> => {
      if (address === undefined) return [];
      const isWeb = /^https?:/.test(address);
      if (isWeb && (await isRedirectUri(environmentId, address))) return [];
      return [
        { field, code: 'not_registered', message: 'must be an https address that is registered as a redirect URI' },
      ];
    }),
  );
  return found.flat();
}

export const generateLink = operation({
  id: 'portal.generate_link',
  method: 'POST',
  path: '/portal/generate_link',
  summary: 'Generate a link with which an administrator of an organization opens the admin portal',
  description:
    `The link is valid for ${LINK_SECONDS / 60} minutes and opens one session of up to eight hours. Loading its page does not use it up; the button on the page works once. Redirect the ` +
    'administrator to it at once; do not mail it. `return_url` and `success_url` are registered redirect URIs; without them the settings of the ' +
    'environment apply. The addresses of `it_contact_emails` and `admin_emails` become IT contacts; no mail is sent to them.',
  auth: apiKey,
  body: GenerateLink,
  responses: { 201: PortalLink },
  errors: [organizationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body, caller, unit, fail, invalid }) {
    const { return_url: returnUrl, success_url: successUrl, organization: organizationId, intent } = body;
    const [organization, issues] = await awaitAll([
      findOrganization(environmentId, organizationId),
      findIssues(environmentId, { return_url: returnUrl, success_url: successUrl }),
    ]);
    if (organization === undefined) throw fail(organizationNotFound);
    if (issues.length > 0) throw invalid(issues);
    const emails = [...new Set([...(body.it_contact_emails ?? []), ...(body.admin_emails ?? [])])];
    const tooMany = await stageItContacts(unit, environmentId, organizationId, emails);
    if (tooMany !== undefined) throw invalid([{ field: 'it_contact_emails', code: 'too_big', message: tooMany }]);
    const path = stagePortalLink(unit, admitMinting(readCallerAuthority(caller, clock.now()), organizationId), {
      environmentId,
      intents: intent === undefined ? INTENTS : [intent],
      returnUrl,
      successUrl,
      providerType: body.intent_options?.sso.provider_type,
    });
    return { status: 201, body: { link: `${settings().GATEHOUSE_BASE_URL}${path}` } };
  },
});

export const linkOperations = [generateLink] as const;
