import { describe, expect, test } from '@jest/globals';

import { findPkceFault } from '../../functions/oauth/connect/authorize/pkce.ts';
import { findPromptFault } from '../../functions/oauth/connect/authorize/prompt.ts';
import { chooseRedirectUri } from '../../functions/oauth/connect/authorize/redirect-uri.ts';
import { findResourceFault } from '../../functions/oauth/connect/authorize/resource.ts';
import { grantableScopes, splitScopes } from '../../functions/oauth/connect/authorize/scope.ts';
import { needsConsent, readReceiver } from '../../functions/oauth/connect/consent/rules.ts';
import { findMetadataFault, readClientName } from '../../functions/oauth/connect/registration/rules.ts';
import { isLoopback } from '../../functions/tenancy/modules/client-settings/public.ts';

const REGISTERED = [
  'https://app.example.com/callback',
  'https://app.example.com/callback?tenant=1',
  'http://127.0.0.1/callback',
  'http://localhost:3000/callback',
  'com.example.app:/callback',
];

describe('a redirect URI', () => {
  test.each([
    'https://app.example.com/callback',
    'https://app.example.com/callback?tenant=1',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:51004/callback',
    'http://localhost:3000/callback',
    'http://localhost:51004/callback',
    'com.example.app:/callback',
  ])('is the registered one, on a loopback host with any port: %s', (uri) => {
    expect(chooseRedirectUri(REGISTERED, uri)).toBe(uri);
  });

  test.each([
    ['user information', 'https://app.example.com@evil.example/callback'],
    ['a user name before the host', 'https://evil@app.example.com/callback'],
    ['a port of a web host', 'https://app.example.com:8443/callback'],
    ['a backslash', 'https://app.example.com\\@evil.example/callback'],
    ['a backslash in the path', 'https://app.example.com/callback\\'],
    ['another case of the path', 'https://app.example.com/Callback'],
    ['another case of the host', 'https://APP.example.com/callback'],
    ['another case of the scheme', 'HTTPS://app.example.com/callback'],
    ['dot segments', 'https://app.example.com/x/../callback'],
    ['encoded dot segments', 'https://app.example.com/x/%2e%2e/callback'],
    ['an encoded character', 'https://app.example.com/c%61llback'],
    ['an encoded slash', 'https://app.example.com/callback%2f'],
    ['a fragment', 'https://app.example.com/callback#x'],
    ['an empty fragment', 'https://app.example.com/callback#'],
    ['a wildcard', 'https://*.example.com/callback'],
    ['a further path', 'https://app.example.com/callback/evil'],
    ['a further slash', 'https://app.example.com/callback/'],
    ['a further query', 'https://app.example.com/callback?x=1'],
    ['another subdomain', 'https://evil.app.example.com/callback'],
    ['a longer domain', 'https://app.example.com.evil.example/callback'],
    ['a dot after the host', 'https://app.example.com./callback'],
    ['plain http', 'http://app.example.com/callback'],
    ['another loopback name', 'http://[::1]/callback'],
    ['another loopback path', 'http://127.0.0.1:51004/other'],
    ['https on loopback', 'https://127.0.0.1/callback'],
    ['a port on an own scheme', 'com.example.app://host:80/callback'],
    ['white space', ' https://app.example.com/callback'],
    ['a line break', 'https://app.example.com/callback\n'],
    ['a null character', 'https://app.example.com/callback\u0000'],
    ['a look-alike letter', 'https://аpp.example.com/callback'],
    ['a script', 'javascript:alert(1)'],
    ['nothing', ''],
  ])('is rejected with %s', (_what, uri) => {
    expect(chooseRedirectUri(REGISTERED, uri)).toBeUndefined();
  });

  test('can be left out only by an application that has one', () => {
    expect(chooseRedirectUri(REGISTERED.slice(0, 1), undefined)).toBe(REGISTERED[0]);
    expect(chooseRedirectUri(REGISTERED, undefined)).toBeUndefined();
    expect(chooseRedirectUri([], undefined)).toBeUndefined();
  });
});

