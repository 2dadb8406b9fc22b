import { browserHash, browserValue, newBrowserValue } from '../../../../kernel/http/browser.ts';
import { setCookie } from '../../../../kernel/http/cookies.ts';
import { readUlid } from '../../../../kernel/id-format.ts';
import type { IncomingRequest } from '../../../../kernel/http/incoming-request.ts';

/** The browser of a request, as a device with which users sign in. */
export interface BrowserDevice {
  /** The value for `Origin.deviceId`. It is derived from the cookie's hash, so that no row contains the cookie. */
  deviceId: string;
  /** The Set-Cookie header that identifies the browser as the same device next time. */
  cookie: string;
  /** True if the browser had a cookie already. */
  isNamed: boolean;
}

/**
 * Identifies the browser of a request by its device cookie, of which each environment has its own. The cookie is random and
 * not a credential: the table stores for each user which devices are known. A browser without a cookie is a new device.
 */
export function browserDevice(environmentId: string, request: IncomingRequest): BrowserDevice {
  const binding = { purpose: 'device', id: readUlid(environmentId) } as const;
  const found = browserValue(request, binding);
  const value = found ?? newBrowserValue();
  return {
    deviceId: `browser ${browserHash(value)}`,
    cookie: setCookie(binding, value),
    isNamed: found !== undefined,
  };
}
