import { describe, expect, test } from '@jest/globals';

import { computeChallenge, exchangeFault, isChallenge } from '../../functions/kernel/authentication/code-exchange.ts';
import { computePace } from '../../functions/sign-in/authentication/device/rules.ts';
import { drawUserCode, readUserCode } from '../../functions/kernel/user-code.ts';
import { isOpen } from '../../functions/proofs/modules/sign-in-checks/proof/method.ts';
import { SignInSettings } from '../../functions/proofs/modules/email-proofs/sign-in-settings.ts';
import { readClientContext } from '../../functions/tenancy/modules/known-devices/device/client-context.ts';

const isSame = (one: string, other: string): boolean => one === other;

describe('the code_challenge', () => {
  test('matches the example in RFC 7636 appendix B', () => {
    const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
    expect(computeChallenge(verifier)).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
    expect(isChallenge('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')).toBe(true);
  });

  test.each(['', 'x'.repeat(42), 'x'.repeat(129), `${'x'.repeat(43)} `, `${'x'.repeat(42)}ü`, `${'x'.repeat(43)}=`])(
    'is not computed for the invalid verifier %j',
    (verifier) => {
      expect(computeChallenge(verifier)).toBeUndefined();
    },
  );
});

describe('the exchange of a code', () => {
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
  const bound = { codeChallenge: computeChallenge(verifier), redirectUri: 'https://app.example.com/' };
  const open = { redirectUri: 'https://app.example.com/' };

  test.each([
    [bound, { client: 'public', verifier, redirectUri: undefined }, undefined],
    [bound, { client: 'confidential', verifier, redirectUri: bound.redirectUri }, undefined],
    [bound, { client: 'confidential', verifier: undefined, redirectUri: undefined }, 'verifier_required'],
    [bound, { client: 'public', verifier: 'x'.repeat(43), redirectUri: undefined }, 'mismatch'],
    [bound, { client: 'public', verifier, redirectUri: 'https://app.example.com' }, 'mismatch'],
    [open, { client: 'confidential', verifier: undefined, redirectUri: undefined }, undefined],
    [open, { client: 'confidential', verifier, redirectUri: undefined }, 'challenge_missing'],
    [open, { client: 'public', verifier, redirectUri: undefined }, 'secret_required'],
    [open, { client: 'public', verifier: undefined, redirectUri: undefined }, 'secret_required'],
  ] as const)('must have the proofs that the code requires (case %#)', (code, presented, fault) => {
    expect(exchangeFault(code, presented, isSame)).toBe(fault);
  });
});

describe('the user code of a device', () => {
  test('has eight consonants with a dash, each equally likely', () => {
    const counts = new Map<string, number>();
    let drawn = 0;
    for (let at = 0; at < 500; at += 1) {
      const code = drawUserCode((below) => drawn++ % below);
      expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
      for (const letter of code.replace('-', '')) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
    expect([...counts.values()]).toEqual(Array.from({ length: 20 }, () => 200));
  });

  test.each([
    ['BCDF-GHJK', 'BCDF-GHJK'],
    [' bcdf ghjk ', 'BCDF-GHJK'],
    ['bcdfghjk', 'BCDF-GHJK'],
    ['BCDF-GHJ', undefined],
    ['BCDF-GHJKL', undefined],
    ['ABCD-EFGH', undefined],
    ['', undefined],
  ])('is accepted as typed: %j', (typed, read) => {
    expect(readUserCode(typed)).toBe(read);
  });
});

describe('the polling interval of a device', () => {
  test('is five seconds, five more after each early poll, and at most a minute', () => {
    expect(computePace({ interval: 5 }, 1_000)).toEqual({ isTooSoon: false, interval: 5 });
    expect(computePace({ polledAt: 1_000, interval: 5 }, 5_999)).toEqual({ isTooSoon: true, interval: 10 });
    expect(computePace({ polledAt: 1_000, interval: 5 }, 6_000)).toEqual({ isTooSoon: false, interval: 5 });
    expect(computePace({ polledAt: 1_000, interval: 60 }, 2_000)).toEqual({ isTooSoon: true, interval: 60 });
  });
});

describe('a sign-in method', () => {
  test.each([
    ['password', 'password'],
    ['magic_code', 'magic_auth'],
    ['oauth', 'social'],
  ] as const)('%s is disabled only by the setting %s', (method, name) => {
    const all = { password: true, magic_auth: true, social: true };
    const isOpenWith = (methods: Partial<typeof all>) =>
      isOpen(SignInSettings.parse({ methods: { ...all, ...methods } }), method);
    expect(isOpenWith({})).toBe(true);
    expect(isOpenWith({ [name]: false })).toBe(false);
    expect(
      isOpen(
        SignInSettings.parse({ methods: { password: false, magic_auth: false, social: false, [name]: true } }),
        method,
      ),
    ).toBe(true);
  });
});

describe('the client address of a sign-in', () => {
  const request = { sourceIp: '198.51.100.1', userAgent: 'an HTTP client' };
  const clientMembers = { ip_address: '203.0.113.7', user_agent: 'a browser', device_id: 'a device' };

  test('is the one that a back end forwards, and unknown if it forwards none', () => {
    expect(readClientContext('confidential', clientMembers, request)).toMatchObject({
      ipAddress: '203.0.113.7',
      userAgent: 'a browser',
      countedAddress: '203.0.113.7',
      deviceId: 'a device',
    });
    const { ipAddress, userAgent, countedAddress } = readClientContext('confidential', {}, request);
    expect({ ipAddress, userAgent, countedAddress }).toEqual({
      ipAddress: null,
      userAgent: null,
      countedAddress: undefined,
    });
  });

  test('is the request’s own for a public client, whatever its body says', () => {
    expect(readClientContext('public', clientMembers, request)).toMatchObject({
      ipAddress: '198.51.100.1',
      userAgent: 'an HTTP client',
      countedAddress: '198.51.100.1',
    });
  });
});
