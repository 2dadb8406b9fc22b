import { describe, expect, test } from '@jest/globals';

import {
  admits,
  listCandidates,
  isProblem,
  readUri,
} from '../../../functions/tenancy/modules/client-settings/redirect-uri/rules.ts';

const readCode = (text: string): string | undefined => {
  const read = readUri(text);
  return isProblem(read) ? read.code : undefined;
};

describe('a redirect URI to register', () => {
  test.each([
    'https://app.example.com',
    'https://app.example.com/callback?tenant=1',
    'https://app.example.com:8443/callback',
    'http://localhost:3000/callback',
    'http://acme.localhost:3000/callback',
    'http://127.0.0.1/callback',
    'http://[::1]:5000/callback',
    'https://*.example.com/callback',
    'https://preview-*-acme.vercel.app/callback',
    'http://*.localhost:3000/callback',
    'com.example.app:/callback',
    'acme://callback',
  ])('may be %s', (text) => {
    expect(readCode(text)).toBeUndefined();
  });

  test.each([
    ['an address that is not absolute', '/callback', 'invalid_uri'],
    ['no text', '', 'invalid_characters'],
    ['a fragment', 'https://app.example.com/callback#part', 'fragment'],
    ['an empty fragment', 'https://app.example.com/callback#', 'fragment'],
    ['a user name', 'https://app.example.com@evil.example/', 'user_information'],
    ['a password', 'https://a:b@evil.example/', 'user_information'],
    ['an empty user name', 'https://@evil.example/', 'not_normalized'],
    ['a backslash', 'https://evil.example\\@app.example.com/', 'invalid_characters'],
    ['a line break', 'https://app.example.com/\n', 'invalid_characters'],
    ['a tab within the scheme', 'java\tscript:alert(1)', 'invalid_characters'],
    ['a NUL', 'https://app.example.com/\u0000', 'invalid_characters'],
    ['a letter that looks alike', 'https://\u0430pp.example.com/', 'invalid_characters'],
    ['capitals in the host', 'https://APP.example.com/', 'not_normalized'],
    ['capitals in the scheme', 'HTTPS://app.example.com/', 'invalid_uri'],
    ['the default port', 'https://app.example.com:443/', 'not_normalized'],
    ['dot segments', 'https://app.example.com/a/../callback', 'not_normalized'],
    ['encoded dot segments', 'https://app.example.com/a/%2E%2e/callback', 'not_normalized'],
    ['an address in octal', 'http://0177.0.0.1/', 'not_normalized'],
    ['a short address', 'https://127.1/', 'not_normalized'],
    ['no slashes', 'https:app.example.com', 'not_normalized'],
    ['a trailing dot of the host', 'https://app.example.com./', 'invalid_host'],
    ['http beyond the machine', 'http://app.example.com/', 'insecure_scheme'],
    ['http to a name that begins like loopback', 'http://localhost.evil.example/', 'insecure_scheme'],
    ['http to a name that ends like loopback', 'http://notlocalhost:3000/', 'insecure_scheme'],
    ['a user name in an own scheme', 'acme://user@callback', 'user_information'],
    ['a quote in an own scheme', 'acme:call"back', 'invalid_characters'],
    ['a page of the browser', 'chrome-untrusted://terminal', 'forbidden_scheme'],
    ['javascript', 'javascript:alert(1)', 'forbidden_scheme'],
    ['data', 'data:text/html,hello', 'forbidden_scheme'],
    ['a file', 'file:///etc/passwd', 'forbidden_scheme'],
    ['a mail', 'mailto:a@example.com', 'forbidden_scheme'],
    ['an intent of Android', 'intent://scan/#Intent;end', 'fragment'],
    ['a handler of Windows', 'ms-officecmd:x', 'forbidden_scheme'],
    ['a scheme alone', 'acme:', 'invalid_uri'],
    ['a drive', 'c:/callback', 'invalid_uri'],
    ['a wildcard for a whole domain', 'https://*.com/', 'invalid_wildcard'],
    ['a wildcard below a public suffix', 'https://*.co.uk/', 'invalid_wildcard'],
    ['a wildcard for everybody at a shared host', 'https://*.vercel.app/', 'invalid_wildcard'],
    ['a wildcard further in', 'https://app.*.example.com/', 'invalid_wildcard'],
    ['two wildcards', 'https://*-*.example.com/', 'invalid_wildcard'],
    ['a wildcard in the path', 'https://app.example.com/*', 'invalid_wildcard'],
    ['a wildcard in the query', 'https://app.example.com/?next=*', 'invalid_wildcard'],
    ['a wildcard in an address', 'https://*.0.0.1/', 'invalid_uri'],
    ['a wildcard in an own scheme', 'acme://*/callback', 'invalid_wildcard'],
    ['more than 1,000 characters', `https://app.example.com/${'a'.repeat(1_000)}`, 'too_big'],
  ])('may not be or have %s', (_what, text, code) => {
    expect(readCode(text)).toBe(code);
  });

  test('must be http or https unless custom schemes are allowed', () => {
    expect(readUri('acme://callback', { ownSchemes: false })).toMatchObject({ code: 'insecure_scheme' });
  });
});

