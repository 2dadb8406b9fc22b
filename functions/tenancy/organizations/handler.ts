import { httpEntry } from '../../kernel/http/entry.ts';
import { eventEntry, scheduleEntry } from '../../kernel/http/worker.ts';
import { organizationsArea } from './area.ts';
import type { DomainPayload } from './domain/schema.ts';
import { failRivals, lookUpDueDomains } from './domain/verification.ts';

export const http = httpEntry(organizationsArea);

export const failCompetingDomains = eventEntry(
  'organizations-fail-competing-domains',
  async ({ environment_id, data }) => {
    const { state, domain, organization_id } = data as DomainPayload;
    if (state === 'verified') await failRivals(environment_id, domain, organization_id);
  },
);

export const verifyDomains = scheduleEntry('organizations-verify-domains', lookUpDueDomains);
