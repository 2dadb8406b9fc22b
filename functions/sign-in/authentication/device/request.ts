import { randomInt } from 'node:crypto';

import { environmentIdOf } from '../../../kernel/authentication/api-key.ts';
import { mintKey, readKey } from '../../../kernel/authentication/secret-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { readUlid } from '../../../kernel/id-format.ts';
import { inPlaceOfExpired } from '../../../kernel/storage/expiry.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { Entry, Verdict } from '../../../tenancy/modules/trust/public.ts';
import type { UserRecord } from '../../../tenancy/modules/users/public.ts';
import type { Method } from '../../../proofs/modules/sign-in-checks/public.ts';
import { type DeviceAuthorizationRecord, deviceAuthorizations, deviceUserCodes } from './entity.ts';
import { drawUserCode, readUserCode } from '../../../kernel/user-code.ts';
import { DEVICE_CODE_SECONDS, computePace, POLL_SECONDS } from './rules.ts';
import { cutText } from '../../../kernel/text.ts';

const PREFIX = 'device_';
const KEPT_SECONDS = 3_600;

/** A device that waits for a decision. */
export type DeviceRequest = DeviceAuthorizationRecord;

/** An application of Connect that asks for the authorization of its device. */
export interface DeviceApplication {
  /** `conn_app_…`. */
  id: string;
  scopes: readonly string[];
  /** The registered resource that the request names (RFC 8707). */
  resource?: string | undefined;
}

/** The application of a device; undefined for one of the environment itself. */
export const readDeviceApplication = ({ application }: DeviceRequest): DeviceApplication | undefined =>
  application as DeviceApplication | undefined;

/** Starts a device authorization. If the user code exists already, the write conflicts, and another one is made. */
export function stageDeviceRequest(
  unit: Pick<Unit, 'stage'>,
  environmentId: string,
  asked: { ipAddress: string; userAgent: string | null; country?: string | undefined; application?: DeviceApplication },
): { deviceCode: string; userCode: string } {
  const { value, hash } = mintKey(PREFIX, readUlid(environmentId));
  const userCode = drawUserCode(randomInt);
  const validUntil = clock.seconds() + DEVICE_CODE_SECONDS;
  const { write } = deviceAuthorizations.create({
    environmentId,
    id: hash,
    userCode,
    status: 'pending',
    interval: POLL_SECONDS,
    ipAddress: asked.ipAddress,
    country: asked.country,
    userAgent: asked.userAgent === null ? undefined : cutText(asked.userAgent, 0, 500),
    application: asked.application,
    validUntil,
    expiresAt: validUntil + KEPT_SECONDS,
  });
  const userCodeRow = deviceUserCodes.create({
    environmentId,
    id: userCode,
    deviceAuthorizationId: hash,
    expiresAt: validUntil,
  });
  unit.stage([write, inPlaceOfExpired(userCodeRow.write)]);
  return { deviceCode: value, userCode };
}

const isAlive = ({ validUntil }: DeviceRequest): boolean => validUntil > clock.seconds();

/**
 * Finds a device by the code that a user typed, in any environment, by two GetItems. The caller limits guesses
 * (`device-code.address`).
 */
export async function findDeviceRequest(typed: string): Promise<DeviceRequest | undefined> {
  const userCode = readUserCode(typed);
  if (userCode === undefined) return undefined;
  const userCodeRow = await deviceUserCodes.get('', userCode);
  if (userCodeRow === undefined || (userCodeRow.expiresAt ?? 0) <= clock.seconds()) return undefined;
  const request = await deviceAuthorizations.get(userCodeRow.environmentId, userCodeRow.deviceAuthorizationId);
  return request?.status === 'pending' && isAlive(request) ? request : undefined;
}

/** Finds a device like {@link findDeviceRequest}, but only in one environment. */
export async function deviceRequest(environmentId: string, userCode: string): Promise<DeviceRequest | undefined> {
  const request = await findDeviceRequest(userCode);
  return request?.environmentId === environmentId ? request : undefined;
}

/** The user who decides, with a complete sign-in. */
export interface Decider {
  user: UserRecord;
  method: Method;
  provider?: string | undefined;
  /** The consent to the application of the device, if it has one. */
  consentId?: string | undefined;
  /** Milliseconds since the epoch. */
  authenticatedAt?: number | undefined;
}

/** Stores a denial once: a second decision conflicts, and then finds no request. */
export const denyDevice = (unit: Pick<Unit, 'stage'>, request: DeviceRequest): void =>
  unit.stage(deviceAuthorizations.revise(request, { status: 'denied' }).write);

/**
 * Stores an approval once: a second decision conflicts, and then finds no request.
 * @param verdict the permission to enter the organization, with the proofs that the device's session stores
 * @throws Error if user and device are of different environments
 */
export function approveDevice(
  unit: Pick<Unit, 'stage'>,
  request: DeviceRequest,
  { facts: { organizationId }, authority: proofs }: Verdict<Entry>,
  { user, method, provider, consentId, authenticatedAt }: Decider,
): void {
  if (user.environmentId !== request.environmentId) throw new Error('A device and its user are of one environment');
  const { id: userId, credentialEpoch = 0 } = user;
  const facts = { userId, credentialEpoch, organizationId, method, proofs, provider, consentId, authenticatedAt };
  unit.stage(deviceAuthorizations.revise(request, { status: 'approved', ...facts }).write);
}

/** The response to a device's poll (RFC 8628 section 3.5). */
export type Poll =
  | { kind: 'unknown' | 'expired' | 'denied' | 'waiting' | 'too_soon' }
  | { kind: 'approved'; request: DeviceRequest & { userId: string } };

/**
 * Responds to a poll of a device and stores its time. An approval can be used once. All writes are staged, so the caller
 * commits even if the response is an error.
 * @param applicationId the application that polls; undefined for the environment's own. The code of another is unknown to it.
 */
export async function pollDevice(
  unit: Pick<Unit, 'stage'>,
  environmentId: string,
  deviceCode: string,
  applicationId?: string,
): Promise<Poll> {
  const key = readKey(PREFIX, deviceCode);
  if (key === undefined || environmentIdOf(key.ulid) !== environmentId) return { kind: 'unknown' };
  const request = await deviceAuthorizations.get(environmentId, key.hash);
  if (request === undefined || request.status === 'used') return { kind: 'unknown' };
  if (readDeviceApplication(request)?.id !== applicationId) return { kind: 'unknown' };
  if (!isAlive(request)) return { kind: 'expired' };
  const { isTooSoon, interval } = computePace(request, clock.now());
  const { userId } = request;
  const isUsed = !isTooSoon && request.status === 'approved' && userId !== undefined;
  const changes = { polledAt: clock.now(), interval, ...(isUsed ? { status: 'used' as const } : {}) };
  unit.stage(deviceAuthorizations.revise(request, changes).write);
  if (isTooSoon) return { kind: 'too_soon' };
  if (request.status === 'denied') return { kind: 'denied' };
  return isUsed ? { kind: 'approved', request: { ...request, userId } } : { kind: 'waiting' };
}
