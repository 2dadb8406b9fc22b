import { domainToASCII } from 'node:url';

import * as z from 'zod';

import { timestamp } from '../../../kernel/values.ts';

const HOST = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** A domain name as it is stored: lower case, without a final dot, international names in their ASCII form. */
export const domainName = z
  .string()
  .max(253)
  // Other parts of a URL are rejected, because the conversion below would remove them silently.
  .regex(/^[^\s/\\:@?#%[\]]*$/, 'must be a domain name such as example.com')
  .transform((text) => domainToASCII(text.trim().replace(/\.$/, '')).toLowerCase())
  .refine((domain) => HOST.test(domain), 'must be a domain name such as example.com')
  .meta({ type: 'string' });

/** A domain as it is stored in its own row and within its organization's. */
export interface DomainFields {
  id: string;
  domain: string;
  state: 'failed' | 'legacy_verified' | 'pending' | 'unverified' | 'verified';
  strategy: 'dns' | 'manual';
  verificationPrefix?: string | undefined;
  verificationToken?: string | undefined;
  createdAt: string;
  updatedAt: string;
}

const fields = {
  object: z.literal('organization_domain'),
  id: z.string(),
  organization_id: z.string(),
  domain: z.string(),
  state: z
    .enum(['failed', 'legacy_verified', 'pending', 'unverified', 'verified'])
    .optional()
    .describe(
      '`pending` until the DNS record is found, `verified`, or `failed`. `legacy_verified` and `unverified` are values of the contract that this service never sets.',
    ),
  verification_prefix: z.string().optional(),
  verification_token: z.string().optional(),
  verification_strategy: z.enum(['dns', 'manual']).optional(),
  created_at: timestamp,
  updated_at: timestamp,
};

/** A domain within its organization. */
export const DomainRecord = z.object(fields);
/** A domain in responses of the domain operations, without its organization's other members. */
export const OrganizationDomain = z.object(fields).meta({ id: 'OrganizationDomainStandAlone' });

/** The event data of a domain. */
export type DomainPayload = z.output<typeof OrganizationDomain>;

export const CreateDomain = z
  .object({ domain: domainName, organization_id: z.string() })
  .meta({ id: 'CreateOrganizationDomainDto' });

/** A stored domain as callers see it. */
export function presentDomain(domain: DomainFields, organizationId: string): z.input<typeof OrganizationDomain> {
  return {
    object: 'organization_domain',
    id: domain.id,
    organization_id: organizationId,
    domain: domain.domain,
    state: domain.state,
    verification_strategy: domain.strategy,
    ...(domain.verificationPrefix === undefined ? {} : { verification_prefix: domain.verificationPrefix }),
    ...(domain.verificationToken === undefined ? {} : { verification_token: domain.verificationToken }),
    created_at: domain.createdAt,
    updated_at: domain.updatedAt,
  };
}
