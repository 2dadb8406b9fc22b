import * as z from 'zod';
import type { EventFamily } from './family.ts';
import { text, textMap, textOrNull, timestamp } from './values.ts';

/** A domain of an organization. */
export const OrganizationDomainRecord = z.object({
  object: z.literal('organization_domain'),
  id: text,
  organization_id: text,
  domain: text,
  state: z.enum(['failed', 'legacy_verified', 'pending', 'unverified', 'verified']).optional(),
  verification_prefix: text.optional(),
  verification_token: text.optional(),
  verification_strategy: z.enum(['dns', 'manual']).optional(),
  created_at: timestamp,
  updated_at: timestamp,
});

/** An organization with its domains. */
export const OrganizationRecord = z.object({
  object: z.literal('organization'),
  id: text,
  name: text,
  domains: z.array(OrganizationDomainRecord),
  metadata: textMap,
  external_id: textOrNull,
  stripe_customer_id: text.optional(),
  created_at: timestamp,
  updated_at: timestamp,
});

const FailedVerification = z.object({
  reason: z.enum(['domain_verification_period_expired', 'domain_verified_by_other_organization']),
  organization_domain: OrganizationDomainRecord,
});

/** Organizations and their domains. */
export const organizationEvents = {
  'organization.created': { data: OrganizationRecord, subscribable: true },
  'organization.deleted': { data: OrganizationRecord, subscribable: true },
  'organization.updated': { data: OrganizationRecord, subscribable: true },
  'organization_domain.created': { data: OrganizationDomainRecord, subscribable: true },
  'organization_domain.deleted': { data: OrganizationDomainRecord, subscribable: true },
  'organization_domain.updated': { data: OrganizationDomainRecord, subscribable: true },
  'organization_domain.verification_failed': { data: FailedVerification, subscribable: true },
  'organization_domain.verified': { data: OrganizationDomainRecord, subscribable: true },
} as const satisfies EventFamily<'organization.' | 'organization_domain.'>;
