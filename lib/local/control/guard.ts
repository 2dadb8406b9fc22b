import type { IncomingMessage } from 'node:http';

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/**
 * Returns the reason for rejecting a request to `/_local`; undefined if it is accepted. The client must be on this machine,
 * and Host and Origin must name it: a page of another site in a local browser can reach loopback under its own host name
 * (DNS rebinding) or from another origin. A change by a browser must come from a page of this service, since a browser sends
 * forms and texts to any port of this machine without asking.
 * @param options `isPageToOpen`: a page that applications of other sites may redirect a browser to, as with any identity
 *   provider. It changes nothing.
 */
export function rejectionReason(
  { socket, headers, method }: IncomingMessage,
  { isPageToOpen = false } = {},
): string | undefined {
  const peer = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  if (peer !== '::1' && !peer.startsWith('127.')) return 'its peer is not this machine';
  if (!LOOPBACK.test(headers.host ?? '')) return 'its Host is not a loopback name';
  const { origin } = headers;
  if (origin !== undefined && !LOOPBACK.test(origin.replace(/^https?:\/\//, ''))) {
    return 'its Origin is not a loopback name';
  }
  const site = headers['sec-fetch-site'];
  const isOpened = isPageToOpen && method === 'GET' && headers['sec-fetch-mode'] === 'navigate';
  if (site === 'cross-site' && !isOpened) return 'it comes from another site';
  // A browser names the origin of every change. Other programs send none, and a form always needs one.
  const isChange = method !== 'GET' && method !== 'HEAD';
  const isOfPage = isForm({ headers }) || (isChange && origin !== undefined);
  if (!isPageToOpen && isOfPage && origin !== `http://${headers.host}`) {
    return 'its form is not from a page of this service';
  }
  return undefined;
}

/** Reports whether the body is that of a form. */
export const isForm = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(headers['content-type'] ?? '');