describe('a presented redirect URI', () => {
  test('is looked up by its exact text, and by the wildcards that could match its host', () => {
    expect(listCandidates('https://a.example.com/cb')).toEqual({
      uris: ['https://a.example.com/cb'],
      wildcard: { label: 'a', group: 'https://*.example.com/cb' },
    });
    expect(listCandidates('https://example.com/cb')).toEqual({ uris: ['https://example.com/cb'] });
    expect(listCandidates('acme://callback')).toEqual({ uris: ['acme://callback'] });
    // No host name contains such a letter, although browsers convert it.
    expect(listCandidates('https://a$b.example.com/cb')).toEqual({ uris: ['https://a$b.example.com/cb'] });
  });

  test('is looked up without its port only for a loopback host', () => {
    expect(listCandidates('http://127.0.0.1:51004/cb').uris).toEqual([
      'http://127.0.0.1:51004/cb',
      'http://127.0.0.1/cb',
    ]);
    expect(listCandidates('http://localhost:51004/cb').uris).toContain('http://localhost/cb');
    for (const uri of ['https://example.com:51004/cb', 'https://localhost:51004/cb']) {
      expect(listCandidates(uri).uris).toEqual([uri]);
    }
  });

  test.each([
    'https://*.example.com/cb',
    'https://a.example.com/cb#',
    'https://a.example.com\\@evil.example/cb',
    'https://user@a.example.com/cb',
    'https://A.example.com/cb',
    'https://a.example.com:443/cb',
    'https://a.example.com/x/../cb',
    'javascript:alert(1)',
    'not a uri',
  ])('is not looked up if it could not be registered: %s', (text) => {
    expect(listCandidates(text)).toEqual({ uris: [] });
  });
});

describe('a wildcard redirect URI', () => {
  test.each([
    ['*', 'a', true],
    ['*', 'a-b', true],
    ['pre-*', 'pre-1', true],
    ['pre-*', 'pre-', false],
    ['pre-*', 'xpre-1', false],
    ['*-post', 'a-post', true],
    ['*-post', '-post', false],
    ['a-*-a', 'a-a', false],
    ['a-*-a', 'a--a', false],
    ['a-*-a', 'a-x-a', true],
  ])('%s and the label %s: %s', (registered, presented, expected) => {
    expect(admits(registered, presented)).toBe(expected);
  });

  test('does not match a dot, so a host one level deeper is not matched', () => {
    const read = readUri('https://*.example.com/cb');
    const deeper = listCandidates('https://a.b.example.com/cb');
    expect(isProblem(read) ? undefined : read.wildcard?.group).not.toBe(deeper.wildcard?.group);
  });
});
