import { describe, expect, test } from '@jest/globals';

import {
  findForeignMember,
  mergeOperations,
  pickMembers,
} from '../../functions/kernel/authentication/granted-fields.ts';

const PATHS = ['name', 'saml.url', 'list.id'];

describe('findForeignMember', () => {
  test.each<[string, unknown, string | undefined]>([
    ['an allowed member', { name: 'x' }, undefined],
    ['everything below an allowed member', { name: { deep: [1] } }, undefined],
    ['another member', { name: 'x', state: 'active' }, 'state'],
    ['a member below', { saml: { url: 'x' } }, undefined],
    ['another member below', { saml: { url: 'x', secret: 'y' } }, 'saml.secret'],
    ['a text in place of an object', { saml: 'x' }, 'saml'],
    ['null in place of an object', { saml: null }, 'saml'],
    ['members of a list', { list: [{ id: 1 }, { id: 2 }] }, undefined],
    ['another member in a list', { list: [{ id: 1 }, { url: 2 }] }, 'list.url'],
    ['a name that only begins like an allowed one', { saml_options: {} }, 'saml_options'],
    ['an own member with a name of the prototype', JSON.parse('{"__proto__": {}}'), '__proto__'],
    ['no object', 'x', undefined],
  ])('with %s', (_, body, expected) => expect(findForeignMember(body, PATHS)).toBe(expected));
});

describe('pickMembers', () => {
  test.each<[string, unknown, unknown]>([
    ['keeps allowed members', { name: 'x', metadata: {} }, { name: 'x' }],
    ['keeps members below', { saml: { url: 'x', secret: 'y' } }, { saml: { url: 'x' } }],
    ['keeps null in place of an object', { saml: null }, { saml: null }],
    ['drops a text in place of an object', { saml: 'secret' }, { saml: undefined }],
    ['goes through lists', { list: [{ id: 1, url: 2 }] }, { list: [{ id: 1 }] }],
    ['drops all of a text', 'secret', undefined],
  ])('%s', (_, value, expected) => expect(pickMembers(value, PATHS)).toEqual(expected));

  test('without paths keeps nothing', () => expect(pickMembers({ name: 'x' }, [])).toEqual({}));
});

test('mergeOperations allows what one of its parts allows', () => {
  const parts = [{ a: { body: ['x'] }, b: {} }, { a: { body: ['y'], response: ['z'] } }];
  expect(mergeOperations(parts)).toEqual({
    a: { body: ['x', 'y'], response: ['z'] },
    b: { body: [], response: [] },
  });
});
