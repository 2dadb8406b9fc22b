import type { DomainFields } from '../domain/schema.ts';

/** An organization's domains, in the order in which they were added: ids sort by creation. */
export const domainsOf = ({ domains }: { domains?: unknown }): DomainFields[] =>
  Object.values(domains as Record<string, DomainFields>).toSorted((one, other) => (one.id < other.id ? -1 : 1));

/** Domains in the form of the organization's row. */
export const domainsById = (domains: readonly DomainFields[]): Record<string, DomainFields> =>
  Object.fromEntries(domains.map((domain) => [domain.id, domain]));
