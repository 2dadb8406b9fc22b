import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { isChosenByPages, meetsDemand } from '../../functions/tenancy/modules/trust/authority/demand.ts';
import { coversAccount } from '../../functions/tenancy/modules/trust/authority/coverage.ts';
import { type Authority, readProofs } from '../../functions/tenancy/modules/trust/authority/proof.ts';
import {
  type Act,
  decide,
  may,
  type DenialReason,
  RULES,
} from '../../functions/tenancy/modules/trust/authority/rules.ts';

const person: Authority = [{ method: 'password', word: 'environment', at: 0 }];
const a: Authority = [{ method: 'sso', word: 'organization:A', at: 0 }];
const aWithFactor: Authority = [...a, { method: 'factor', word: 'organization:A', at: 0 }];
const aWithOwnFactor: Authority = [...a, { method: 'factor', word: 'environment', at: 0 }];
const operator: Authority = [{ method: 'impersonation', word: 'operator:o', at: 0 }];
const nothing: Authority = [];
const factorOnly: Authority = [{ method: 'factor', word: 'environment', at: 0 }];
const unknown: Authority = [{ method: 'unknown', word: 'environment', at: 0 }];

const entry = {
  act: 'enter',
  isMember: true,
  requiresSso: false,
  hasConnection: false,
  asksFactor: false,
  lacksFactor: false,
} as const;
const enter = (organizationId: string | undefined, more: Partial<Extract<Act, { act: 'enter' }>> = {}): Act => ({
  ...entry,
  organizationId,
  covering: [],
  ...more,
});
const change = (covering: string[] = []): Act => ({ act: 'change_account', covering });
const enroll = (isOperator: boolean, covering: string[] = []): Act => ({ act: 'enroll_factor', covering, isOperator });
const link = (more: Partial<Extract<Act, { act: 'link' }>> = {}): Act => ({
  act: 'link',
  organizationId: 'A',
  isLinked: false,
  isNew: false,
  isUnverified: false,
  hasOtherSubject: false,
  covering: [],
  isWeak: false,
  ...more,
});
const join = (more: Partial<Extract<Act, { act: 'join' }>> = {}): Act => ({
  act: 'join',
  organizationId: 'A',
  membership: 'none',
  isInvited: false,
  wasEnded: false,
  covering: [],
  ...more,
});
const govern = (membership: 'none' | 'pending' | 'active' | 'inactive', covering: string[] = []): Act => ({
  act: 'govern',
  organizationId: 'A',
  membership,
  covering,
});

const leave = (isCovered: boolean, isManaged: boolean): Act => ({
  act: 'leave',
  organizationId: 'A',
  isCovered,
  isManaged,
});

