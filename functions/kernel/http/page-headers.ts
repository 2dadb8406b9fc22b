import { createHash } from 'node:crypto';

import { settings } from '../settings.ts';

/** What a page may load and where its forms may lead. */
export interface Permissions {
  /** The page's one inline style sheet. */
  style: string;
  /** The logo's address, where it is not within the page. */
  picture?: string | null;
  /** The path of the service below which the page's scripts are; absent for a page without any. */
  scriptPath?: string;
  /**
   * Where a response to a form of the page may redirect to, beside the service itself. Browsers check every further redirect
   * as well, so a form that leads through a third party, which may redirect to wherever it likes, has to allow `anywhere`.
   */
  targets: readonly string[] | 'anywhere';
}

/**
 * The origin of an address as a source of a Content Security Policy: `https://app.example.com`, or the scheme alone of an
 * application's own (`com.example.app:`). @returns undefined for what names none that a policy can hold.
 */
export function sourceOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { origin, protocol } = new URL(address);
  // A host may hold characters that end a directive or a policy; nobody has such a one.
  if (origin !== 'null') return /^https?:\/\/[\w.[\]:-]+$/.test(origin) ? origin : undefined;
  return /^[a-z][a-z0-9+.-]*:$/.test(protocol) && protocol !== 'javascript:' && protocol !== 'data:'
    ? protocol
    : undefined;
}

/**
 * The headers of every page with which people sign in or agree to something: no script but the service's own files, no style
 * but the page's own, no frame. `Referrer-Policy` is `same-origin`: under `no-referrer` browsers send a page's own form with
 * `Origin: null`, which cannot be told from a form of another site.
 */
export function pageHeaders({ style, picture = null, scriptPath, targets }: Permissions): Record<string, string> {
  const hash = createHash('sha256').update(style).digest('base64');
  const pictureSource = picture === null || picture.startsWith('data:') ? undefined : sourceOf(picture);
  const policy = [
    `default-src 'none'`,
    `style-src 'sha256-${hash}'`,
    ...(scriptPath === undefined ? [] : [`script-src ${settings().GATEHOUSE_BASE_URL}${scriptPath}/`]),
    `img-src data:${pictureSource === undefined ? '' : ` ${pictureSource}`}`,
    ...(targets === 'anywhere' ? [] : [`form-action ${["'self'", ...new Set(targets)].join(' ')}`]),
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex',
    vary: 'Accept-Language, Cookie',
  };
}
