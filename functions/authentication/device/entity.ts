import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../../kernel/storage/record.ts';

/** A device that asks for approval (RFC 8628). Its id is the hash of the device code: one GetItem. */
const DeviceAuthorizationEntity = entity({
  model: model('device-authorization'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    userCode: { type: 'string', required: true },
    status: { type: ['pending', 'approved', 'denied', 'used'] as const, required: true },
    /** From where and by what it was asked, for the person who decides. */
    ipAddress: { type: 'string' },
    userAgent: { type: 'string' },
    /** Until when it can be decided and asked for, in seconds; the row stays an hour longer, to tell what became of it. */
    validUntil: { type: 'number', required: true },
    /** Seconds between two questions; grows with each that comes too soon. */
    interval: { type: 'number', required: true },
    /** When the device asked last, in milliseconds since the epoch. */
    polledAt: { type: 'number' },
    /** Who approved, and how they had signed in. */
    userId: { type: 'string' },
    credentialEpoch: { type: 'number' },
    organizationId: { type: 'string' },
    method: { type: 'string' },
    provider: { type: 'string' },
  },
  indexes: { primary: recordKey('device-authorization') },
});

/**
 * Where a user code leads. Whoever types one knows no environment, so these rows belong to the stage: the one kind whose key
 * names none. They hold nothing but the way.
 */
const DeviceUserCodeEntity = entity({
  model: model('device-user-code'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    /** The hash of the device code. */
    deviceAuthorizationId: { type: 'string', required: true },
  },
  indexes: {
    primary: {
      pk: { field: 'pk', composite: ['id'], template: 'stage#device-user-code#${id}', casing: 'none' },
      sk: { field: 'sk', composite: [], template: 'record', casing: 'none' },
    },
  },
});

export type DeviceAuthorizationRecord = RecordOf<typeof DeviceAuthorizationEntity>;
export const deviceAuthorizations = collection(DeviceAuthorizationEntity);
export const deviceUserCodes = collection(DeviceUserCodeEntity);
