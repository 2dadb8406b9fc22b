import { area } from '../kernel/area.ts';
import { bareErrors } from '../kernel/http/refusal.ts';
import { createDataKey, decryptDataKey, rekeyDataKey } from './data-key/operations.ts';
import { describeObject, listObjects, listObjectVersions } from './object/describe.ts';
import { createObject, deleteObject, readObject, readObjectByName, updateObject } from './object/operations.ts';

export const vaultArea = area({
  name: 'vault',
  summary: 'Encrypted objects and data keys, under keys of their contexts',
  refusals: bareErrors,
  needs: ['table', 'keys', 'rekey', 'key-table', 'customer-keys', 'organization-kms-keys'],
  operations: [
    createDataKey,
    decryptDataKey,
    rekeyDataKey,
    listObjects,
    createObject,
    readObjectByName,
    readObject,
    updateObject,
    deleteObject,
    describeObject,
    listObjectVersions,
  ],
  workers: [],
});
