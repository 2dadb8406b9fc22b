import { describe, expect, test } from '@jest/globals';

import {
  bitbucketProfile,
  readEmail,
  gitHubProfile,
  readPicture,
  withAppleName,
} from '../../../functions/sign-in/social/exchange/profile.ts';

const user = { id: 42, login: 'ada', name: 'Ada', email: 'public@example.com', avatar_url: 'https://a.example/p' };
const gitHub = (emails: unknown, account: Record<string, unknown> = user) =>
  gitHubProfile('https://github.com', account, emails);

describe('a GitHub account', () => {
  test('is identified by its number, not its login', () => {
    const emails = [{ email: 'ada@example.com', primary: true, verified: true }];
    expect(gitHub(emails)).toMatchObject({
      issuer: 'https://github.com',
      subject: '42',
      email: 'ada@example.com',
      isEmailProven: true,
      pictureUrl: 'https://a.example/p',
    });
    expect(gitHub(emails, { login: 'ada' })).toBeUndefined();
  });

  test.each<[string, unknown]>([
    ['whose primary address is unproven', [{ email: 'ada@example.com', primary: true, verified: false }]],
    ['whose proven address is not its primary one', [{ email: 'ada@example.com', primary: false, verified: true }]],
    ['whose list says so in another way', [{ email: 'ada@example.com', primary: true, verified: 'true' }]],
    ['whose proven address is none', [{ email: 'ada', primary: true, verified: true }]],
    ['whose list cannot be read', undefined],
    ['whose list is none', { email: 'ada@example.com', primary: true, verified: true }],
  ])('%s verifies no email', (_title, emails) => {
    expect(gitHub(emails)?.isEmailProven).toBe(false);
  });

  test('has a public email that is not verified', () => {
    expect(gitHub(undefined)).toMatchObject({ email: 'public@example.com', isEmailProven: false });
  });
});

test('a Bitbucket account verifies only its confirmed primary address', () => {
  const account = { uuid: '{a-uuid}', display_name: 'Ada', links: { avatar: { href: 'https://a.example/p' } } };
  const profile = (entry: object) => bitbucketProfile('https://bitbucket.org', account, { values: [entry] });
  const address = { email: 'ada@example.com', is_primary: true, is_confirmed: true };
  expect(profile(address)).toMatchObject({ subject: '{a-uuid}', email: 'ada@example.com', isEmailProven: true });
  expect(profile({ ...address, is_confirmed: false })?.isEmailProven).toBe(false);
  expect(profile({ ...address, is_primary: false })).toMatchObject({ email: undefined, isEmailProven: false });
  expect(bitbucketProfile('https://bitbucket.org', {}, undefined)).toBeUndefined();
});

test('unsigned user data with Apple’s code is used only for the name', () => {
  const profile = gitHub([{ email: 'ada@example.com', primary: true, verified: true }]);
  if (profile === undefined) throw new Error('no profile');
  const claims = { name: { firstName: 'Eve', lastName: { $ne: '' } }, email: 'victim@example.com', sub: '1' };
  expect(withAppleName(profile, JSON.stringify(claims))).toEqual({ ...profile, firstName: 'Eve' });
  for (const nonsense of [undefined, '', '{', 'null', '[]', '"x"', `"${'x'.repeat(5_000)}"`]) {
    expect(withAppleName(profile, nonsense)).toEqual(profile);
  }
});

test.each(['javascript:alert(1)', 'http://a.example/p', 'data:image/png;base64,AA', '//a.example', 7])(
  'a picture URL at %s is ignored',
  (address) => {
    expect(readPicture(address)).toBeUndefined();
  },
);

test('an email is trimmed, and rejected if it contains blanks', () => {
  expect(readEmail(' ada@example.com ')).toBe('ada@example.com');
  for (const none of ['ada @example.com', 'ada@exa\nmple.com', 'ada', '@', 'a@', '@b', null]) {
    expect(readEmail(none)).toBeUndefined();
  }
});
