import { systemActor } from '../../../kernel/authentication/caller.ts';
import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { EgressError } from '../../../kernel/egress/egress.ts';
import { egress } from '../../../kernel/egress/shared.ts';
import { Failure } from '../../../kernel/errors.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { domainAlreadyClaimed } from '../organization/errors.ts';
import { domainsNamed, dueDomains, organizationDomains, type OrganizationDomainRecord } from './entity.ts';
import { holderOfName, moveDomain, postponeDomain, repeatDomain } from './stage.ts';
import { provesDomain } from './rules.ts';
import { presentDomain } from './schema.ts';

const DNS_TIMEOUT_MS = 3_000;
/** Number of domains that one run of the scheduled worker looks up from each shard of the due index. */
const BATCH = 50;

/** Reports whether DNS verifies a domain at present; a name server that does not respond verifies nothing. */
export async function isProvenByDns(record: OrganizationDomainRecord): Promise<boolean> {
  if (record.verificationPrefix === undefined) return false;
  const [atPrefix, atDomain] = await awaitAll([
    resolveTexts(`${record.verificationPrefix}.${record.domain}`),
    resolveTexts(record.domain),
  ]);
  return provesDomain(record, { atPrefix, atDomain });
}

async function resolveTexts(name: string): Promise<readonly string[]> {
  try {
    return await egress().resolveTxt(name, { timeoutMs: DNS_TIMEOUT_MS });
  } catch (error) {
    if (error instanceof EgressError) return [];
    throw error;
  }
}

/** Looks up the pending domains that are due, verifies or fails them, and postpones the others. */
export async function lookUpDueDomains(): Promise<void> {
  const due = await dueDomains(BATCH);
  await awaitAll(due.map(({ environmentId, id }) => lookUpDomain(environmentId, id)));
}

async function lookUpDomain(environmentId: string, id: string): Promise<void> {
  const seen = await organizationDomains.get(environmentId, id);
  if (seen?.state !== 'pending') return;
  if (await isProvenByDns(seen)) {
    try {
      await settle(environmentId, id, 'verified');
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      await settle(environmentId, id, 'failed', 'domain_verified_by_other_organization');
    }
  } else if ((await holderOfName(environmentId, seen.domain)) !== undefined) {
    // The index by name lags, so the call that verified the name may not have seen this domain.
    await settle(environmentId, id, 'failed', 'domain_verified_by_other_organization');
  } else if ((seen.pendingUntil ?? '') <= clock.timestamp()) {
    await settle(environmentId, id, 'failed', 'domain_verification_period_expired');
  } else {
    await applyWork(environmentId, systemActor, async (unit) => unit.stage(postponeDomain(seen)));
  }
}

/** Fails the pending domains of a name after one organization has verified it, since no other can verify it any more. */
export async function failRivals(environmentId: string, domain: string, winner: string): Promise<void> {
  const rivals = (await domainsNamed(environmentId, domain)).filter(
    ({ state, organizationId }) => state === 'pending' && organizationId !== winner,
  );
  for (const { id } of rivals) await settle(environmentId, id, 'failed', 'domain_verified_by_other_organization');
}

async function settle(
  environmentId: string,
  id: string,
  state: 'verified' | 'failed',
  reason:
    | 'domain_verification_period_expired'
    | 'domain_verified_by_other_organization' = 'domain_verification_period_expired',
): Promise<void> {
  await applyWork(environmentId, systemActor, async (unit) => {
    const record = await organizationDomains.get(environmentId, id);
    if (record?.state !== 'pending') return;
    const { organizationId } = record;
    const move = moveDomain(record, state, 'dns');
    unit.stage([...move.writes, repeatDomain(environmentId, organizationId, move.domain)]);
    if (move.claim !== undefined) unit.stage(move.claim, new Failure(domainAlreadyClaimed));
    const payload = presentDomain(move.domain, organizationId);
    const details = { organizationId };
    if (state === 'verified') unit.emit('organization_domain.verified', payload, details);
    else unit.emit('organization_domain.verification_failed', { reason, organization_domain: payload }, details);
  });
}
