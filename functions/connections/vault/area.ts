import { area } from '../../kernel/area.ts';
import { bareErrorForm } from '../../kernel/http/error-response.ts';
import { customerKeyOperations } from './customer-key/operations.ts';
import { dataKeyOperations } from './data-key/operations.ts';
import { objectMetadataOperations } from './object/metadata-operations.ts';
import { objectOperations } from './object/operations.ts';
import { shreddingOperations } from './shredding/operations.ts';

export const vaultArea = area({
  name: 'vault',
  group: 'connections',
  summary: 'Encrypted objects and data keys; their context decides which key encrypts them',
  errorForm: bareErrorForm,
  needs: [
    'table',
    'keys',
    'rekey',
    'key-table',
    'customer-keys',
    'organization-kms-keys',
    'organization-key-deletion',
    'evidence-key',
  ],
  operations: [
    ...dataKeyOperations,
    ...objectMetadataOperations,
    ...objectOperations,
    ...customerKeyOperations,
    ...shreddingOperations,
  ],
  workers: [
    {
      name: 'shred',
      summary: 'Follows the destruction of the key of a deleted organization',
      on: { kind: 'events', events: ['organization.deleted'] },
      needs: ['table', 'key-table', 'organization-key-deletion'],
    },
    {
      name: 'signReceipts',
      summary: 'Signs the receipts of destroyed keys that are due',
      on: { kind: 'schedule', everyMinutes: 1 },
      needs: ['table', 'key-table', 'evidence-key'],
      timeoutSeconds: 60,
    },
  ],
});
