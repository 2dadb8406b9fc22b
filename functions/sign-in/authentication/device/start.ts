import { makeClientId } from '../../../kernel/authentication/api-key.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { settings } from '../../../kernel/settings.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { type DeviceApplication, stageDeviceRequest } from './request.ts';
import { DEVICE_CODE_SECONDS, POLL_SECONDS } from './rules.ts';

/** Starts the authorization of a device. @returns the response of RFC 8628 section 3.2 */
export function startDevice(
  unit: Pick<Unit, 'stage'>,
  environmentId: string,
  { sourceIp: ipAddress, userAgent, viewerPlace }: IncomingRequest,
  application?: DeviceApplication,
) {
  const asked = { ipAddress, userAgent, country: viewerPlace?.country, ...(application && { application }) };
  const { deviceCode, userCode } = stageDeviceRequest(unit, environmentId, asked);
  const address = `${settings().GATEHOUSE_BASE_URL}/device`;
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: address,
    // The complete address has the client id, so that the page shows the brand of the environment; the other one may have to be typed.
    verification_uri_complete: `${address}?client_id=${makeClientId(environmentId)}&user_code=${userCode}`,
    expires_in: DEVICE_CODE_SECONDS,
    interval: POLL_SECONDS,
  };
}
