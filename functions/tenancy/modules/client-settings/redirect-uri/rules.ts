/** The reasons why a text is not a redirect URI. */
export interface UriProblem {
  code: string;
  message: string;
}

/** The parts of a wildcard URI: `https://preview-*.example.com/callback` has the label `preview-*`. */
export interface Wildcard {
  /** The leftmost label of the host, which contains the one `*`. */
  label: string;
  /** The URI with only `*` in place of that label: the key under which a presented URI is looked up. */
  group: string;
}

/** A valid redirect URI. */
export interface ReadUri {
  uri: string;
  /** The wildcard, if the URI is registered for many hosts. */
  wildcard?: Wildcard;
}

/** A URI is part of a key of the table, so its length is limited. */
const MAX_LENGTH = 1_000;

/** A scheme (RFC 3986 section 3.1) of at least two characters, because a single letter is a drive of Windows. */
const SCHEME = /^[a-z][a-z0-9+.-]+:/;

/**
 * Schemes that a browser or system handles itself. A code that is sent there would run, be displayed or go to a program
 * that is not the client. A native app's own scheme (RFC 8252 section 7.1) is not one of them.
 */
const FOREIGN_SCHEMES: ReadonlySet<string> = new Set(
  (
    'about admin app blob callto chrome chrome-extension cid content data dav dict dns facetime feed file filesystem ftp ' +
    'ftps geo git gopher help imap intent irc ircs itms itms-apps itms-services jar javascript ldap ldaps livescript ' +
    'magnet mailto market mhtml mid mms mocha moz-extension ms-appinstaller ms-msdt ms-settings news nfs nntp pop res ' +
    'resource rtsp search-ms sftp shell shortcuts sip sips sms smsto smb snmp ssh steam svn tel telnet tftp urn vbs ' +
    'vbscript view-source webcal webcals ws wss wyciwyg x-apple x-javascript xmpp'
  ).split(' '),
);

/**
 * Suffixes under which anyone can register a name, so that a label of only `*` below them would match every attacker. For a
 * prefix or suffix around the `*` the developer is responsible (`shop-*-acme.vercel.app`).
 */
const SHARED_SUFFIXES: ReadonlySet<string> = new Set(
  (
    'vercel.app now.sh netlify.app netlify.com github.io githubpreview.dev gitlab.io pages.dev workers.dev ' +
    'herokuapp.com web.app firebaseapp.com run.app appspot.com azurewebsites.net azurestaticapps.net cloudfront.net ' +
    'amazonaws.com amplifyapp.com elasticbeanstalk.com onrender.com fly.dev railway.app up.railway.app ngrok.io ngrok.app ' +
    'ngrok-free.app ngrok.dev loca.lt trycloudflare.com surge.sh glitch.me repl.co replit.app replit.dev stackblitz.io ' +
    'webcontainer.io codesandbox.io csb.app gitpod.io deno.dev deno.net myshopify.com wordpress.com blogspot.com ' +
    'co.uk org.uk me.uk ac.uk gov.uk com.au net.au org.au co.nz co.jp or.jp ne.jp com.br com.cn com.mx com.ar com.tr ' +
    'co.in co.za co.kr com.sg com.hk com.tw com.ua com.pl co.il co.id com.my'
  ).split(' '),
);

/** The rules for a kind of URI. */
export interface UriPolicy {
  /** True if a native app's own scheme is accepted. */
  ownSchemes: boolean;
}

/**
 * Parses a text as a URI to register, or returns what is wrong with it. It must be https, http on a loopback host, or (if
 * the policy allows it) a scheme of an app's own. It must be spelled as browsers write it, so that equal addresses are
 * equal texts, without fragment (RFC 6749 section 3.1.2), user information, backslash, control character or non-ASCII
 * character. One `*` may be in the leftmost label of the host, with at least two labels after it or `localhost`.
 */
export function readUri(text: string, policy: UriPolicy = { ownSchemes: true }): ReadUri | UriProblem {
  const problem = problemOfText(text);
  if (problem !== undefined) return problem;
  const url = parse(text);
  if (url === undefined) return { code: 'invalid_uri', message: 'is not an absolute URI' };
  const asWritten = text === url.href || `${text}/` === url.href;
  if (!asWritten) return { code: 'not_normalized', message: `is not in its usual form; write ${url.href}` };
  return url.protocol === 'https:' || url.protocol === 'http:' ? readWeb(text, url) : readOwnScheme(text, url, policy);
}

export const isProblem = (read: ReadUri | UriProblem): read is UriProblem => 'code' in read;

