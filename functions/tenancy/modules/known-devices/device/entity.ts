import { clock } from '../../../../kernel/clock.ts';
import { sha256Hex } from '../../../../kernel/keys/hash.ts';
import { collection } from '../../../../kernel/storage/collection.ts';
import { entity } from '../../../../kernel/storage/entity.ts';
import {
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  ownerKey,
  recordAttributes,
  recordKey,
} from '../../../../kernel/storage/record.ts';
import { unguarded, type Write } from '../../../../kernel/storage/write.ts';

/** A device with which a user has signed in. Its id is a hash of both, so the row does not reveal the device. */
const KnownDeviceEntity = entity({
  model: model('known-device'),
  attributes: { ...recordAttributes, ...ownedAttributes, ...expiringAttributes },
  indexes: { primary: recordKey('known-device'), owned: ownedIndex },
});

const knownDevices = collection(KnownDeviceEntity, 'internal');

/** Time in seconds for which a device is known after its last sign-in. */
const KNOWN_SECONDS = 180 * 86_400;

/** The data that identify a device. */
export interface Device {
  client: 'public' | 'confidential';
  deviceId?: string | undefined;
  userAgent: string | null;
}

/**
 * The id of a device's row; undefined if the device cannot be identified, which then always counts as new. A user agent is
 * no secret, so it only counts if a confidential back end forwards it without a `device_id`.
 */
function makeId(userId: string, { client, deviceId, userAgent }: Device): string | undefined {
  if (deviceId === undefined && (userAgent === null || client === 'public')) return undefined;
  return sha256Hex(JSON.stringify([userId, deviceId === undefined ? ['agent', userAgent] : ['device', deviceId]]));
}

/** Reports whether a user has signed in with this device, by one strongly consistent GetItem. */
export async function isKnownDevice(environmentId: string, userId: string, device: Device): Promise<boolean> {
  const id = makeId(userId, device);
  const known = id === undefined ? undefined : await knownDevices.get(environmentId, id);
  return (known?.expiresAt ?? 0) > clock.seconds();
}

/** The write that stores a device, whether or not it is stored already. */
export function recordDevice(environmentId: string, userId: string, device: Device): Write | undefined {
  const id = makeId(userId, device);
  if (id === undefined) return undefined;
  const expiresAt = clock.seconds() + KNOWN_SECONDS;
  return unguarded(knownDevices.create({ environmentId, id, owner: ownerKey('user', userId), expiresAt }).write);
}
