import type { Write } from '../../kernel/storage/write.ts';
import { type OrganizationRecord, organizations } from '../organization/entity.ts';
import type { DomainFields } from './schema.ts';

/** The write that makes an organization's own row repeat a domain as it is now. */
export function rememberDomain(organization: OrganizationRecord, domain: DomainFields): Write {
  const others = domainsOf(organization).filter(({ id }) => id !== domain.id);
  return organizations.revise(organization, { domains: [...others, domain] }).write;
}

/** The write that takes a domain out of its organization's own row. */
export function withoutDomain(organization: OrganizationRecord, domainId: string): Write {
  const domains = domainsOf(organization).filter(({ id }) => id !== domainId);
  return organizations.revise(organization, { domains }).write;
}

const domainsOf = ({ domains }: OrganizationRecord): DomainFields[] => domains as DomainFields[];
