import { describe, expect, test } from '@jest/globals';

import { classifyTokens, mergeTokens } from '../../functions/connections/pipes/connected-account/rules.ts';
import { invalidatesAccount, isAlive, isFresh, mayStore } from '../../functions/connections/pipes/credentials/rules.ts';
import {
  normalizeTokenResponse,
  splitScopes,
  valueAt,
} from '../../functions/connections/pipes/oauth/token-response.ts';

const NOW = Date.parse('2026-01-15T12:00:00.000Z');
const at = (seconds: number): string => new Date(NOW + seconds * 1_000).toISOString();

describe('imported tokens', () => {
  test.each([
    ['nothing', {}, 'needs_reauthorization'],
    ['an access token without an expiry', { accessToken: 'a' }, 'connected'],
    ['an access token that has not expired', { accessToken: 'a', expiresAt: at(60) }, 'connected'],
    ['an access token that has expired', { accessToken: 'a', expiresAt: at(-60) }, 'needs_reauthorization'],
    [
      'an expired access token and a refresh token',
      { accessToken: 'a', expiresAt: at(-60), refreshToken: 'r' },
      'connected',
    ],
    ['only a refresh token', { refreshToken: 'r' }, 'connected'],
    [
      'the state needs_reauthorization',
      { accessToken: 'a', state: 'needs_reauthorization' as const },
      'needs_reauthorization',
    ],
    ['the state connected but no token', { state: 'connected' as const }, 'invalid'],
    [
      'the state connected but an expired access token',
      { accessToken: 'a', expiresAt: at(-60), state: 'connected' as const },
      'invalid',
    ],
    ['an expiry without its access token', { expiresAt: at(60), refreshToken: 'r' }, 'invalid'],
  ])('with %s have the expected state or are invalid', (_title, tokens, expected) => {
    const verdict = classifyTokens(tokens, NOW);
    expect(verdict.kind === 'state' ? verdict.state : verdict.kind).toBe(expected);
  });

  test('a new access token does not inherit the expiry of the previous one', () => {
    const former = { accessToken: 'a', refreshToken: 'r', expiresAt: at(60) };
    expect(mergeTokens(former, { accessToken: 'b' })).toEqual({ accessToken: 'b', refreshToken: 'r' });
    expect(mergeTokens(former, { refreshToken: 's' })).toEqual({ ...former, refreshToken: 's' });
  });
});

describe('a token', () => {
  test.each([
    ['without an expiry', undefined, undefined, true, true],
    ['of an hour with five minutes left', 300, 3_600, true, true],
    ['of an hour with a minute left', 60, 3_600, false, true],
    ['of ten seconds with five left', 5, 10, true, true],
    ['of ten seconds with one left', 1, 10, false, true],
    ['that has expired', -1, 3_600, false, false],
  ])('%s is fresh, due for renewal or expired, as expected', (_title, left, lifetime, fresh, alive) => {
    const token = { tokenExpiresAt: left === undefined ? undefined : at(left), tokenLifetimeSeconds: lifetime };
    expect([isFresh(token, NOW), isAlive(token, NOW)]).toEqual([fresh, alive]);
  });

  test.each([
    ['under a later lease', { grantId: 'g', fence: 1 }, { grantId: 'g', fence: 2 }, true],
    ['under an earlier lease', { grantId: 'g', fence: 3 }, { grantId: 'g', fence: 2 }, false],
    ['of a grant that was replaced', { grantId: 'h', fence: 0 }, { grantId: 'g', fence: 2 }, false],
  ])('that was renewed %s is stored only if it is current', (_title, stored, renewal, expected) => {
    expect(mayStore(stored, renewal)).toBe(expected);
  });

  test('a provider’s rejection of tokens that were replaced in the meantime does not break the connection', () => {
    expect(invalidatesAccount({ grantId: 'g', fence: 1 }, { grantId: 'g', fence: 1 })).toBe(true);
    expect(invalidatesAccount({ grantId: 'g', fence: 2 }, { grantId: 'g', fence: 1 })).toBe(false);
    expect(invalidatesAccount({ grantId: 'h', fence: 1 }, { grantId: 'g', fence: 1 })).toBe(false);
  });
});

