/** The approval of devices without a browser, for the page that asks for it. */
export { decideDevice, type DeviceRequest, deviceRequest, findDeviceRequest } from './device/request.ts';
