import type { Known } from './steps.ts';

/** The reasons why steps fail in MiniStack 1.5.33 only. */
export const known: Known = {
  'IT contacts: one is invited':
    'it is, but the emulator calls the 204, which has neither content nor type, application/json, as which the SDK reads it; an HTTP API of AWS falls back to text/plain',
  'vault: rekey': 'the KMS of the emulator has no ReEncrypt',
};

/** Contract tests that fail on the stage because of the emulator, by operation. */
export const knownOperations: Known = {
  'DELETE /x/vault/customer_keys/{id}':
    'the emulator has no KMS keys of other accounts, so no customer key can be added',
  'DELETE /radar/lists/{type}/{action}':
    'its 204 has neither content nor type, and the emulator calls it application/json; an HTTP API of AWS does not',
  'GET /x/it_contact_invitations/{token}':
    'its 302 has neither content nor type, and the emulator calls it application/json; the operation has no key, and its token names the environment',
};

/** Errors that functions log because of the emulator. */
export const knownErrors: readonly string[] = ['Unknown action: ReEncrypt'];
