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

/** The remaining steps of a sign-in, by the code of their continuation. */
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

/** A partly authenticated sign-in. Its id is the hash of the pending token: one GetItem. */
const PendingAuthenticationEntity = entity({
  model: model('pending-authentication'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...expiringAttributes,
    step: { type: STEPS, required: true },
    /** Absent while the user is not known. */
    userId: { type: 'string' },
    method: { type: 'string', required: true },
    provider: { type: 'string' },
    /** The requested organization. */
    organizationId: { type: 'string' },
    /** The organization of the connection that proved the identity. */
    ssoOrganizationId: { type: 'string' },
    /** The proofs after the first one. */
    mfa: { type: 'boolean', required: true },
    device: { type: 'boolean', required: true },
    /** Only the same kind of client, and the same sign-in flow, may continue. */
    client: { type: ['public', 'confidential'] as const, required: true },
    flowId: { type: 'string' },
    deviceId: { type: 'string' },
    /** The time of the first proof, in milliseconds since the epoch. */
    authenticatedAt: { type: 'number', required: true },
    /** The user's `credentialEpoch`: changes that invalidate reset links also invalidate this. */
    credentialEpoch: { type: 'number', required: true },
    /** The challenge of the step: for a new device, or an email's verification. */
    challengeId: { type: 'string' },
    /** The attempt of Radar, whose success the last step reports. */
    radarAttemptId: { type: 'string' },
    /** {@link PendingSecrets}, encrypted under the token. */
    sealed: { type: 'any' },
  },
  indexes: { primary: recordKey('pending-authentication'), owned: ownedIndex },
});

export type PendingRecord = RecordOf<typeof PendingAuthenticationEntity>;
export const pendingAuthentications = collection(PendingAuthenticationEntity, 'internal');
