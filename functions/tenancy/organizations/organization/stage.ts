import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Failure, Issue } from '../../../kernel/errors.ts';
import { indexText } from '../../../kernel/storage/search.ts';
import { ENVIRONMENT_OWNER, ownerKey } from '../../../kernel/storage/record.ts';
import { claim, type UniqueValue } from '../../../kernel/storage/unique.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { Write } from '../../../kernel/storage/write.ts';
import { addDomain, holderOfName, moveDomain, removeDomain } from '../domain/stage.ts';
import { organizationDomains } from '../domain/entity.ts';
import { type DomainFields, presentDomain } from '../domain/schema.ts';
import { clock } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/ids.ts';
import { domainsById, presentOrganization } from './schema.ts';
import { type OrganizationRecord, organizations } from './entity.ts';

/**
 * Maximum number of domains that one request may add, change or remove, since each takes up to three rows of its
 * transaction.
 */
const MAX_DOMAIN_CHANGES = 15;

/** A domain in a request. */
export interface WantedDomain {
  domain: string;
  state: 'pending' | 'verified';
}

/** The domains of a request: `domain_data`, or the older `domains`, which the caller asserts to be verified. */
export function wantedDomains(body: {
  domain_data?: WantedDomain[] | undefined;
  domains?: string[] | undefined;
}): WantedDomain[] | undefined {
  return body.domain_data ?? body.domains?.map((domain) => ({ domain, state: 'verified' as const }));
}

/** The errors that reject the domains of a request. */
export interface DomainRejections {
  /** The error if another organization has verified a name. */
  taken: Failure;
  invalid: (issues: readonly Issue[]) => Failure;
}

type DomainUnit = Unit<'organization_domain.created' | 'organization_domain.updated' | 'organization_domain.deleted'>;

/**
 * Stages the changes from an organization's current domains to the requested ones, with their events.
 * @returns the domains as stored in the organization's own row
 */
export async function replaceDomains(
  unit: DomainUnit,
  organization: { environmentId: string; id: string; domains: readonly DomainFields[] },
  wanted: readonly WantedDomain[],
  rejections: DomainRejections,
): Promise<DomainFields[]> {
  const { environmentId, id: organizationId, domains } = organization;
  const states = new Map(wanted.map(({ domain, state }) => [domain, state]));
  const changed = domains.filter(({ domain, state }) => states.get(domain) !== state);
  const added = wanted.filter(({ domain }) => !domains.some((own) => own.domain === domain));
  rejectTooManyDomains(changed.length + added.length, rejections);
  const rows = await organizationDomains.getMany(
    environmentId,
    changed.map(({ id }) => id),
  );
  const kept = domains.filter((domain) => !changed.includes(domain));
  const details = { organizationId };
  for (const row of rows) {
    const state = states.get(row.domain);
    if (state === undefined) {
      unit.stage(removeDomain(row));
      unit.emit('organization_domain.deleted', presentDomain(row, organizationId), details);
      continue;
    }
    const move = moveDomain(row, state, state === 'verified' ? 'manual' : 'dns');
    unit.stage(move.writes);
    if (move.claim !== undefined) unit.stage(move.claim, rejections.taken);
    unit.emit('organization_domain.updated', presentDomain(move.domain, organizationId), details);
    kept.push(move.domain);
  }
  return [...kept, ...stageAddedDomains(unit, organization, added, rejections)];
}

/**
 * Rejects new pending domains that another organization has verified, since their verification could only fail. It is one GetItem
 * each, in parallel. New verified domains are rejected by the claim of their name.
 * @throws {Failure} `taken`
 */
export async function rejectHeldDomains(
  environmentId: string,
  added: readonly WantedDomain[],
  taken: Failure,
): Promise<void> {
  const pending = added.filter(({ state }) => state === 'pending').slice(0, MAX_DOMAIN_CHANGES);
  const holders = await awaitAll(pending.map(({ domain }) => holderOfName(environmentId, domain)));
  if (holders.some((holder) => holder !== undefined)) throw taken;
}

/**
 * Rejects too many changes of domains.
 * @throws the caller's `invalid` for more domains than one request may add, change and remove
 */
function rejectTooManyDomains(count: number, { invalid }: DomainRejections): void {
  if (count <= MAX_DOMAIN_CHANGES) return;
  const message = `changes more than ${MAX_DOMAIN_CHANGES} domains at once; change them in several requests`;
  throw invalid([{ field: 'domain_data', code: 'too_big', message }]);
}

/** Stages new domains of an organization with their events. @returns the domains */
function stageAddedDomains(
  unit: Unit<'organization_domain.created'>,
  { environmentId, id: organizationId }: { environmentId: string; id: string },
  added: readonly WantedDomain[],
  { taken }: DomainRejections,
): DomainFields[] {
  return added.map(({ domain, state }) => {
    const addition = addDomain(environmentId, organizationId, domain, state);
    unit.stage(addition.writes);
    if (addition.claim !== undefined) unit.stage(addition.claim, taken);
    unit.emit('organization_domain.created', presentDomain(addition.domain, organizationId), { organizationId });
    return addition.domain;
  });
}

/** The writes that update the search words of an organization's name. */
export const indexName = (environmentId: string, id: string, former: string, next: string): Write[] =>
  indexText({ environmentId, kind: 'organization', id, owner: ownerKey('organization', id) }, former, next);

/** The unique value of an organization's external id. */
export const externalIdOf = (environmentId: string, value: string): UniqueValue => ({
  environmentId,
  kind: 'organization.external_id',
  value,
});
/** The unique value of an organization's Stripe customer id. */
export const stripeCustomerIdOf = (environmentId: string, value: string): UniqueValue => ({
  environmentId,
  kind: 'organization.stripe_customer_id',
  value,
});

/** The data of a new organization. */
export interface NewOrganization {
  environmentId: string;
  name: string;
  domains: readonly WantedDomain[];
  metadata: Record<string, string>;
  externalId?: string | undefined;
  allowProfilesOutsideOrganization: boolean;
  /** The original id and times of an imported organization. */
  id?: string | undefined;
  createdAt?: string | undefined;
  updatedAt?: string | undefined;
}

/** The events of a new organization with its domains. */
export type NewOrganizationUnit = Unit<'organization.created' | 'organization_domain.created'>;

/**
 * Stages a new organization with its domains and unique values, and `organization.created`.
 * @returns the new organization
 */
export async function stageOrganization(
  unit: NewOrganizationUnit,
  organization: NewOrganization,
  rejections: DomainRejections & { externalIdTaken: Failure },
): Promise<OrganizationRecord> {
  const { environmentId, id = newId('org'), domains: wanted, createdAt = clock.timestamp(), updatedAt } = organization;
  const { name, metadata, externalId, allowProfilesOutsideOrganization } = organization;
  rejectTooManyDomains(wanted.length, rejections);
  const domains = stageAddedDomains(unit, { environmentId, id }, wanted, rejections);
  const creation = organizations.create(
    {
      environmentId,
      id,
      owner: ENVIRONMENT_OWNER,
      name,
      domains: domainsById(domains),
      metadata,
      externalId,
      allowProfilesOutsideOrganization,
    },
    createdAt,
    updatedAt,
  );
  const record = unit.announce(creation, 'organization.created', presentOrganization, { organizationId: id });
  unit.stage(indexName(environmentId, id, '', name));
  if (externalId !== undefined) {
    unit.stage(
      claim(externalIdOf(environmentId, externalId), id, ownerKey('organization', id)),
      rejections.externalIdTaken,
    );
  }
  return record;
}