/** The acts that each authority may do, or what it has to prove instead. */
const CASES: readonly (readonly [summary: string, Authority, Act, 'allowed' | DenialReason])[] = [
  ['nothing enters nothing', nothing, enter('A'), 'authority_unknown'],
  ['a factor is no first proof', factorOnly, enter('A'), 'authority_unknown'],
  ['an unknown method proves nothing', unknown, enter('A'), 'authority_unknown'],
  ['a person enters an organization of theirs', person, enter('A'), 'allowed'],
  ['a person enters none', person, enter(undefined), 'allowed'],
  ['a person who is no member does not enter', person, enter('A', { isMember: false }), 'not_a_member'],
  ['an operator who is no member’s operator does not enter', operator, enter('A', { isMember: false }), 'not_a_member'],
  [
    'a person enters no organization that requires its connection',
    person,
    enter('A', { requiresSso: true }),
    'sso_required',
  ],
  ['A’s provider enters A, which requires it', a, enter('A', { requiresSso: true }), 'allowed'],
  ['A’s provider enters A, whatever factor is asked elsewhere', a, enter('A', { asksFactor: true }), 'allowed'],
  ['A’s provider does not enter V', a, enter('V'), 'authentication_method_not_allowed'],
  ['A’s provider does not enter V, which has a connection', a, enter('V', { hasConnection: true }), 'sso_required'],
  [
    'A’s provider does not enter V, which requires its own',
    a,
    enter('V', { requiresSso: true, covering: ['A'] }),
    'sso_required',
  ],
  ['A’s provider does not enter no organization', a, enter(undefined), 'authentication_method_not_allowed'],
  ['A’s provider enters V for an account that A covers', a, enter('V', { covering: ['A'] }), 'allowed'],
  [
    'another organization’s coverage is not A’s',
    a,
    enter('V', { covering: ['B'] }),
    'authentication_method_not_allowed',
  ],
  ['A’s factor counts for A alone', aWithFactor, enter('V', { covering: ['A'], asksFactor: true }), 'mfa_enrollment'],
  ['the own factor counts with A’s word', aWithOwnFactor, enter('V', { covering: ['A'], asksFactor: true }), 'allowed'],
  [
    'an own factor does not replace the own first proof',
    aWithOwnFactor,
    enter('V'),
    'authentication_method_not_allowed',
  ],
  ['a person’s factor was asked for at the sign-in', person, enter('V', { asksFactor: true }), 'allowed'],
  ['a renewal needs the factor that is required now', person, enter('V', { lacksFactor: true }), 'mfa_enrollment'],
  ['but not after A’s provider, for A', a, enter('A', { lacksFactor: true }), 'allowed'],
  [
    'an operator enters, without the single sign-on of the person',
    operator,
    enter('A', { requiresSso: true }),
    'allowed',
  ],
  ['an operator enters the named organization', operator, enter('A', { named: 'A' }), 'allowed'],
  ['an operator enters no other one', operator, enter('V', { named: 'A' }), 'not_named'],

  ['nothing changes no account', nothing, change(), 'authority_unknown'],
  ['a person changes the account', person, change(), 'allowed'],
  ['A changes an account that it covers', a, change(['A']), 'allowed'],
  ['A changes no other account', a, change(), 'own_sign_in_required'],
  ['A changes no account that V covers', a, change(['V']), 'own_sign_in_required'],
  ['A changes no account with the person’s factor', aWithOwnFactor, change(), 'own_sign_in_required'],
  ['an operator changes no account', operator, change(), 'impersonated'],

  ['nothing enrolls no factor', nothing, enroll(false), 'authority_unknown'],
  ['a person enrolls a factor', person, enroll(false), 'allowed'],
  ['A enrolls a factor of an account that it covers', a, enroll(false, ['A']), 'allowed'],
  ['A enrolls no other factor', a, enroll(false), 'own_sign_in_required'],
  ['no factor is enrolled in an operator’s sign-in', person, enroll(true), 'operator_link_required'],
  ['nor by the operators’ own provider', a, enroll(true, ['A']), 'operator_link_required'],

  ['a link that exists is used', a, link({ isLinked: true, hasOtherSubject: true }), 'allowed'],
  [
    'an address that is not verified links nothing',
    a,
    link({ isUnverified: true, covering: ['A'] }),
    'email_not_verified',
  ],
  ['a second subject links nothing', a, link({ hasOtherSubject: true, covering: ['A'] }), 'second_subject'],
  ['a new account is linked', a, link({ isNew: true }), 'allowed'],
  ['an account that A covers is linked', a, link({ covering: ['A'] }), 'allowed'],
  ['also beside a weak proof of the person', a, link({ covering: ['A'], isWeak: true }), 'allowed'],
  ['another account is not', a, link(), 'own_sign_in_required'],
  ['until its person has signed in too', [...a, ...person], link(), 'allowed'],
  ['with what the person has', [...a, ...person], link({ isWeak: true }), 'own_sign_in_required'],
  [
    'or the organization that covers it',
    [...a, { method: 'sso', word: 'organization:V', at: 0 }],
    link({ covering: ['V'] }),
    'allowed',
  ],
  [
    'but not by an organization that does not',
    [...a, { method: 'sso', word: 'organization:V', at: 0 }],
    link(),
    'own_sign_in_required',
  ],

  [
    'a deactivated member is not made active',
    a,
    join({ membership: 'inactive', isInvited: true, covering: ['A'] }),
    'membership_inactive',
  ],
  ['a member stays one', a, join({ membership: 'active' }), 'allowed'],
  ['an invited person joins', a, join({ isInvited: true, wasEnded: true }), 'allowed'],
  ['an ended membership is not made again', a, join({ wasEnded: true, covering: ['A'] }), 'membership_ended'],
  ['a covered person joins', a, join({ covering: ['A'] }), 'allowed'],
  ['a pending guest does not become active', a, join({ membership: 'pending' }), 'outside_organization'],
  ['a stranger does not join', a, join(), 'outside_organization'],

  ['a pending membership governs nothing', a, govern('pending', ['A']), 'not_covered'],
  ['no membership governs nothing', a, govern('none', ['A']), 'not_covered'],
  ['a covered account is governed', a, govern('active', ['A']), 'allowed'],
  ['a deactivated one too', a, govern('inactive', ['A']), 'allowed'],
  ['a guest’s account is not', a, govern('active'), 'not_covered'],

  ['a covered person does not leave the organization that manages them', person, leave(true, true), 'governed'],
  ['a covered person leaves an organization that does not', person, leave(true, false), 'allowed'],
  ['a guest leaves', person, leave(false, true), 'allowed'],

  ['nothing mints nothing', nothing, { act: 'mint', organizationId: 'A' }, 'authority_unknown'],
  ['the environment mints', person, { act: 'mint', organizationId: undefined }, 'allowed'],
  ['an operator mints', operator, { act: 'mint', organizationId: undefined }, 'allowed'],
  ['an organization mints for itself', a, { act: 'mint', organizationId: 'A' }, 'allowed'],
  ['and for no other', a, { act: 'mint', organizationId: 'V' }, 'not_covered'],
  ['nor for the environment', a, { act: 'mint', organizationId: undefined }, 'not_covered'],
];

const read = (verdict: ReturnType<typeof may>): string => (verdict.isAllowed ? 'allowed' : verdict.reason);

test.each(CASES)('%s', (_, authority, act, expected) => {
  expect(read(may(authority, act))).toBe(expected);
});

