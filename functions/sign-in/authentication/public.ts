/** The approval of devices without a browser, for the page that asks for it. */
export {
  approveDevice,
  denyDevice,
  type DeviceRequest,
  deviceRequest,
  findDeviceRequest,
  readDeviceApplication,
} from './device/request.ts';

/** The same devices for the applications of Connect: their start and their polls. */
export { pollDevice } from './device/request.ts';
export { DeviceAuthorizationResponse } from './device/schema.ts';
export { startDevice } from './device/start.ts';
