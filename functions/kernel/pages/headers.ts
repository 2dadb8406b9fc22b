import { createHash } from 'node:crypto';

import { settings } from '../settings.ts';

/** The sources that a page may load, and the targets of its forms. */
export interface Permissions {
  /** The page's one inline style sheet. */
  style: string;
  /** The addresses of the logos and of the icon. */
  pictures?: readonly string[];
  /** The address of the font of the environment; null or absent for a page with fonts of the system only. */
  font?: string | null | undefined;
  /** The sources of a captcha; absent for a page without one. */
  captchaSources?: readonly string[] | undefined;
  /** The path prefix of the page's scripts; absent for a page without scripts. */
  scriptPath?: string;
  /** The path that the page's scripts may call; absent if they call none. */
  calledPath?: string | undefined;
  /**
   * Redirect targets of the response to a form of the page, in addition to the service itself. Browsers check every further
   * redirect as well. So a form that leads to a third party, which may redirect anywhere, has to allow `anywhere`.
   */
  targets: readonly string[] | 'anywhere';
}

/**
 * The origin of an address as a source of a Content Security Policy: `https://app.example.com`, or only the scheme of
 * an application's own (`com.example.app:`). @returns undefined if a policy cannot contain it
 */
export function readSource(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { origin, protocol } = new URL(address);
  // A host may contain characters that end a directive or a policy; the hosts of real services have none of them.
  if (origin !== 'null') return /^https?:\/\/[\w.[\]:-]+$/.test(origin) ? origin : undefined;
  return /^[a-z][a-z0-9+.-]*:$/.test(protocol) && protocol !== 'javascript:' && protocol !== 'data:'
    ? protocol
    : undefined;
}

/**
 * The headers of every page for sign-in or consent: only the service's own script files, only the page's own style, no
 * frame. `Referrer-Policy` is `same-origin`, because with `no-referrer` browsers send a page's own form with `Origin:
 * null`, like the form of another site.
 */
export function pageHeaders({
  style,
  pictures = [],
  font,
  captchaSources = [],
  scriptPath,
  calledPath,
  targets,
}: Permissions): Record<string, string> {
  const hash = createHash('sha256').update(style).digest('base64');
  const pictureSources = new Set(
    pictures.flatMap((address) => (address.startsWith('data:') ? [] : (readSource(address) ?? []))),
  );
  const policy = [
    `default-src 'none'`,
    [`style-src 'sha256-${hash}'`, ...captchaSources].join(' '),
    ...makeScriptSources({ scriptPath, calledPath, captchaSources }),
    ...(font === null || font === undefined ? [] : [`font-src ${readSource(font) ?? "'none'"}`]),
    ['img-src data:', ...pictureSources].join(' '),
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

/** The directives for scripts, what they call, and the frames of a captcha. */
function makeScriptSources({
  scriptPath,
  calledPath,
  captchaSources,
}: {
  scriptPath: string | undefined;
  calledPath: string | undefined;
  captchaSources: readonly string[];
}): string[] {
  const base = settings().GATEHOUSE_BASE_URL;
  const scripts = scriptPath === undefined ? [] : [`${base}${scriptPath}/`];
  const called = [...(calledPath === undefined ? [] : [`${base}${calledPath}`]), ...captchaSources];
  return [
    ...(scripts.length + captchaSources.length === 0
      ? []
      : [`script-src ${[...scripts, ...captchaSources].join(' ')}`]),
    ...(called.length === 0 ? [] : [`connect-src ${called.join(' ')}`]),
    ...(captchaSources.length === 0 ? [] : [`frame-src ${captchaSources.join(' ')}`]),
  ];
}
