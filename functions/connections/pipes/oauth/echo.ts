/** The replacement for a secret that was removed from an error text. */
const STRUCK = '[removed]';
/** Minimum length of a part of a secret that is removed; a shorter secret is removed as a whole. */
const PIECE = 8;

/** Public parameters of a token request. */
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
 * Collects the secrets of a token request: the values of all parameters that are not known to be public (secret, code,
 * verifier, refresh token, assertion), and the credentials of its Authorization header.
 */
export function listSecrets(headers: Headers, parameters: URLSearchParams): string[] {
  const secrets = [...parameters].flatMap(([name, value]) => (PUBLIC.has(name) ? [] : [value]));
  const [, credentials] = /^\S+\s+(.+)$/.exec(headers.get('authorization') ?? '') ?? [];
  if (credentials === undefined) return secrets;
  const password = Buffer.from(credentials, 'base64').toString('utf8').split(':').slice(1).join(':');
  // The client's secret is form-encoded within the header (RFC 6749 section 2.3.1).
  return [...secrets, credentials, password, ...decoded(password)];
}

function decoded(text: string): string[] {
  try {
    return [decodeURIComponent(text.replaceAll('+', ' '))];
  } catch {
    return [];
  }
}

/** The encodings in which a response may repeat a text. */
function listEncodings(secret: string): string[] {
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
 * Removes secrets from a provider's text, in every usual encoding and ignoring case. A part of a secret is also removed
 * if it has at least eight characters, since a response may repeat only a part.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const lower = text.toLowerCase();
  // Lower case may have another length, and then positions would not match.
  const plain = lower.length === text.length ? lower : text;
  const struck = new Uint8Array(plain.length);
  for (const secret of secrets) {
    if (secret === '') continue;
    for (const form of new Set(listEncodings(secret))) strike(plain, form, struck);
  }
  let kept = '';
  for (let at = 0; at < text.length; at += 1) {
    if (struck[at] === 0) kept += text.charAt(at);
    else if (struck[at - 1] !== 1) kept += STRUCK;
  }
  return kept;
}

/** Marks the positions of an encoded secret, or a part of it, in a text. */
function strike(text: string, form: string, struck: Uint8Array): void {
  const length = Math.min(PIECE, form.length);
  const pieces = new Set(Array.from({ length: form.length - length + 1 }, (_, at) => form.slice(at, at + length)));
  for (let at = 0; at + length <= text.length; at += 1) {
    if (pieces.has(text.slice(at, at + length))) struck.fill(1, at, at + length);
  }
}
