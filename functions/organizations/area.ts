import { area } from '../kernel/area.ts';
import { messages } from '../kernel/http/error-response.ts';
import {
  createOrganizationDomain,
  deleteOrganizationDomain,
  getOrganizationDomain,
  verifyOrganizationDomain,
} from './domain/operations.ts';
import { showInvitation } from './it-contact/page-operations.ts';
import {
  createItContact,
  deleteItContact,
  inviteItContact,
  listItContacts,
  revokeItContact,
} from './it-contact/operations.ts';
import {
  createOrganization,
  deleteOrganization,
  getOrganization,
  getOrganizationByExternalId,
  listOrganizations,
  updateOrganization,
} from './organization/operations.ts';

export const organizationsArea = area({
  name: 'organizations',
  summary: 'Organizations, their domains and IT contacts',
  errorForm: messages,
  needs: ['table', 'keys', 'key-table', 'dns', 'base-url'],
  operations: [
    listOrganizations,
    createOrganization,
    getOrganization,
    getOrganizationByExternalId,
    updateOrganization,
    deleteOrganization,
    createOrganizationDomain,
    getOrganizationDomain,
    deleteOrganizationDomain,
    verifyOrganizationDomain,
    listItContacts,
    createItContact,
    deleteItContact,
    inviteItContact,
    revokeItContact,
    showInvitation,
  ],
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
