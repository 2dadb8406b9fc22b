import type { Write } from '../../kernel/storage/write.ts';
import { organizations } from '../organization/entity.ts';
import type { DomainFields } from './schema.ts';

/** The write that makes an organization's own row repeat a domain as it is now; fails when the organization is gone. */
export const repeatDomain = (environmentId: string, organizationId: string, domain: DomainFields): Write =>
  organizations.amend(environmentId, organizationId, 'domains', domain.id, domain);

/** The write that takes a domain out of its organization's own row; fails when the organization is gone. */
export const forgetDomain = (environmentId: string, organizationId: string, domainId: string): Write =>
  organizations.amend(environmentId, organizationId, 'domains', domainId, undefined);
