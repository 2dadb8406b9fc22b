import { randomBytes } from 'node:crypto';
import { clock } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/ids.ts';
import { dueOn } from '../../../kernel/storage/due.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import { claim, findHolder, release, type UniqueValue } from '../../../kernel/storage/unique.ts';
import type { Write } from '../../../kernel/storage/write.ts';
import { type OrganizationDomainRecord, organizationDomains } from './entity.ts';
import { isVerified, nextLookUp, VERIFICATION_PERIOD_MS } from './rules.ts';
import type { DomainFields } from './schema.ts';
import { organizations } from '../organization/entity.ts';

/** The new state of one domain: its fields (for the organization's own row), its writes, and its claim. */
export interface DomainChange {
  domain: DomainFields;
  writes: Write[];
  /** The write that claims the verified name; it fails if another organization has it. */
  claim?: Write;
}

/** The unique value of a verified name, which belongs to one organization of an environment. */
const nameOf = (environmentId: string, value: string): UniqueValue => ({
  environmentId,
  kind: 'organization-domain',
  value,
});

/** The organization that has a verified name, if there is one, by one GetItem. */
export const holderOfName = (environmentId: string, domain: string): Promise<string | undefined> =>
  findHolder(nameOf(environmentId, domain));

const claimName = (environmentId: string, organizationId: string, domain: string): Write =>
  claim(nameOf(environmentId, domain), organizationId, ownerKey('organization', organizationId));

/** Adds a domain, which is verified if the caller asserts it, or pending with a token for DNS. */
export function addDomain(
  environmentId: string,
  organizationId: string,
  domain: string,
  state: 'pending' | 'verified',
): DomainChange {
  const id = newId('org_domain');
  const { record, write } = organizationDomains.create({
    environmentId,
    id,
    organizationId,
    owner: ownerKey('organization', organizationId),
    domain,
    state,
    strategy: state === 'verified' ? 'manual' : 'dns',
    ...(state === 'pending' ? pendingFields(id, clock.now()) : {}),
  });
  return {
    domain: readFields(record),
    writes: [write],
    ...(state === 'verified' ? { claim: claimName(environmentId, organizationId, domain) } : {}),
  };
}

function pendingFields(id: string, now: number) {
  const pendingUntil = new Date(now + VERIFICATION_PERIOD_MS).toISOString();
  return {
    verificationPrefix: `gatehouse-verification-${randomBytes(4).toString('hex')}`,
    verificationToken: randomBytes(18).toString('base64url'),
    pendingUntil,
    ...dueOn(id, nextLookUp(pendingUntil, now)),
  };
}

/** A domain in another state. */
export function moveDomain(
  record: OrganizationDomainRecord,
  state: 'pending' | 'verified' | 'failed',
  strategy: 'dns' | 'manual' = record.strategy,
): DomainChange {
  const waiting = state === 'pending' ? { ...pendingFields(record.id, clock.now()) } : notWaiting;
  const kept =
    record.verificationToken === undefined
      ? {}
      : { verificationPrefix: record.verificationPrefix, verificationToken: record.verificationToken };
  const { record: next, write } = organizationDomains.revise(record, { state, strategy, ...waiting, ...kept });
  const name = nameOf(record.environmentId, record.domain);
  const gained = state === 'verified' && !isVerified(record);
  const lost = state !== 'verified' && isVerified(record);
  return {
    domain: readFields(next),
    writes: lost ? [write, release(name, record.organizationId)] : [write],
    ...(gained ? { claim: claimName(record.environmentId, record.organizationId, record.domain) } : {}),
  };
}

const notWaiting = { pendingUntil: undefined, dueShard: undefined, dueAt: undefined };

/** Postpones a pending domain's next lookup. */
export function postponeDomain(record: OrganizationDomainRecord): Write {
  return organizationDomains.revise(record, dueOn(record.id, nextLookUp(record.pendingUntil ?? '', clock.now()))).write;
}

/** The writes that remove a domain. */
export function removeDomain(record: OrganizationDomainRecord): Write[] {
  return [organizationDomains.remove(record), ...releaseDomain(record.environmentId, record.organizationId, record)];
}

/** The write that releases a verified name. */
export function releaseDomain(
  environmentId: string,
  organizationId: string,
  domain: Pick<DomainFields, 'domain' | 'state'>,
): Write[] {
  return isVerified(domain) ? [release(nameOf(environmentId, domain.domain), organizationId)] : [];
}

/** The part of a domain's row that is copied to its organization's row. */
export function readFields(record: OrganizationDomainRecord): DomainFields {
  const { id, domain, state, strategy, verificationPrefix, verificationToken, createdAt, updatedAt } = record;
  return { id, domain, state, strategy, verificationPrefix, verificationToken, createdAt, updatedAt };
}

/** The write that copies a domain's current state to its organization's row. It fails if the organization was deleted. */
export const repeatDomain = (environmentId: string, organizationId: string, domain: DomainFields): Write =>
  organizations.amend(environmentId, organizationId, 'domains', domain.id, domain);

/** The write that removes a domain from its organization's row. It fails if the organization was deleted. */
export const forgetDomain = (environmentId: string, organizationId: string, domainId: string): Write =>
  organizations.amend(environmentId, organizationId, 'domains', domainId, undefined);
