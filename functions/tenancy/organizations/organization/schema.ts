import * as z from 'zod';
import { commaSeparated, listSchema, pageMembers } from '../../../kernel/pagination.ts';
import { searchText } from '../../../kernel/search-text.ts';
import { externalId, metadata, timestamp } from '../../../kernel/values.ts';
import { type DomainFields, domainName, DomainRecord, presentDomain } from '../domain/schema.ts';
import type { OrganizationRecord } from './entity.ts';

/** Maximum number of domains of one organization. */
export const MAX_DOMAINS = 50;

const name = z.string().trim().min(1).max(255);

const DomainData = z
  .object({ domain: domainName, state: z.enum(['pending', 'verified']) })
  .meta({ id: 'OrganizationDomainDataDto' });

const noDomainTwice = (domains: readonly { domain: string }[]): boolean =>
  new Set(domains.map(({ domain }) => domain)).size === domains.length;

const common = {
  allow_profiles_outside_organization: z.boolean().optional(),
  domain_data: z.array(DomainData).max(MAX_DOMAINS).refine(noDomainTwice, 'names a domain twice').optional(),
  metadata: metadata.nullable().optional(),
  external_id: externalId.nullable().optional(),
};
const domains = z
  .array(domainName)
  .max(MAX_DOMAINS)
  .refine((names) => new Set(names).size === names.length, 'names a domain twice')
  .optional();

export const CreateOrganization = z.object({ name, ...common, domains }).meta({ id: 'OrganizationDto' });

export const UpdateOrganization = z
  .object({
    name: name.optional(),
    ...common,
    domains: domains.meta({ deprecated: true }),
    stripe_customer_id: z.string().min(1).max(255).optional(),
  })
  .meta({ id: 'UpdateOrganizationDto' });

export const Organization = z
  .object({
    object: z.literal('organization'),
    id: z.string(),
    name: z.string(),
    domains: z.array(DomainRecord),
    metadata: z.record(z.string(), z.string()).meta({ maxProperties: 50 }),
    external_id: z.string().nullable(),
    stripe_customer_id: z.string().optional(),
    created_at: timestamp,
    updated_at: timestamp,
    allow_profiles_outside_organization: z.boolean().optional().meta({ deprecated: true }),
  })
  .meta({ id: 'Organization' });

export const OrganizationList = listSchema(Organization).meta({ id: 'OrganizationList' });

export const ListOrganizations = z.object({
  ...pageMembers('org'),
  /** Selects organizations that have any of these domains. */
  domains: commaSeparated(z.string().min(1).max(253).toLowerCase())
    .refine((names) => names.length <= 20, 'names more than 20 domains')
    .optional(),
  /** Prefixes of words of the name, ignoring case. */
  search: searchText.optional(),
});

/** A stored organization as callers see it. */
export function presentOrganization(record: OrganizationRecord): z.input<typeof Organization> {
  return {
    object: 'organization',
    id: record.id,
    name: record.name,
    domains: sortDomains(record).map((domain) => presentDomain(domain, record.id)),
    metadata: record.metadata as Record<string, string>,
    external_id: record.externalId ?? null,
    ...(record.stripeCustomerId === undefined ? {} : { stripe_customer_id: record.stripeCustomerId }),
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    allow_profiles_outside_organization: record.allowProfilesOutsideOrganization,
  };
}

/** An organization's domains, in the order in which they were added: ids sort by creation. */
export const sortDomains = ({ domains }: { domains?: unknown }): DomainFields[] =>
  Object.values(domains as Record<string, DomainFields>).toSorted((one, other) => (one.id < other.id ? -1 : 1));

/** Domains in the form of the organization's row. */
export const domainsById = (domains: readonly DomainFields[]): Record<string, DomainFields> =>
  Object.fromEntries(domains.map((domain) => [domain.id, domain]));
