import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import { dueAttributes, dueIndex, findDue } from '../../../kernel/storage/due.ts';
import {
  attributeIndex,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../../kernel/storage/record.ts';

const DomainEntity = entity({
  model: model('organization-domain'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...dueAttributes,
    organizationId: { type: 'string', required: true, readOnly: true },
    domain: { type: 'string', required: true, readOnly: true },
    state: { type: ['failed', 'legacy_verified', 'pending', 'unverified', 'verified'] as const, required: true },
    strategy: { type: ['dns', 'manual'] as const, required: true },
    verificationPrefix: { type: 'string' },
    verificationToken: { type: 'string' },
    /** The time until which a pending domain is looked up. */
    pendingUntil: { type: 'string' },
  },
  indexes: {
    primary: recordKey('organization-domain'),
    /** The organizations that have added a domain: one Query. */
    byName: attributeIndex('organization-domain', 'domain'),
    /** Pending domains whose next lookup is due. */
    due: dueIndex('organization-domain'),
    owned: ownedIndex,
  },
});

export type OrganizationDomainRecord = RecordOf<typeof DomainEntity>;

export const organizationDomains = collection(DomainEntity, {
  events: [
    'organization_domain.created',
    'organization_domain.updated',
    'organization_domain.verified',
    'organization_domain.verification_failed',
    'organization_domain.deleted',
  ],
  silent: ['dueShard', 'dueAt'],
});

/** The rows of a domain name, in any state, by one Query (eventually consistent). */
export const domainsNamed = (environmentId: string, domain: string): Promise<OrganizationDomainRecord[]> =>
  organizationDomains.list('byName', { environmentId, domain }).toArray();

/** Pending domains whose next lookup is due. */
export const dueDomains = (limit: number): Promise<OrganizationDomainRecord[]> =>
  findDue(organizationDomains.entity(), limit);
