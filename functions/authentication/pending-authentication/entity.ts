import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import {
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../kernel/storage/record.ts';

/** What a sign-in still waits for, by the code of its continuation. */
export const STEPS = [
  'email_verification_required',
  'mfa_enrollment',
  'mfa_challenge',
  'organization_selection_required',
  'radar_challenge',
  'radar_sign_up_challenge',
  'radar_sms_sign_in_challenge',
  'email_completion_required',
] as const;

/** A sign-in that was half proved. Its id is the hash of the pending token: one GetItem. */
const PendingAuthenticationEntity = entity({
  model: model('pending-authentication'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...expiringAttributes,
    step: { type: STEPS, required: true },
    /** Absent while nobody knows whose sign-in it is. */
    userId: { type: 'string' },
    method: { type: 'string', required: true },
    provider: { type: 'string' },
    /** The organization that was asked for. */
    organizationId: { type: 'string' },
    /** What was proved beyond the first proof. */
    mfa: { type: 'boolean', required: true },
    device: { type: 'boolean', required: true },
    /** Only the same kind of client, and the same sign-in through a browser, may go on. */
    client: { type: ['public', 'confidential'] as const, required: true },
    flowId: { type: 'string' },
    deviceId: { type: 'string' },
    /** When the first proof was given, in milliseconds since the epoch. */
    authenticatedAt: { type: 'number', required: true },
    /** The user's `credentialEpoch`: what ends reset links and the like ends this, too. */
    credentialEpoch: { type: 'number', required: true },
    /** The challenge that the step was asked with: of a new device, an email's verification. */
    challengeId: { type: 'string' },
    /** {@link PendingSecrets}, sealed under the token. */
    sealed: { type: 'any' },
  },
  indexes: { primary: recordKey('pending-authentication'), owned: ownedIndex },
});

export type PendingRecord = RecordOf<typeof PendingAuthenticationEntity>;
export const pendingAuthentications = collection(PendingAuthenticationEntity);