describe('each rule', () => {
  test.each(RULES.map(({ act, summary }, at) => [act, summary, at] as const))(
    'counts: %s, %s',
    (_act, _summary, at) => {
      const without = RULES.filter((_, other) => other !== at);
      const changed = CASES.filter(([, by, act, expected]) => read(decide(without, by, act)) !== expected);
      expect(changed.length).toBeGreaterThan(0);
    },
  );
});

describe('an organization covers an account', () => {
  const organization = {
    presented: {
      domains: [
        { domain: 'acme.example', state: 'verified' },
        { domain: 'new.example', state: 'pending' },
      ],
    },
  };
  test.each([
    ['at a verified domain', 'ada@acme.example', true, true],
    ['not while the address is not proved', 'ada@acme.example', false, false],
    ['not at a domain that is pending', 'ada@new.example', true, false],
    ['not at a subdomain', 'ada@sub.acme.example', true, false],
    ['not at another domain', 'ada@evil.example', true, false],
  ])('%s', (_, email, emailVerified, expected) => {
    expect(coversAccount(organization, { email, emailVerified })).toBe(expected);
  });
});

describe('a row from before the list of proofs', () => {
  test.each([
    [
      'of a connection is its organization’s word',
      { method: 'sso', ssoOrganizationId: 'A', at: 7 },
      [{ method: 'sso', word: 'organization:A', at: 7 }],
    ],
    ['of a connection without an organization proves nothing', { method: 'sso', at: 7 }, []],
    ['of an unknown method proves nothing', { method: 'unknown', at: 7 }, []],
    [
      'of a password is the person’s',
      { method: 'password', at: 7 },
      [{ method: 'password', word: 'environment', at: 7 }],
    ],
    [
      'with a factor has both',
      { method: 'oauth', at: 7, mfa: true },
      [
        { method: 'oauth', word: 'environment', at: 7 },
        { method: 'factor', word: 'environment', at: 7 },
      ],
    ],
    [
      'of an operator is the operator’s',
      { method: 'impersonation', operatorId: 'o', at: 7 },
      [{ method: 'impersonation', word: 'operator:o', at: 7 }],
    ],
  ])('%s', (_, row, expected) => {
    expect(readProofs(row)).toEqual(expected);
  });
});

const demand = { provider: 'hosted' };
const byPassword = { userId: 'u', method: 'password' };
const bySso = { userId: 'u', method: 'sso', connectionId: 'C' };
const bySocial = { userId: 'u', method: 'oauth', provider: 'GoogleOAuth' };

describe('a demand of the application', () => {
  test.each([
    ['leaves the method to the hosted pages', demand, byPassword, true],
    ['also a connection', demand, bySso, true],
    ['of a connection is met by it', { provider: 'sso', connectionId: 'C' }, bySso, true],
    ['of a connection is not met by another', { provider: 'sso', connectionId: 'D' }, bySso, false],
    ['of a connection is not met by a password', { provider: 'sso', connectionId: 'C' }, byPassword, false],
    ['of an organization’s connection is met by one', { provider: 'sso' }, bySso, true],
    ['of an organization’s connection is not met by a password', { provider: 'sso' }, byPassword, false],
    ['of a provider is met by it', { provider: 'GoogleOAuth' }, bySocial, true],
    ['of a provider is not met by another', { provider: 'SlackOAuth' }, bySocial, false],
    ['of a provider is not met by a password', { provider: 'GoogleOAuth' }, byPassword, false],
    [
      'with an account to link is met by its user',
      { provider: 'sso', connectionId: 'C', link: { userId: 'u' } },
      byPassword,
      true,
    ],
    ['with an account to link is met by no other', { provider: 'sso', link: { userId: 'v' } }, bySso, false],
    ['of a profile signs in no user', { provider: 'sso', isForProfile: true }, byPassword, true],
  ])('%s', (_, asked, made, expected) => {
    expect(meetsDemand(asked, made)).toBe(expected);
  });

  test.each([
    ['at the hosted pages', demand, true],
    ['of a connection', { provider: 'sso', connectionId: 'C' }, false],
    ['of a connection with an account to link', { provider: 'sso', link: { userId: 'u' } }, true],
    ['of a profile', { provider: 'hosted', isForProfile: true }, false],
  ])('%s is open to the choice of the pages or not', (_, asked, expected) => {
    expect(isChosenByPages(asked)).toBe(expected);
  });
});

test('the README has the rules as they are', () => {
  const file = fileURLToPath(new URL('../../functions/tenancy/modules/trust/README.md', import.meta.url));
  const text = readFileSync(file, 'utf8');
  const rows = RULES.map(({ act, summary, then }) => {
    const result = typeof then === 'function' ? '`sso_required` or `authentication_method_not_allowed`' : `\`${then}\``;
    return [`\`${act}\``, summary, result].join(' | ');
  });
  const printed = (/## Rules([\s\S]*?)## Doors/.exec(text)?.[1] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.replace(/^\| | +\|$/g, '').replace(/ +\| +/g, ' | '));
  expect(printed).toEqual(rows);
});
