import { describe, expect, test } from '@jest/globals';

import { applyPatch } from '../../functions/sign-in/directory-sync/scim/patch.ts';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';

const former = {
  userName: 'ada',
  active: true,
  title: 'Analyst',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [
    { value: 'ada@acme.example', type: 'work', primary: true },
    { value: 'ada@home.example', type: 'home' },
  ],
  [ENTERPRISE]: { department: 'Engines', manager: { value: 'm1', displayName: 'Bo' } },
};

const patched = (...Operations: object[]): Record<string, unknown> =>
  applyPatch('User', former, { Operations }).attributes;

/** Each row has the provider and its form, the operations, and the members that differ afterwards; undefined is removed. */
const DIALECTS: [string, object[], Record<string, unknown>][] = [
  ['RFC 7644: a path and a value', [{ op: 'replace', path: 'title', value: 'Countess' }], { title: 'Countess' }],
  ['RFC 7644: no path', [{ op: 'replace', value: { title: 'Countess' } }], { title: 'Countess' }],
  ['Entra ID: op in capitals', [{ op: 'Replace', path: 'title', value: 'Countess' }], { title: 'Countess' }],
  ['any case of attribute names', [{ op: 'add', path: 'TITLE', value: 'Countess' }], { title: 'Countess' }],
  [
    'Okta: a part of a complex attribute keeps the others',
    [{ op: 'replace', value: { name: { givenName: 'A' } } }],
    { name: { givenName: 'A', familyName: 'Lovelace' } },
  ],
  [
    'dotted keys',
    [{ op: 'replace', value: { 'name.givenName': 'A' } }],
    { name: { givenName: 'A', familyName: 'Lovelace' } },
  ],
  ['a URN of the core schema', [{ op: 'replace', path: `${USER}:title`, value: 'Countess' }], { title: 'Countess' }],
  [
    'Entra ID: a URN as the key',
    [{ op: 'add', value: { [`${ENTERPRISE}:department`]: 'Looms' } }],
    { [ENTERPRISE]: { department: 'Looms', manager: { value: 'm1', displayName: 'Bo' } } },
  ],
  [
    'Okta: an extension as an object',
    [{ op: 'replace', value: { [ENTERPRISE]: { costCenter: '7' } } }],
    { [ENTERPRISE]: { department: 'Engines', costCenter: '7', manager: { value: 'm1', displayName: 'Bo' } } },
  ],
  [
    'Entra ID: an element by a filter',
    [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'a@acme.example' }],
    { emails: [{ value: 'a@acme.example', type: 'work', primary: true }, former.emails[1]] },
  ],
  [
    'Entra ID: an element that the filter does not find',
    [{ op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '1' }],
    { phoneNumbers: [{ type: 'mobile', value: '1' }] },
  ],
  ['Entra ID: "False"', [{ op: 'Replace', path: 'active', value: 'False' }], { active: false }],
  ['"true" in a list', [{ op: 'replace', path: 'active', value: ['true'] }], { active: true }],
  ['Okta: active in an object', [{ op: 'replace', value: { active: false } }], { active: false }],
  [
    'Entra ID: a manager as a text',
    [{ op: 'Add', path: `${ENTERPRISE}:manager`, value: 'm2' }],
    { [ENTERPRISE]: { department: 'Engines', manager: { value: 'm2' } } },
  ],
  [
    'a manager as an object',
    [{ op: 'replace', path: `${ENTERPRISE}:manager`, value: { value: 'm2' } }],
    { [ENTERPRISE]: { department: 'Engines', manager: { value: 'm2', displayName: 'Bo' } } },
  ],
  [
    'Entra ID: a manager that is removed',
    [{ op: 'Remove', path: `${ENTERPRISE}:manager` }],
    { [ENTERPRISE]: { department: 'Engines' } },
  ],
  ['null removes', [{ op: 'replace', path: 'title', value: null }], { title: undefined }],
  ['"" removes', [{ op: 'replace', path: 'title', value: '' }], { title: undefined }],
  ['a removal by a filter', [{ op: 'remove', path: 'emails[type eq "home"]' }], { emails: [former.emails[0]] }],
  [
    'a removal by a list of values',
    [{ op: 'remove', path: 'emails', value: [{ value: 'ada@home.example' }] }],
    { emails: [former.emails[0]] },
  ],
  ['a removal of all', [{ op: 'remove', path: 'emails' }], { emails: undefined }],
  [
    'an addition of a primary element',
    [{ op: 'add', path: 'emails', value: [{ value: 'new@acme.example', type: 'other', primary: true }] }],
    {
      emails: [
        { ...former.emails[0], primary: false },
        { ...former.emails[1], primary: false },
        { value: 'new@acme.example', type: 'other', primary: true },
      ],
    },
  ],
  ['an unknown attribute', [{ op: 'add', path: 'shoeSize', value: 38 }], { shoeSize: 38 }],
  ['a password, which is not stored', [{ op: 'replace', path: 'password', value: 'x' }], {}],
  [
    'several operations, in their order',
    [
      { op: 'add', path: 'title', value: 'A' },
      { op: 'remove', path: 'title' },
    ],
    { title: undefined },
  ],
];

describe('a PATCH of a user', () => {
  test.each(DIALECTS)('%s', (_form, operations, differing) => {
    const expected = Object.entries({ ...former, ...differing }).filter(([, value]) => value !== undefined);
    expect(patched(...operations)).toEqual(Object.fromEntries(expected));
  });

  test('does not change the state that it is given', () => {
    const before = structuredClone(former);
    patched({ op: 'remove', path: 'emails' }, { op: 'replace', value: { 'name.givenName': 'A' } });
    expect(former).toEqual(before);
  });
});

describe('a PATCH of the members of a group', () => {
  const members = (...Operations: object[]) => {
    const { added, removed, isReplaced } = applyPatch('Group', { displayName: 'x' }, { Operations }).members;
    return { added: [...added], removed: [...removed], isReplaced };
  };

  test.each<[string, object[], object]>([
    ['Okta: added', [{ op: 'add', path: 'members', value: [{ value: 'a', display: 'A' }] }], { added: ['a'] }],
    [
      'Entra ID: added with a null $ref',
      [{ op: 'Add', path: 'members', value: [{ $ref: null, value: 'a' }] }],
      { added: ['a'] },
    ],
    ['added without a path', [{ op: 'add', value: { members: [{ value: 'a' }] } }], { added: ['a'] }],
    ['added as one object', [{ op: 'add', path: 'members', value: { value: 'a' } }], { added: ['a'] }],
    ['Okta: removed by a filter', [{ op: 'remove', path: 'members[value eq "a"]' }], { removed: ['a'] }],
    [
      'removed by a filter of several',
      [{ op: 'remove', path: 'members[value eq "a" or value eq "b"]' }],
      { removed: ['a', 'b'] },
    ],
    ['Entra ID: removed by a list', [{ op: 'Remove', path: 'members', value: [{ value: 'a' }] }], { removed: ['a'] }],
    ['all removed', [{ op: 'remove', path: 'members' }], { isReplaced: true }],
    ['replaced', [{ op: 'replace', path: 'members', value: [{ value: 'a' }] }], { added: ['a'], isReplaced: true }],
    [
      'added, then removed',
      [
        { op: 'add', path: 'members', value: [{ value: 'a' }] },
        { op: 'remove', path: 'members[value eq "a"]' },
      ],
      { removed: ['a'] },
    ],
  ])('%s', (_form, operations, expected) => {
    expect(members(...operations)).toEqual({ added: [], removed: [], isReplaced: false, ...expected });
  });
});
