import type { IncomingMessage } from 'node:http';

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/**
 * Returns the reason for rejecting a request to `/_local`; undefined if it is accepted. The client must be on this machine,
 * and Host and Origin must name it: a page of another site in a local browser can reach loopback under its own host name
 * (DNS rebinding) or from another origin.
 */
export function rejectionReason({ socket, headers }: IncomingMessage): string | undefined {
  const peer = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  if (peer !== '::1' && !peer.startsWith('127.')) return 'its peer is not this machine';
  if (!LOOPBACK.test(headers.host ?? '')) return 'its Host is not a loopback name';
  const { origin } = headers;
  if (origin !== undefined && !LOOPBACK.test(origin.replace(/^https?:\/\//, ''))) {
    return 'its Origin is not a loopback name';
  }
  const site = headers['sec-fetch-site'];
  if (site === 'cross-site') return 'it comes from another site';
  return undefined;
}
