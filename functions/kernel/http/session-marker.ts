import { isId } from '../id-format.ts';
import { settings } from '../settings.ts';
import { type CookieCarrier, cookiePairs, MARKER, setMarker } from './cookies.ts';

/** Maximum client ids in the marker; the oldest is removed. */
const MOST_CLIENTS = 10;

/**
 * The domain for a cookie that the service and a page share: the registrable domain of the service, or an empty text (the
 * service's own host) if it has none. It is never a public suffix.
 * @returns undefined for a page of another site, whose browser accepts no `SameSite` cookie of the service
 */
export function sharedDomain(origin: string): string | undefined {
  if (!URL.canParse(origin)) return undefined;
  const { protocol, hostname } = new URL(origin);
  const { GATEHOUSE_BASE_URL: base, GATEHOUSE_REGISTRABLE_DOMAIN: domain } = settings();
  const own = new URL(base);
  if (protocol !== own.protocol) return undefined;
  if (domain === '') return hostname === own.hostname ? '' : undefined;
  return hostname === domain || hostname.endsWith(`.${domain}`) ? domain : undefined;
}

/**
 * The client ids in the marker cookies of a request, the newest last. Other hosts of the domain, including other stages,
 * can write the cookie, so invalid client ids are ignored.
 */
const markedClients = (request: CookieCarrier): string[] =>
  cookiePairs(request)
    .filter(([name]) => name === MARKER.name)
    .flatMap(([, value]) => value.split('.'))
    .filter((clientId) => isId('client', clientId));

const others = (request: CookieCarrier, clientId: string): string[] => [
  ...new Set(markedClients(request).filter((other) => other !== clientId)),
];

/**
 * The Set-Cookie header that informs pages of a domain about a client's session.
 * @param domain the result of {@link sharedDomain}
 */
export const markSession = (request: CookieCarrier, clientId: string, domain: string): string =>
  setMarker([...others(request, clientId), clientId].slice(-MOST_CLIENTS).join('.'), domain);

/** The Set-Cookie header that informs pages of a domain that a client has no session any more. */
export const unmarkSession = (request: CookieCarrier, clientId: string): string =>
  setMarker(others(request, clientId).slice(-MOST_CLIENTS).join('.'), settings().GATEHOUSE_REGISTRABLE_DOMAIN);