describe('a token endpoint’s response', () => {
  const json = (status: number, body: unknown) => ({
    status,
    contentType: 'application/json',
    text: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const read = (response: ReturnType<typeof json>, errorAliases: Record<string, string> = {}) =>
    normalizeTokenResponse(response, { errorAliases, now: NOW });

  test('is converted to the form of the OAuth standard', () => {
    const body = {
      access_token: 'a',
      token_type: 'bot',
      expires_in: '3600',
      scope: ['one', 'two'],
      id_token: 'ey',
      refresh_token: null,
    };
    expect(read(json(200, body))).toEqual({
      kind: 'token',
      body: { access_token: 'a', token_type: 'bearer', expires_in: 3_600, scope: 'one two' },
    });
  });

  test('may have a separate token of a user, and an expiry time instead of a lifetime', () => {
    const body = { ok: true, authed_user: { access_token: 'u', scope: 'a,b' }, team: { id: 'T1' }, expires_at: at(90) };
    expect(read(json(200, body))).toMatchObject({
      kind: 'token',
      body: { access_token: 'u', scope: 'a,b', team: { id: 'T1' }, expires_in: 90 },
    });
  });

  test('may be form-encoded', () => {
    const response = {
      status: 200,
      contentType: 'application/x-www-form-urlencoded; charset=utf-8',
      text: 'access_token=a&scope=x',
    };
    expect(read(response)).toMatchObject({ kind: 'token', body: { access_token: 'a', scope: 'x' } });
  });

  test.each([
    ['RFC 6749', json(400, { error: 'invalid_grant', error_description: 'gone' }), {}, 'invalid_grant', 'gone'],
    [
      '200 with an error',
      json(200, { error: 'bad_refresh_token' }),
      { bad_refresh_token: 'invalid_grant' },
      'invalid_grant',
      null,
    ],
    [
      'ok: false',
      json(200, { ok: false, error: 'invalid_code' }),
      { invalid_code: 'invalid_grant' },
      'invalid_grant',
      null,
    ],
    ['an object', json(400, { error: { type: 'OAuthException', message: 'no' } }), {}, 'OAuthException', 'no'],
    [
      'a status word',
      json(400, { status: 'BAD_AUTH_CODE', message: 'no' }),
      { BAD_AUTH_CODE: 'invalid_grant' },
      'invalid_grant',
      'no',
    ],
    ['no words at all', json(401, '<html>'), {}, 'http_401', null],
  ])('reports an error as %s', (_title, response, aliases, error, description) => {
    expect(read(response, aliases)).toEqual({ kind: 'error', error, description });
  });

  test.each([
    ['a 500', json(500, { error: 'invalid_grant' }), 'unavailable'],
    ['a 429', json(429, ''), 'unavailable'],
    ['a 503 page', json(503, '<html>'), 'unavailable'],
    ['temporarily_unavailable', json(400, { error: 'temporarily_unavailable' }), 'unavailable'],
    ['a page', json(200, '<html>'), 'malformed'],
    ['JSON without a token', json(200, { token: 'a' }), 'malformed'],
  ])('does not break the connection by %s', (_title, response, kind) => {
    expect(read(response)).toEqual({ kind });
  });

  test('separates scopes by blanks and commas', () => {
    expect(splitScopes('a,b c  a')).toEqual(['a', 'b', 'c']);
  });

  test.each([
    ['team.id', { team: { id: 'T1' } }, 'T1'],
    ['0.tenantId', [{ tenantId: 't' }], 't'],
    [['team_id', 'user_id'], { team_id: null, user_id: 7 }, '7'],
    ['a.b', { a: 'text' }, undefined],
    ['constructor.name', {}, undefined],
  ])('identifies the account by %s', (path, value, expected) => {
    expect(valueAt(value, path)).toBe(expected);
  });
});
