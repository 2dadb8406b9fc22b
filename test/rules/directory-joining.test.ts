import { describe, expect, test } from '@jest/globals';

import {
  coversByDirectory,
  decideJoining,
  mayGovernAccount,
  type MembershipState,
} from '../../functions/sign-in/directory-sync/member/rules.ts';

const STATES: readonly MembershipState[] = ['none', 'pending', 'active', 'left', 'deactivated', 'removed'];

/** The outcome for each state, in the order of {@link STATES}. */
const TABLE = [
  ['off', true, 'unchanged unchanged unchanged unchanged unchanged unchanged'],
  ['off', false, 'unchanged unchanged unchanged unchanged unchanged unchanged'],
  ['domain', true, 'active active active active unchanged unchanged'],
  ['domain', false, 'unchanged unchanged unchanged unchanged unchanged unchanged'],
  ['all', true, 'active active active active unchanged invited'],
  ['all', false, 'invited invited active invited unchanged invited'],
] as const;

test.each(TABLE)(
  'a directory that provisions %s, for an account that its organization covers (%s): %s',
  (provisioning, isCovered, row) => {
    const outcomes = STATES.map((state) =>
      decideJoining({ organizationId: 'org_a', provisioning, isCovered, state, at: 0 }),
    );
    expect(outcomes.join(' ')).toBe(row);
  },
);

const domain = (name: string, state: string) => ({ id: 'org_a', presented: { domains: [{ domain: name, state }] } });
const acme = domain('acme.example', 'verified');

describe('the address of an account', () => {
  test.each<[string, boolean, string, boolean]>([
    ['ada@acme.example', true, 'ada@acme.example', true],
    ['ada@acme.example', true, 'other@evil.example', true],
    ['ada@acme.example', false, 'ada@acme.example', true],
    ['ada@acme.example', false, 'eve@acme.example', false],
    ['ada@private.example', true, 'ada@acme.example', false],
    ['ada@private.example', false, 'ada@private.example', false],
    ['ada@sub.acme.example', true, 'ada@acme.example', false],
  ])('%s (proved: %s), for which the directory sends %s: covered %s', (email, emailVerified, sent, isCovered) => {
    expect(coversByDirectory(acme, { email, emailVerified }, sent)).toBe(isCovered);
  });

  test('is covered by no domain that is not verified', () => {
    const account = { email: 'ada@acme.example', emailVerified: true };
    for (const state of ['pending', 'failed']) {
      expect(coversByDirectory(domain('acme.example', state), account, account.email)).toBe(false);
    }
  });
});

test.each<['pending' | 'active' | 'inactive' | undefined, boolean, boolean]>([
  ['active', true, true],
  ['active', false, false],
  ['inactive', false, false],
  ['pending', true, false],
  [undefined, true, false],
])('an account with the membership %s, covered: %s, is renamed by the directory: %s', (membership, isCovered, may) => {
  const account = { email: isCovered ? 'ada@acme.example' : 'ada@private.example', emailVerified: true };
  expect(mayGovernAccount(acme, account, membership, 0)).toBe(may);
});
