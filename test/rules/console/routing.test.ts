import { describe, expect, test } from '@jest/globals';

import { consolePage } from '../../../functions/faces/console/page/declare.ts';
import { initials, withoutDirectionMarks } from '../../../functions/faces/console/page/layout.ts';
import { findPage } from '../../../functions/faces/console/page/router.ts';
import { sdkLine } from '../../../functions/faces/console/page/sdk-lines.ts';
import { cursorBefore } from '../../../functions/faces/console/activity/event-lines.ts';
import { makeDateCursor } from '../../../functions/faces/console/view/list-page.ts';
import { html } from '../../../functions/kernel/pages/html.ts';

const page = (path: string) =>
  consolePage({ path, title: path, permission: undefined, calls: () => ({}), view: () => html`` });

const PAGES = [
  page(''),
  page('e/{environment}/users/{id}'),
  page('e/{environment}/users/new'),
  page('e/{environment}/{any}'),
];

describe('the router', () => {
  test('prefers literal segments to parameters', () => {
    expect(findPage(PAGES, 'e/env_1/users/new')?.page.path).toBe('e/{environment}/users/new');
    expect(findPage(PAGES, 'e/env_1/users/user_1')?.params).toEqual({ environment: 'env_1', id: 'user_1' });
  });

  test('finds the first page by the empty path', () => {
    expect(findPage(PAGES, '')?.page.path).toBe('');
  });

  test.each(['e/env_1', 'e/env_1/users/a/b', 'e/env_1/', 'e//users/x', 'e/env_1/%E0%A4%A', '/'])(
    'finds no page at %p',
    (path) => {
      expect(findPage(PAGES, path)).toBeUndefined();
    },
  );

  test('decodes a segment once', () => {
    expect(findPage(PAGES, 'e/env_1/users/a%2Fb')?.params.id).toBe('a/b');
    expect(findPage(PAGES, 'e/env_1/users/a%252Fb')?.params.id).toBe('a%2Fb');
  });
});

describe('cursors', () => {
  test('a date becomes the smallest id of the next day', () => {
    expect(makeDateCursor('user', '2026-03-03')).toBe('user_01KJV29W000000000000000000');
    expect(makeDateCursor('user', '2026-3-3')).toBeUndefined();
    expect(makeDateCursor('user', '2026-13-03')).toBeUndefined();
  });

  test('the cursor before an id is the greatest id below it', () => {
    expect(cursorBefore('event_01K0G000000000000000000001')).toBe('event_01K0G000000000000000000000');
    expect(cursorBefore('event_01K0G000000000000000000100')).toBe('event_01K0G0000000000000000000ZZ');
    expect(cursorBefore('x')).toBe('x');
  });
});

test('characters that change the direction of text are removed', () => {
  expect(withoutDirectionMarks('invoice\u202Efdp.exe \u2066a\u2069 \u200Fb')).toBe('invoicefdp.exe a b');
});

test.each([
  ['Ada Lovelace', 'AL'],
  ['ada@acme.example', 'A'],
  ['grace.hopper@navy.example', 'GH'],
  ['', '?'],
  ['<img src=x>', '<S'],
])('the initials of %p are %p', (name, expected) => {
  expect(initials(name)).toBe(expected);
});

describe('a line for the Node client', () => {
  test('has the id, and the members of the query in camel case', () => {
    expect(sdkLine({ operation: 'users.get', params: { id: 'user_1' }, query: {} })).toBe(
      "await workos.userManagement.getUser('user_1');",
    );
    const query = { organization_id: "o'1", limit: '20' };
    expect(sdkLine({ operation: 'users.list', params: {}, query })).toBe(
      "await workos.userManagement.listUsers({ organizationId: 'o\\'1', limit: 20 });",
    );
  });

  test('is left out for an operation that the client does not have', () => {
    expect(sdkLine({ operation: 'radar.get_rules', params: {}, query: {} })).toBeUndefined();
  });
});
