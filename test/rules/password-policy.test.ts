import { describe, expect, jest, test } from '@jest/globals';

import { issuesOf, normalizePassword } from '../../functions/proofs/modules/credentials/password/rules.ts';
import { PasswordSettings } from '../../functions/proofs/modules/credentials/password/settings.ts';

const policy = PasswordSettings.parse({});
const findCodes = (password: string, email?: string): string[] =>
  issuesOf(password, policy, email).map(({ code }) => code);

describe('the policy on passwords', () => {
  test('accepts long passwords of any characters, spaces and scripts included', () => {
    const good = [
      'tangled violins at dawn',
      'Xk3#vv9!qLp2',
      'Пёстрый верблюд идёт',
      '夕暮れの海で猫が鳴いた',
      '🦊🌲🚲🎷🧩🪁🍋🧭🪴🛶',
      'x'.repeat(3) + 'korrelation' + 'y'.repeat(200),
    ];
    for (const password of good) expect([password, findCodes(password)]).toEqual([password, []]);
  });

  test('counts characters, not bytes or UTF-16 code units, and reports the minimum', () => {
    expect(findCodes('vX9#qLp2z')).toEqual(['password_too_short']);
    expect(findCodes('🦊🌲🚲🎷🧩')).toContain('password_too_short');
    expect(issuesOf('short', policy)[0]?.message).toContain('10');
  });

  test('rejects more than 256 characters', () => {
    expect(findCodes('violin tangle '.repeat(18))).toEqual([]);
    expect(findCodes('violin tangle '.repeat(19))).toEqual(['password_too_long']);
  });

  test('accepts 256 characters in any normalization form', () => {
    const composed = 'violin \u1f82t '.repeat(25);
    expect(findCodes(composed)).toEqual([]);
    expect(findCodes(composed.normalize('NFD'))).toEqual([]);
  });

  test('does not normalize text that is too long, since sorting combining marks takes quadratic time', () => {
    const normalize = jest.spyOn(String.prototype, 'normalize');
    try {
      expect(findCodes(`violin a${'\u0301\u0323'.repeat(500_000)}`)).toEqual(['password_too_long']);
      expect(normalize).not.toHaveBeenCalled();
    } finally {
      normalize.mockRestore();
    }
  });

  test('rejects common passwords, also with usual substitutions', () => {
    const common = [
      'password123',
      'Passw0rd2024!',
      'P@$$w0rd!!',
      '!!Qwertyuiop1',
      'iloveyou2023',
      '1234567890',
      '0987654321',
      'abcdefghijk',
      'asdfghjkl;1',
      '1q2w3e4r5t6y',
      'aaaaaaaaaaaa',
      'abcabcabcabc',
      '121212121212',
      'qwertyuiop123',
      'Welcome2024!',
      'administrator1',
    ];
    for (const password of common) expect([password, findCodes(password)]).toEqual([password, ['password_too_common']]);
  });

  test('rejects the local part of the email address, in any case, unless it is very short', () => {
    expect(findCodes('my-AdaLovelace-pw', 'adalovelace@example.com')).toEqual(['password_contains_email']);
    expect(findCodes('tangled adamant violin', 'ada@example.com')).toEqual([]);
  });

  test('requires kinds of characters only if an environment does', () => {
    const strict = PasswordSettings.parse({ min_classes: 3 });
    expect(issuesOf('tangled violins', strict).map(({ code }) => code)).toEqual(['password_too_uniform']);
    expect(issuesOf('Tangled violins', strict)).toEqual([]);
  });

  test('accepts any long password if an environment disables the other rules', () => {
    expect(issuesOf('password123', PasswordSettings.parse({ refuse_common: false }))).toEqual([]);
  });

  test('never repeats the password', () => {
    for (const { message } of issuesOf('adalovelace', policy, 'adalovelace@example.com')) {
      expect(message).not.toContain('lovelace');
    }
  });

  test('treats composed and decomposed characters as the same', () => {
    expect(normalizePassword('cafe\u0301 Ångström')).toBe(normalizePassword('café A\u030angstro\u0308m'));
  });
});
