import { SESSION_MARKER } from '../compatibility.ts';
import { settings } from '../settings.ts';

/**
 * The declaration of a cookie. Every cookie of the service is declared here, and no other can be set. The table in the
 * kernel's README contains the same facts, and a test compares the two.
 */
export interface CookieDeclaration {
  /** The SameSite attribute, which determines the cross-site requests that contain the cookie. */
  sameSite: 'Strict' | 'Lax' | 'Lax or None';
  /** Lifetime in seconds; a text if a setting or a record determines it. */
  life: number | string;
  /** The number of these cookies that a browser may have, such as "one for each environment". */
  scope: string;
  proves: string;
  /** True for a cookie that outlives a sign-in. It is removed only if there is no other to remove. */
  isLasting: boolean;
}

/**
 * All cookies that scripts cannot read, by purpose. All have the path `/` and are only sent to the service's own host.
 */
export const COOKIES = {
  session: {
    sameSite: 'Lax',
    life: '`browser_session_seconds` of the page settings, or until the browser is closed',
    scope: 'one for each environment',
    proves: 'which user is signed in to the hosted pages',
    isLasting: true,
  },
  device: {
    sameSite: 'Lax',
    life: 180 * 86_400,
    scope: 'one for each environment',
    proves: 'nothing by itself; it names a device, and the table knows which users have signed in by it',
    isLasting: true,
  },
  trust: {
    sameSite: 'Lax',
    life: '`device_trust.days` of the sign-in settings',
    scope: 'one for each environment',
    proves: 'that its user chose not to repeat the second factor in this browser',
    isLasting: true,
  },
  method: {
    sameSite: 'Lax',
    life: 180 * 86_400,
    scope: 'one for each environment',
    proves: 'nothing; it names the method of the last sign-in, whose button the pages mark',
    isLasting: true,
  },
  language: {
    sameSite: 'Lax',
    life: 31_536_000,
    scope: 'one for all of a browser',
    proves: 'nothing; it names the language that its reader chose on a page',
    isLasting: true,
  },
  flow: {
    sameSite: 'Lax',
    life: 86_400,
    scope: 'one for each sign-in',
    proves: 'that this browser began the sign-in and was shown its forms',
    isLasting: false,
  },
  page: {
    sameSite: 'Lax',
    life: 3_600,
    scope: 'one for each page outside of a sign-in',
    proves: 'that this browser was shown the form that it sends',
    isLasting: false,
  },
  social: {
    sameSite: 'Lax or None',
    life: 1_800,
    scope: 'one for each visit to a provider',
    proves: 'that this browser was sent to the provider; `None` if the provider responds with a form',
    isLasting: false,
  },
  social_return: {
    sameSite: 'Lax',
    life: 300,
    scope: 'one for each sign-in',
    proves: 'that this browser came back from the provider',
    isLasting: false,
  },
  sso: {
    sameSite: 'Lax',
    life: 600,
    scope: 'one for each visit to an identity provider',
    proves: 'that this browser was sent to the identity provider of a connection',
    isLasting: false,
  },
  sso_bounce: {
    sameSite: 'Lax',
    life: 60,
    scope: 'one for each connection',
    proves: 'nothing; it shows that the provider was asked a moment ago, so that no browser goes in circles',
    isLasting: false,
  },
  refresh: {
    sameSite: 'Strict',
    life: 'that of the session',
    scope: 'one for each client id',
    proves: 'the session of a browser application: it is the refresh token',
    isLasting: true,
  },
  portal: {
    sameSite: 'Lax',
    life: 28_800,
    scope: 'one for each environment',
    proves: 'which organization a person sets up in the portal',
    isLasting: true,
  },
  account: {
    sameSite: 'Lax',
    life: 3_600,
    scope: 'one for each environment',
    proves: 'whose account page this browser has opened, and when the user last proved who they are',
    isLasting: true,
  },
  console: {
    sameSite: 'Lax',
    life: 28_800,
    scope: 'one of a stage',
    proves: 'which operator is signed in to the console',
    isLasting: true,
  },
  console_sign_in: {
    sameSite: 'Lax',
    life: 600,
    scope: 'one for each sign-in to the console',
    proves: 'that this browser began the sign-in',
    isLasting: false,
  },
  connect: {
    sameSite: 'Lax',
    life: 900,
    scope: 'one for each connection of an account',
    proves: 'that this browser was shown the page that asks for consent',
    isLasting: false,
  },
} as const satisfies Record<string, CookieDeclaration>;

/**
 * The only cookie that scripts can read: it shows the official browser client which client ids have a session in this
 * browser. It names the registrable domain of the service, so that pages of the same site can read it, and it is not a
 * credential.
 */
export const MARKER = {
  name: SESSION_MARKER,
  sameSite: 'Lax',
  life: 31_536_000,
  scope: 'one for all of a browser',
  proves: 'nothing; it lists client ids',
} as const;

/** The purpose of a cookie: a part of its name. */
export type CookiePurpose = keyof typeof COOKIES;

const declarationOf = (purpose: CookiePurpose): CookieDeclaration => COOKIES[purpose];

const isSecure = (): boolean => settings().GATEHOUSE_BASE_URL.startsWith('https:');

/** Number of last characters of an id in a cookie's name: the random ones of a ULID. */
const ID_LENGTH = 16;

/** The purpose and the id of a cookie. */
export interface Binding {
  purpose: CookiePurpose;
  /** The id that the cookie's name contains, so that two cookies of one purpose in one browser do not conflict. */
  id: string;
}

