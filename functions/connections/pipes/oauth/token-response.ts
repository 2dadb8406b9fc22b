import { cutText } from '../../../kernel/text.ts';

/**
 * Normalizes the responses of token endpoints, which deviate from RFC 6749 section 5 in a few known ways, before the
 * protocol library reads them. Pure.
 */
export interface RawTokenResponse {
  status: number;
  contentType: string;
  text: string;
}

/** A response in the standard's form: a token (200) or an error (400). `unavailable` and `malformed` are neither. */
export type NormalizedTokens =
  | { kind: 'token'; body: Record<string, unknown> }
  | { kind: 'error'; error: string; description: string | null }
  | { kind: 'unavailable' }
  | { kind: 'malformed' };

export interface Deviations {
  /** The provider's own error codes, mapped to those of the standard. */
  errorAliases?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds since the epoch, for responses with an expiry time instead of a lifetime. */
  now: number;
}

/** Reads a token endpoint's response. */
export function normalizeTokenResponse(response: RawTokenResponse, deviations: Deviations): NormalizedTokens {
  const body = parseBody(response);
  const failure = body === undefined ? undefined : readError(body);
  const error = failure && (deviations.errorAliases?.[failure.error] ?? failure.error);
  if (response.status >= 500 || response.status === 429 || response.status === 408) return { kind: 'unavailable' };
  if (error === 'temporarily_unavailable' || error === 'server_error') return { kind: 'unavailable' };
  if (failure !== undefined && error !== undefined) return { kind: 'error', error, description: failure.description };
  if (response.status >= 300) return { kind: 'error', error: `http_${response.status}`, description: null };
  if (body === undefined) return { kind: 'malformed' };
  const token = readToken(body, deviations.now);
  return token === undefined ? { kind: 'malformed' } : { kind: 'token', body: token };
}

function parseBody({ text, contentType }: RawTokenResponse): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    const isForm = contentType.startsWith('application/x-www-form-urlencoded') || contentType.startsWith('text/plain');
    return isForm && text.includes('=') ? Object.fromEntries(new URLSearchParams(text)) : undefined;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOr = <T>(value: unknown, otherwise: T): string | T => (typeof value === 'string' ? value : otherwise);

/**
 * Finds an error in any of its known places: `error`, `{error: {type, message}}`, `{ok: false, error}`, `{status:
 * "BAD_…"}`.
 */
function readError(body: Record<string, unknown>): { error: string; description: string | null } | undefined {
  const { error } = body;
  const description = textOr(body.error_description, textOr(body.message, null));
  if (typeof error === 'string' && error !== '') return { error, description };
  if (isRecord(error)) {
    return {
      error: textOr(error.type, textOr(error.code, 'refused')),
      description: textOr(error.message, description),
    };
  }
  if (typeof body.status === 'string' && body.access_token === undefined && body.authed_user === undefined) {
    return { error: body.status, description };
  }
  return undefined;
}

function readToken(given: Record<string, unknown>, now: number): Record<string, unknown> | undefined {
  // Slack returns a user's token next to the bot's, or instead of it.
  const nested = isRecord(given.authed_user) && given.access_token === undefined ? given.authed_user : {};
  const body = { ...given, ...nested };
  if (typeof body.access_token !== 'string' || body.access_token === '') return undefined;
  const lifetime = readLifetime(body, now);
  const { expires_in: _lifetime, id_token: _identity, refresh_token: refresh, scope, ...others } = body;
  return {
    ...others,
    // All tokens are used as bearer tokens, whatever type a provider names.
    token_type: 'bearer',
    ...(typeof refresh === 'string' && refresh !== '' ? { refresh_token: refresh } : {}),
    ...(lifetime === undefined ? {} : { expires_in: lifetime }),
    ...scopeMember(scope),
  };
}

function scopeMember(scope: unknown): { scope?: string } {
  if (Array.isArray(scope)) return { scope: scope.join(' ') };
  return typeof scope === 'string' ? { scope } : {};
}

function readLifetime(body: Record<string, unknown>, now: number): number | undefined {
  const seconds = Number(body.expires_in ?? Number.NaN);
  if (Number.isFinite(seconds) && seconds > 0) return Math.floor(seconds);
  const { expires_at: end } = body;
  const at = typeof end === 'number' ? end * 1_000 : typeof end === 'string' ? Date.parse(end) : Number.NaN;
  const left = Math.floor((at - now) / 1_000);
  return Number.isFinite(left) && left > 0 ? left : undefined;
}

/**
 * Splits the scopes of a response, which are separated by blanks according to the standard, and by commas at some
 * providers.
 */
export const splitScopes = (scope: string): string[] =>
  [...new Set(scope.split(/[\s,]+/))].filter((item) => item !== '');

/** Reads a value within a JSON response by its path, as text; undefined if there is none. */
export function valueAt(value: unknown, path: string | readonly string[]): string | undefined {
  if (typeof path !== 'string') {
    return path.map((one) => valueAt(value, one)).find((found) => found !== undefined);
  }
  const found = path.split('.').reduce<unknown>((at, name) => {
    if (Array.isArray(at)) return (at as unknown[])[Number(name)];
    return isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }, value);
  if (typeof found === 'number' || typeof found === 'boolean') return String(found);
  return typeof found === 'string' && found !== '' ? cutText(found, 0, 500) : undefined;
}
