/** A browser's navigation to a URL. */
export interface Navigation {
  /** The page whose form is sent or whose link is followed; absent for a typed address. */
  from?: { url: string; headers: Headers } | undefined;
  /** The addresses that redirected to the current one. */
  through?: readonly string[];
}

/** The policy that browsers apply if a page names none. */
const DEFAULT_POLICY = 'strict-origin-when-cross-origin';

/**
 * The headers with which a browser describes the origin of a request: `Origin` with a form (Fetch Standard, "append a
 * request Origin header"), and `Sec-Fetch-*` (Fetch Metadata Request Headers).
 */
export function navigationHeaders(
  url: string,
  method: string,
  { from, through = [] }: Navigation,
): Record<string, string> {
  const isForm = method !== 'GET' && method !== 'HEAD';
  return {
    'sec-fetch-dest': 'document',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-site': from === undefined ? 'none' : readSite(from.url, [...through, url]),
    'sec-fetch-user': '?1',
    ...(isForm && from !== undefined ? { origin: originFor(url, from) } : {}),
  };
}

/** The origin of a page in the headers of its form: `null` if the page's referrer policy hides it. */
function originFor(url: string, from: NonNullable<Navigation['from']>): string {
  const { origin } = new URL(from.url);
  const isSame = origin === new URL(url).origin;
  const isDowngrade = origin.startsWith('https:') && !url.startsWith('https:');
  switch (from.headers.get('referrer-policy') ?? DEFAULT_POLICY) {
    case 'no-referrer':
      return 'null';
    case 'same-origin':
      return isSame ? origin : 'null';
    case 'origin':
    case 'unsafe-url':
    case 'origin-when-cross-origin':
      return origin;
    default:
      return isDowngrade ? 'null' : origin;
  }
}

/** The relation between a page and the URLs of a navigation, of which the most distant one counts. */
function readSite(from: string, urls: readonly string[]): 'same-origin' | 'same-site' | 'cross-site' {
  const start = new URL(from);
  const all = urls.map((url) => new URL(url));
  if (all.every(({ origin }) => origin === start.origin)) return 'same-origin';
  return all.every(({ protocol, hostname }) => protocol === start.protocol && hostname === start.hostname)
    ? 'same-site'
    : 'cross-site';
}