describe('consent', () => {
  const first = { isFirstParty: true, isUnverified: false, prompts: [] };
  const third = { isFirstParty: false, isUnverified: false, prompts: [] };
  const unverified = { isFirstParty: false, isUnverified: true, prompts: [] };
  const scopes = ['openid', 'email'];
  test.each([
    ['a first-party application', first, undefined, false],
    ['a first-party application with prompt=consent', { ...first, prompts: ['consent'] }, undefined, false],
    ['a third-party application', third, undefined, true],
    ['a third-party application with the same consent', third, ['email', 'openid'], false],
    ['a third-party application with a larger consent', third, ['email', 'openid', 'profile'], false],
    ['a third-party application with a new scope', third, ['openid'], true],
    ['a third-party application with prompt=consent', { ...third, prompts: ['consent'] }, scopes, true],
    ['a third-party application with prompt=none and consent', { ...third, prompts: ['none'] }, scopes, false],
    ['a third-party application with prompt=none', { ...third, prompts: ['none'] }, undefined, true],
    ['an unverified application', unverified, undefined, true],
    ['an unverified application with the same consent', unverified, scopes, true],
    ['an unverified application with prompt=none', { ...unverified, prompts: ['none'] }, scopes, true],
  ])('is requested only when necessary: %s', (_what, asking, given, isNeeded) => {
    expect(needsConsent({ ...asking, scopes }, given)).toBe(isNeeded);
  });

  test.each([
    ['https://app.example.com:8443/cb', { kind: 'host', host: 'app.example.com:8443' }],
    ['http://localhost:3000/cb', { kind: 'computer' }],
    ['http://127.0.0.1/cb', { kind: 'computer' }],
    ['com.example.app:/cb', { kind: 'app', scheme: 'com.example.app' }],
  ])('names the receiver of the redirect for %s', (uri, receiver) => {
    expect(readReceiver(uri, isLoopback)).toEqual(receiver);
  });
});

describe('an authorization request', () => {
  const challenge = 'A'.repeat(43);
  test.each([
    ['without a challenge', {}, true, 'invalid_request'],
    ['without a challenge, which is not required', {}, false, undefined],
    ['with a method only', { code_challenge_method: 'S256' }, false, 'invalid_request'],
    ['with a plain challenge', { code_challenge: challenge, code_challenge_method: 'plain' }, false, 'invalid_request'],
    ['without a method', { code_challenge: challenge }, false, 'invalid_request'],
    ['with a short challenge', { code_challenge: 'AAAA', code_challenge_method: 'S256' }, true, 'invalid_request'],
    ['with a challenge', { code_challenge: challenge, code_challenge_method: 'S256' }, true, undefined],
  ])('%s is accepted only if it meets the rules of PKCE', (_what, asked, isRequired, error) => {
    expect(findPkceFault(asked, isRequired)?.error).toBe(error);
  });

  test('can have one resource, which must be an absolute URI without a fragment', () => {
    expect(findResourceFault([])).toBeUndefined();
    expect(findResourceFault(['https://mcp.example.com/a?b=c'])).toBeUndefined();
    for (const named of [['mcp'], ['https://mcp.example.com#a'], [''], ['https://a.example', 'https://b.example']]) {
      expect(findResourceFault(named)?.error).toBe('invalid_target');
    }
  });

  test('gets those of its scopes that exist and that the application may have', () => {
    const held = ['openid', 'posts:read', 'gone'];
    const exists = (slug: string) => slug.startsWith('posts:');
    expect(splitScopes('openid  openid posts:read')).toEqual(['openid', 'posts:read']);
    expect(grantableScopes([], held, exists)).toEqual(['openid', 'posts:read']);
    expect(grantableScopes(['posts:write', 'openid'], held, exists)).toEqual(['openid']);
    expect(grantableScopes(['email'], held, exists)).toEqual([]);
  });

  test('accepts prompt=none only by itself, and max_age only in seconds', () => {
    expect(findPromptFault('login consent', '0')).toBeUndefined();
    expect(findPromptFault('none', undefined)).toBeUndefined();
    expect(findPromptFault('none consent', undefined)?.error).toBe('invalid_request');
    expect(findPromptFault(undefined, '1.5')?.error).toBe('invalid_request');
  });
});

describe('a dynamic client registration', () => {
  const uri = 'http://localhost:3000/cb';
  test('accepts web, loopback and private-use URIs; under the policy `loopback` only loopback URIs', () => {
    for (const one of [uri, 'https://app.example.com/cb', 'com.example.app:/cb']) {
      expect(findMetadataFault({ redirect_uris: [one] }, 'any')).toBeUndefined();
      expect(findMetadataFault({ redirect_uris: [one] }, 'loopback')?.kind).toBe(
        one === uri ? undefined : 'redirect_uri',
      );
    }
  });

  test('has a name of at most a hundred characters in one line, or the host of its redirect URI', () => {
    expect(readClientName({ client_name: ' My\n app ', redirect_uris: [uri] })).toBe('My app');
    expect(readClientName({ client_name: '😀'.repeat(200), redirect_uris: [uri] })).toBe('😀'.repeat(100));
    expect(readClientName({ redirect_uris: [uri] })).toBe('localhost:3000');
    expect(readClientName({ redirect_uris: ['com.example.app:/cb'] })).toBe('com.example.app:/cb');
  });
});
