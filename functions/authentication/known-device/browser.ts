import { browserHash, browserValue, newBrowserValue } from '../../kernel/http/browser.ts';
import { setCookie } from '../../kernel/http/cookies.ts';
import { ulidOf } from '../../kernel/id-format.ts';
import type { IncomingRequest } from '../../kernel/http/incoming-request.ts';

/** The browser of a request, as a device that users sign in by. */
export interface BrowserDevice {
  /** Stands in `Origin.deviceId`: made of the cookie's hash, so that no row holds what the browser sends. */
  deviceId: string;
  /** The Set-Cookie header that lets the browser be the same device the next time. */
  cookie: string;
  /** Whether the browser had a cookie already. */
  isNamed: boolean;
}

/**
 * Names the browser of a request by its device cookie, of which each environment has one. The cookie is random and proves
 * nothing by itself: who is known by it is said by the table, for each user apart. A browser without one is a new device.
 */
export function browserDevice(environmentId: string, request: IncomingRequest): BrowserDevice {
  const binding = { purpose: 'device', id: ulidOf(environmentId) } as const;
  const found = browserValue(request, binding);
  const value = found ?? newBrowserValue();
  return {
    deviceId: `browser ${browserHash(value)}`,
    cookie: setCookie(binding, value),
    isNamed: found !== undefined,
  };
}
