import { vaultKeysPage, receiptPage } from './customer-keys.ts';
import { integrationPages } from './integrations.ts';
import { keyBulkPages, keysPage } from './keys.ts';
import { vaultObjectPage, vaultPage } from './vault.ts';

/** API keys, the vault and connected accounts; names and states. A value of the vault is shown once, by the act that reveals it. */
export const secretPages = [
  keysPage,
  ...keyBulkPages,
  vaultPage,
  vaultObjectPage,
  vaultKeysPage,
  receiptPage,
  ...integrationPages,
];
