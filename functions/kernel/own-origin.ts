import { settings } from './settings.ts';

/** Names of the machine itself, which all lead to the same local service. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** The public address of the console, without a trailing slash. A deployed stage has another host for it than for the API. */
export function readConsoleUrl(): string {
  const { GATEHOUSE_CONSOLE_URL: own, GATEHOUSE_BASE_URL: base } = settings();
  return own === '' ? base : own;
}

/** The address to which an operator's sign-in returns: the only redirect URI of the environment of the operators. */
export const makeConsoleCallback = (): string => `${readConsoleUrl()}/console/signed-in`;

/** Reports whether a host name is the machine itself. */
export const isLoopbackName = (hostname: string): boolean => LOOPBACK.test(hostname);

/**
 * Reports whether an address leads to this service itself (the hosts of its stage). No application is at such an address, so
 * it cannot be a redirect URI, and no other page may act for it.
 */
export const isOwnOrigin = (address: string): boolean =>
  isSameOrigin(settings().GATEHOUSE_BASE_URL, address) || isSameOrigin(readConsoleUrl(), address);

function isSameOrigin(base: string, address: string): boolean {
  if (!URL.canParse(base) || !URL.canParse(address)) return false;
  const [own, other] = [new URL(base), new URL(address)];
  if (own.origin === other.origin) return true;
  const isLocal = LOOPBACK.test(own.hostname) && LOOPBACK.test(other.hostname);
  return isLocal && own.port === other.port && own.protocol === other.protocol;
}
