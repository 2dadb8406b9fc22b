import { settings } from './settings.ts';

/** Names of the machine itself, which all lead to the same local service. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** The address to which an operator's sign-in returns: the only redirect URI of the environment of the operators. */
export const makeConsoleCallback = (): string => `${settings().GATEHOUSE_BASE_URL}/console/signed-in`;

/** Reports whether a host name is the machine itself. */
export const isLoopbackName = (hostname: string): boolean => LOOPBACK.test(hostname);

/**
 * Reports whether an address leads to this service itself (its stage's own domain). No application is at such an address, so
 * it cannot be a redirect URI, and no other page may act for it.
 */
export function isOwnOrigin(address: string): boolean {
  const base = settings().GATEHOUSE_BASE_URL;
  if (!URL.canParse(base) || !URL.canParse(address)) return false;
  const [own, other] = [new URL(base), new URL(address)];
  if (own.origin === other.origin) return true;
  const isLocal = LOOPBACK.test(own.hostname) && LOOPBACK.test(other.hostname);
  return isLocal && own.port === other.port && own.protocol === other.protocol;
}
