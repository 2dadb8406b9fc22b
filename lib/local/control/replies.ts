import type { ServerResponse } from 'node:http';

import type { IdpResponse } from '../idp/identity-provider.ts';
import type { JsonReply } from './handlers.ts';

/** A response of `/_local`. */
export type Reply =
  | JsonReply
  | IdpResponse
  | { status: number; page: string; nonce: string }
  | { location: string; cookies?: readonly string[] }
  | { frame: string; policy: string }
  | { isStreamed: true };

const SHARED = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** Sends a response; a stream has been sent already. */
export function sendReply(response: ServerResponse, reply: Reply): void {
  if ('isStreamed' in reply) return;
  if ('location' in reply) sendRedirect(response, reply);
  else if ('page' in reply) sendPage(response, reply);
  else if ('frame' in reply) sendFrame(response, reply);
  else if ('text' in reply) sendIdpPage(response, reply);
  else sendJson(response, reply);
}

export function sendJson(response: ServerResponse, { status, body }: JsonReply): void {
  response.writeHead(status, { 'content-type': 'application/json', ...SHARED }).end(JSON.stringify(body));
}

/** Sends the browser on, with the cookies of a sign-in. */
function sendRedirect(
  response: ServerResponse,
  { location, cookies = [] }: Extract<Reply, { location: string }>,
): void {
  response.writeHead(303, { location, ...SHARED, ...(cookies.length > 0 && { 'set-cookie': [...cookies] }) }).end();
}

/**
 * Sends a page. Its policy allows its own style and script, calls and frames of this service, and forms to it. With
 * `no-referrer`, browsers would send its forms with the Origin "null".
 */
function sendPage(response: ServerResponse, { status, page, nonce }: Extract<Reply, { page: string }>): void {
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      ...SHARED,
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'content-security-policy':
        `default-src 'none'; connect-src 'self'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; ` +
        `img-src data:; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    })
    .end(page);
}

/** Sends a document that a page shows in a frame. The sandbox of its policy also holds if it is opened by its address. */
function sendFrame(response: ServerResponse, { frame, policy }: Extract<Reply, { frame: string }>): void {
  response
    .writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      ...SHARED,
      'referrer-policy': 'no-referrer',
      'content-security-policy': policy,
    })
    .end(frame);
}

/** Sends a page whose form leads to the service: browsers hold `form-action` against each redirect after it, so it has none. */
function sendIdpPage(response: ServerResponse, { status, text, nonce }: Extract<IdpResponse, { text: string }>): void {
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      // Without any referrer, browsers send the Origin "null" with its form.
      'referrer-policy': 'same-origin',
      'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`,
    })
    .end(text);
}