function problemOfText(text: string): UriProblem | undefined {
  if (text.length > MAX_LENGTH) return { code: 'too_big', message: `has at most ${MAX_LENGTH} characters` };
  if (!/^[\x21-\x7e]+$/.test(text)) {
    return { code: 'invalid_characters', message: 'holds white space, a control character or one beyond ASCII' };
  }
  if (/[\\<>"{}|^`]/.test(text)) return { code: 'invalid_characters', message: 'holds a character that no URI has' };
  if (text.includes('#')) return { code: 'fragment', message: 'has a fragment, which a redirect would overwrite' };
  if (!SCHEME.test(text)) return { code: 'invalid_uri', message: 'does not start with a scheme in lower case' };
  return undefined;
}

const parse = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

const hasUserInformation = ({ username, password }: URL): boolean => username !== '' || password !== '';

function readWeb(text: string, url: URL): ReadUri | UriProblem {
  if (hasUserInformation(url)) return { code: 'user_information', message: 'holds a user name or password' };
  if (url.hostname.endsWith('.')) return { code: 'invalid_host', message: 'has a host that ends with a dot' };
  const stars = text.split('*').length - 1;
  if (url.protocol === 'http:' && !isLoopback(url.hostname.replace('*', 'x'))) {
    return {
      code: 'insecure_scheme',
      message: 'must be https; http is only allowed for localhost, 127.0.0.1 and [::1]',
    };
  }
  if (stars === 0) return { uri: text };
  const [label = '', ...parents] = url.hostname.split('.');
  if (stars > 1 || !label.includes('*')) {
    return { code: 'invalid_wildcard', message: 'may have one "*", in the leftmost label of its host' };
  }
  const parent = parents.join('.');
  if (parents.length < 2 && parent !== 'localhost') {
    return { code: 'invalid_wildcard', message: 'needs a domain of its own behind the "*", such as *.example.com' };
  }
  if (label === '*' && SHARED_SUFFIXES.has(parent)) {
    const message = `would allow every host below ${parent}; add a part of your own before or after the "*"`;
    return { code: 'invalid_wildcard', message };
  }
  return { uri: text, wildcard: { label, group: makeWildcardGroup(url, label) } };
}

function readOwnScheme(text: string, url: URL, { ownSchemes }: UriPolicy): ReadUri | UriProblem {
  const scheme = url.protocol.slice(0, -1);
  if (!ownSchemes) return { code: 'insecure_scheme', message: 'must be https' };
  if (FOREIGN_SCHEMES.has(scheme) || scheme.startsWith('ms-') || scheme.startsWith('chrome')) {
    return { code: 'forbidden_scheme', message: `has the scheme ${scheme}, which is not an app's own` };
  }
  if (hasUserInformation(url)) return { code: 'user_information', message: 'holds a user name or password' };
  if (text.includes('*')) return { code: 'invalid_wildcard', message: 'may only have a "*" with https' };
  if (text.length === url.protocol.length) return { code: 'invalid_uri', message: 'ends after its scheme' };
  return { uri: text };
}

/** Reports whether a host never leaves the machine (RFC 6761 section 6.3, RFC 8252 section 7.3). */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}

const makeWildcardGroup = (url: URL, label: string): string => url.href.replace(`//${label}.`, '//*.');

/** The registrations that could match a presented URI. */
export interface Candidates {
  /** The texts of registrations that would match the URI. */
  uris: readonly string[];
  /** The group of wildcards that could match, and the label to compare. */
  wildcard?: Wildcard;
}

/**
 * The registrations that would match a presented URI; none for a text that could not be registered itself.
 *
 * A registered loopback URI without a port matches any port (RFC 8252 section 7.3).
 */
export function listCandidates(presented: string): Candidates {
  const read = readUri(presented);
  // A "*" in a presented URI is an invalid host: it must not find the registration with the same text.
  if (isProblem(read) || presented.includes('*')) return { uris: [] };
  const url = new URL(presented);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { uris: [presented] };
  const uris = [presented];
  if (isLoopback(url.hostname) && url.protocol === 'http:' && url.port !== '') {
    uris.push(presented.replace(`${url.hostname}:${url.port}`, url.hostname));
  }
  const [label = '', ...parents] = url.hostname.split('.');
  const mayMatch = (parents.length > 1 || parents[0] === 'localhost') && /^[a-z0-9_-]+$/.test(label);
  return mayMatch ? { uris, wildcard: { label, group: makeWildcardGroup(url, label) } } : { uris };
}

/**
 * Reports whether a registered label (`preview-*`) matches a presented one: its `*` matches one or more characters of a
 * label.
 */
export function admits(registered: string, presented: string): boolean {
  const [before = '', after = ''] = registered.split('*');
  return presented.length > before.length + after.length && presented.startsWith(before) && presented.endsWith(after);
}

/** Reports whether a text is the address of a page to which browsers may be sent. */
export function isWebUri(text: string): boolean {
  const read = readUri(text, { ownSchemes: false });
  return !isProblem(read) && read.wildcard === undefined;
}

export const WEB_URI_RULE = 'must be https, or http on a loopback host, without fragment, user name or wildcard';
