import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey, sortedBy } from '../../../kernel/storage/record.ts';

/** The authorization of a device (RFC 8628). Its id is the hash of the device code, so it is read by one GetItem. */
const DeviceAuthorizationEntity = entity({
  model: model('device-authorization'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    userCode: { type: 'string', required: true },
    status: { type: ['pending', 'approved', 'denied', 'used'] as const, required: true },
    /** The address and user agent of the device, which are shown to the user who decides. */
    ipAddress: { type: 'string' },
    userAgent: { type: 'string' },
    /** The country of the address (ISO 3166-1 alpha-2), if CloudFront reported it. */
    country: { type: 'string' },
    /**
     * The end of its validity, in seconds since the epoch. The row is kept an hour longer, so that the device can read the
     * decision.
     */
    validUntil: { type: 'number', required: true },
    /** Seconds between two polls, increased after each poll that comes too soon. */
    interval: { type: 'number', required: true },
    /** The time of the device's last poll, in milliseconds since the epoch. */
    polledAt: { type: 'number' },
    /** The approving user, with the sign-in. */
    userId: { type: 'string' },
    credentialEpoch: { type: 'number' },
    organizationId: { type: 'string' },
    method: { type: 'string' },
    /** The proofs of the approving user (`Authority` in `trust`); absent in older rows. */
    proofs: { type: 'any' },
    provider: { type: 'string' },
    /** The {@link DeviceApplication} whose device it is; absent for the environment's own. */
    application: { type: 'any', readOnly: true },
    /** The consent that the approving user gave to that application, and the time of their authentication in ms since the epoch. */
    consentId: { type: 'string' },
    authenticatedAt: { type: 'number' },
  },
  indexes: { primary: recordKey('device-authorization') },
});

/**
 * Finds a device by its user code. A typed code names no environment, so these rows belong to the stage: no other kind of
 * row has a key without an environment. They contain only the reference.
 */
const DeviceUserCodeEntity = entity({
  model: model('device-user-code'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    /** The id of the device authorization, which is the hash of the device code. */
    deviceAuthorizationId: { type: 'string', required: true },
  },
  indexes: {
    primary: {
      pk: { field: 'pk', composite: ['id'], template: 'stage#device-user-code#${id}', casing: 'none' },
      sk: sortedBy('sk'),
    },
  },
});

export type DeviceAuthorizationRecord = RecordOf<typeof DeviceAuthorizationEntity>;
export const deviceAuthorizations = collection(DeviceAuthorizationEntity, 'internal');
export const deviceUserCodes = collection(DeviceUserCodeEntity, 'internal');
