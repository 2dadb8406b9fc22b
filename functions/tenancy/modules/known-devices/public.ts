/** The client of a sign-in: its address and program, and the devices by which users have signed in. */
export { type ClientContext, readClientContext } from './device/client-context.ts';
export { type BrowserDevice, browserDevice } from './device/browser.ts';
export { callerAt } from './device/caller.ts';
export { isKnownDevice, recordDevice } from './device/entity.ts';
export { findTrust, stageEndOfTrust, stageTrust, type Trust } from './trust/trusted-browser.ts';