const prefixed = (name: string): string => `${isSecure() ? '__Host-' : ''}${name}`;

/**
 * The name of a cookie. Browsers accept `__Host-` only from this exact host, over TLS (RFC 6265bis section 4.1.3.2).
 */
const cookieName = ({ purpose, id }: Binding): string => prefixed(`gatehouse_${purpose}_${id.slice(-ID_LENGTH)}`);

/** The variable parts of a cookie. */
export interface CookieOptions {
  /** Lifetime in seconds; zero removes the cookie. The declared lifetime by default. */
  maxAgeSeconds?: number;
  /** True for a cookie that the browser removes when it is closed: the header has no lifetime. */
  untilClosed?: boolean | undefined;
  /** The value `None` is allowed only if both are declared. */
  sameSite?: 'Strict' | 'Lax' | 'None';
}

/** The Set-Cookie header of a declared cookie. */
export function setCookie(binding: Binding, value: string, options: CookieOptions = {}): string {
  const { sameSite, life } = declarationOf(binding.purpose);
  const maxAge = options.maxAgeSeconds ?? life;
  if (typeof maxAge !== 'number') throw new TypeError(`The cookie ${binding.purpose} needs a life`);
  const chosen = options.sameSite ?? (sameSite === 'Strict' ? 'Strict' : 'Lax');
  return attributed(cookieName(binding), value, options.untilClosed === true ? undefined : maxAge, chosen);
}

/** The Set-Cookie header that removes a cookie. */
export const removeCookie = (binding: Binding): string => setCookie(binding, '', { maxAgeSeconds: 0 });

const attributed = (name: string, value: string, maxAge: number | undefined, sameSite: string): string =>
  `${name}=${value}; Path=/${maxAge === undefined ? '' : `; Max-Age=${maxAge}`}; HttpOnly; SameSite=${sameSite}` +
  (isSecure() ? '; Secure' : '');

/** The Set-Cookie header of the marker; an empty value removes it. @param domain Empty for the service's own host. */
export const setMarker = (value: string, domain: string): string =>
  `${MARKER.name}=${value}; Path=/; Max-Age=${value === '' ? 0 : MARKER.life}; SameSite=${MARKER.sameSite}` +
  `${domain === '' ? '' : `; Domain=${domain}`}${isSecure() ? '; Secure' : ''}`;

/** The cookies of a request, which are a separate list in API Gateway's payload 2.0 and in the header elsewhere. */
export interface CookieCarrier {
  cookies?: readonly string[] | undefined;
  headers: Readonly<Record<string, string | undefined>>;
}

/** The cookies of a request as name and value, the oldest first as browsers send them (RFC 6265 section 5.4). */
export const cookiePairs = ({ cookies = [], headers }: CookieCarrier): [name: string, value: string][] =>
  [...cookies, ...(headers.cookie ?? '').split(';')].flatMap((pair) => {
    const at = pair.indexOf('=');
    return at < 1 ? [] : [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()]];
  });

/** The value of a request's cookie. */
export function cookieValue(request: CookieCarrier, binding: Binding): string | undefined {
  const name = cookieName(binding);
  return cookiePairs(request).find((pair) => pair[0] === name)?.[1];
}

/**
 * Maximum bytes of all cookies of the service in a browser's requests. Gateways accept about ten thousand bytes of headers.
 */
const MOST_BYTES = 4_096;

/** Measures the cookie as `name=value; `, the form in which browsers send it. */
const measureSize = (name: string, value: string): number => Buffer.byteLength(name) + Buffer.byteLength(value) + 3;

const NAME = new RegExp(`^(?:__Host-)?gatehouse_([a-z_]+)_[0-9A-Za-z]{${ID_LENGTH}}$`);

/** The purpose in a cookie's name; undefined for a cookie that the service did not set. */
function readPurpose(name: string): CookiePurpose | undefined {
  const [, purpose = ''] = NAME.exec(name) ?? [];
  return name === prefixed(name.replace(/^__Host-/, '')) && purpose in COOKIES ? (purpose as CookiePurpose) : undefined;
}

/**
 * Limits the cookies of the service in a browser to 4 KB: it adds Set-Cookie headers to a response that remove the oldest
 * cookies. Cookies of a single sign-in are removed before lasting ones, and those that the response sets are kept.
 */
export function withinBudget(request: CookieCarrier, set: readonly string[]): string[] {
  const isOwn = (name: string): boolean => name === MARKER.name || readPurpose(name) !== undefined;
  const ownCookies = new Map(cookiePairs(request).filter(([name]) => isOwn(name)));
  const fresh = new Set<string>();
  for (const line of set) {
    const [[name, value] = ['', '']] = cookiePairs({ headers: { cookie: line.split(';', 1)[0] } });
    fresh.add(name);
    if (value === '') ownCookies.delete(name);
    else ownCookies.set(name, value);
  }
  let bytes = [...ownCookies].reduce((sum, [name, value]) => sum + measureSize(name, value), 0);
  const isLasting = (name: string): boolean => COOKIES[readPurpose(name) as CookiePurpose].isLasting;
  const rest = [...ownCookies.keys()].filter((name) => name !== MARKER.name && !fresh.has(name));
  const removable = [...rest.filter((name) => !isLasting(name)), ...rest.filter(isLasting)];
  const removed: string[] = [];
  for (const name of removable) {
    if (bytes <= MOST_BYTES) break;
    bytes -= measureSize(name, ownCookies.get(name) ?? '');
    removed.push(attributed(name, '', 0, 'Lax'));
  }
  return [...set, ...removed];
}
