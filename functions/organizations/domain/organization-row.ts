import type { Write } from '../../kernel/storage/write.ts';
import { organizations } from '../organization/entity.ts';
import type { DomainFields } from './schema.ts';

/** The write that copies a domain's current state to its organization's row; fails if the organization was deleted. */
export const repeatDomain = (environmentId: string, organizationId: string, domain: DomainFields): Write =>
  organizations.amend(environmentId, organizationId, 'domains', domain.id, domain);

/** The write that removes a domain from its organization's row; fails if the organization was deleted. */
export const forgetDomain = (environmentId: string, organizationId: string, domainId: string): Write =>
  organizations.amend(environmentId, organizationId, 'domains', domainId, undefined);
