/** What stands in the place of a text that was sent. */
const STRUCK = '[removed]';
/** A piece of a secret that is found by itself; a shorter secret is found as a whole. */
const PIECE = 8;

/** Parameters of a token request that anybody may know. */
const PUBLIC = new Set([
  'grant_type',
  'client_id',
  'redirect_uri',
  'scope',
  'resource',
  'audience',
  'client_assertion_type',
]);

/**
 * Collects what a token request carries and nobody else may read: the values of all parameters that are not known to be
 * public (secret, code, verifier, refresh token, assertion), and the credentials of its Authorization header.
 */
export function secretsOf(headers: Headers, parameters: URLSearchParams): string[] {
  const secrets = [...parameters].flatMap(([name, value]) => (PUBLIC.has(name) ? [] : [value]));
  const [, credentials] = /^\S+\s+(.+)$/.exec(headers.get('authorization') ?? '') ?? [];
  if (credentials === undefined) return secrets;
  const password = Buffer.from(credentials, 'base64').toString('utf8').split(':').slice(1).join(':');
  // The client's secret is encoded within the header (RFC 6749 section 2.3.1).
  return [...secrets, credentials, password, ...decoded(password)];
}

function decoded(text: string): string[] {
  try {
    return [decodeURIComponent(text.replaceAll('+', ' '))];
  } catch {
    return [];
  }
}

/** The forms in which an answer may repeat a text. */
function formsOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret);
  const form = new URLSearchParams({ s: secret }).toString().slice(2);
  const bytes = Buffer.from(secret);
  return [
    secret,
    encoded,
    form,
    encodeURIComponent(encoded),
    JSON.stringify(secret).slice(1, -1),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ].map((text) => text.toLowerCase());
}

/**
 * Strikes secrets out of a text that somebody else wrote, in every usual encoding and in any case of letters; also a part
 * of one from eight characters on, since an answer may cut what it repeats.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const lower = text.toLowerCase();
  // Lower case may be longer: then places would not fit.
  const plain = lower.length === text.length ? lower : text;
  const struck = new Uint8Array(plain.length);
  for (const secret of secrets) {
    if (secret === '') continue;
    for (const form of new Set(formsOf(secret))) strike(plain, form, struck);
  }
  let kept = '';
  for (let at = 0; at < text.length; at += 1) {
    if (struck[at] === 0) kept += text.charAt(at);
    else if (struck[at - 1] !== 1) kept += STRUCK;
  }
  return kept;
}

/** Marks where a form, or a piece of it, stands in a text. */
function strike(text: string, form: string, struck: Uint8Array): void {
  const length = Math.min(PIECE, form.length);
  const pieces = new Set(Array.from({ length: form.length - length + 1 }, (_, at) => form.slice(at, at + length)));
  for (let at = 0; at + length <= text.length; at += 1) {
    if (pieces.has(text.slice(at, at + length))) struck.fill(1, at, at + length);
  }
}
