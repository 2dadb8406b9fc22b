import type { Known } from './steps.ts';

/** Why steps fail in MiniStack 1.5.33, and nowhere else. */
export const known: Known = {
  'authentication and sessions: revoke them':
    'the session is revoked, but an answer without body and type gets application/json from the emulator, as which the SDK reads it; AWS has text/plain',
  'vault: rekey': 'the KMS of the emulator has no ReEncrypt',
};

/** What functions log as an error for such a reason. */
export const knownErrors: readonly string[] = ['Unknown action: ReEncrypt'];
