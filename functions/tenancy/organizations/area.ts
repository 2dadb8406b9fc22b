import { area } from '../../kernel/area.ts';
import { messages } from '../../kernel/http/error-response.ts';
import { domainOperations } from './domain/operations.ts';
import { itContactPageOperations } from './it-contact/page-operations.ts';
import { itContactOperations } from './it-contact/operations.ts';
import { organizationOperations } from './organization/operations.ts';

export const organizationsArea = area({
  name: 'organizations',
  group: 'tenancy',
  summary: 'Organizations, their domains and IT contacts',
  errorForm: messages,
  needs: ['table', 'keys', 'key-table', 'dns', 'base-url'],
  operations: [...organizationOperations, ...domainOperations, ...itContactOperations, ...itContactPageOperations],
  workers: [
    {
      name: 'failCompetingDomains',
      summary: 'Fails other organizations’ pending verification of a domain that was verified',
      on: {
        kind: 'events',
        events: ['organization_domain.verified', 'organization_domain.created', 'organization_domain.updated'],
      },
      needs: ['table'],
    },
    {
      name: 'verifyDomains',
      summary: 'Looks up the DNS records of pending domains',
      on: { kind: 'schedule', everyMinutes: 5 },
      needs: ['table', 'dns'],
      timeoutSeconds: 120,
    },
  ],
});
