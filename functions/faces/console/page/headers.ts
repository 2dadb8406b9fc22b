import { apiTargets } from './api-host.ts';

/**
 * The headers of all responses for operators. Nothing is stored; no frame, no other origin, no inline script or style; and the
 * script may not turn text into HTML (Trusted Types without a policy).
 */
export const securityHeaders = (contentType: string, { hasFrames = false } = {}): Record<string, string> => ({
  'content-type': contentType,
  'cache-control': 'no-store',
  'content-security-policy': [
    `default-src 'none'`,
    `style-src 'self'`,
    `script-src 'self'`,
    `connect-src 'self'`,
    `img-src data:`,
    [`form-action 'self'`, ...apiTargets()].join(' '),
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
    ...(hasFrames ? [`frame-src 'self'`] : []),
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
  vary: 'Cookie',
});

/**
 * The headers of a document that a page of the console shows in a frame: it runs nothing, loads nothing, sends nothing and has an origin of its
 * own, wherever it is opened. Styles within it are allowed, since a mail has them at its elements.
 */
export const documentHeaders = (): Record<string, string> => ({
  ...securityHeaders('text/html; charset=utf-8'),
  'content-security-policy': [
    'sandbox',
    `default-src 'none'`,
    `style-src 'unsafe-inline'`,
    `img-src data:`,
    `form-action 'none'`,
    `base-uri 'none'`,
    `frame-ancestors 'self'`,
  ].join('; '),
  'x-frame-options': 'SAMEORIGIN',
});
