import { collection } from '../../../../kernel/storage/collection.ts';
import { type RecordOf, entity } from '../../../../kernel/storage/entity.ts';
import { expiringAttributes, ownedRecord, perhapsOwnedAttributes } from '../../../../kernel/storage/record.ts';

/** The remaining steps of a sign-in, by the error code that requests each. */
export const STEPS = [
  'email_verification_required',
  'mfa_enrollment',
  'mfa_challenge',
  'organization_selection_required',
  'radar_challenge',
  'radar_sign_up_challenge',
  'radar_sms_sign_in_challenge',
  'email_completion_required',
  'passkey_progressive_enrollment',
] as const;

/** A partly authenticated sign-in. Its id is the hash of the pending token, so it is read by one GetItem. */
const PendingAuthenticationEntity = entity(
  ownedRecord('pending-authentication', {
    ...perhapsOwnedAttributes,
    ...expiringAttributes,
    step: { type: STEPS, required: true },
    /** The user; absent while it is not known. */
    userId: { type: 'string' },
    method: { type: 'string', required: true },
    provider: { type: 'string' },
    /** The organization that the request named. */
    organizationId: { type: 'string' },
    /** The organization of the connection that proved the identity. */
    ssoOrganizationId: { type: 'string' },
    /** The proofs so far (`Authority` in `trust`). */
    proofs: { type: 'any' },
    /** The further proofs of the sign-in. */
    mfa: { type: 'boolean', required: true },
    device: { type: 'boolean', required: true },
    /** True if the connection of the sign-in requires a second factor. */
    needsFactor: { type: 'boolean' },
    /** The kind of client; only the same kind, in the same sign-in flow, may continue. */
    client: { type: ['public', 'confidential'] as const, required: true },
    flowId: { type: 'string' },
    deviceId: { type: 'string' },
    /** The time of the first proof, in milliseconds since the epoch. */
    authenticatedAt: { type: 'number', required: true },
    /** The user's `credentialEpoch`: changes that invalidate links for a password reset also invalidate this sign-in. */
    credentialEpoch: { type: 'number', required: true },
    /** The challenge of the step, for a new device or the verification of an email. */
    challengeId: { type: 'string' },
    /** The attempt in Radar, which gets its outcome after the last step. */
    radarAttemptId: { type: 'string' },
    /** {@link PendingSecrets}, encrypted under the token. */
    sealed: { type: 'any' },
  }),
);

export type PendingRecord = RecordOf<typeof PendingAuthenticationEntity>;
export const pendingAuthentications = collection(PendingAuthenticationEntity, 'internal');
