import { isId } from '../id-format.ts';
import { settings } from '../settings.ts';
import { type CookieCarrier, cookiePairs, MARKER, setMarker } from './cookies.ts';

/** Maximum client ids in the marker; the oldest is removed. */
const MOST_CLIENTS = 10;

/**
 * The domain for a cookie that the service and a page share: the registrable domain of the service, or an empty text
 * for the service's own host if it has none. Never a public suffix.
 * @returns undefined for a page of another site: its browser accepts no `SameSite` cookie of the service
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
 * The client ids in a request's markers, the newest last. Other hosts of the domain can write the cookie, including
 * another stage of Gatehouse: invalid client ids are ignored.
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
 * The Set-Cookie header that informs pages of a domain about a client's session. @param domain Of {@link sharedDomain}.
 */
export const markSession = (request: CookieCarrier, clientId: string, domain: string): string =>
  setMarker([...others(request, clientId), clientId].slice(-MOST_CLIENTS).join('.'), domain);

/** The Set-Cookie header that shows them that it has none any more. */
export const unmarkSession = (request: CookieCarrier, clientId: string): string =>
  setMarker(others(request, clientId).slice(-MOST_CLIENTS).join('.'), settings().GATEHOUSE_REGISTRABLE_DOMAIN);
