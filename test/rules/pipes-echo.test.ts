import { describe, expect, test } from '@jest/globals';

import { listSecrets, withoutSecrets } from '../../functions/connections/pipes/oauth/echo.ts';

const SECRET = 'a secret/with+signs&"quotes" of 40 letters';

describe('an error text of a provider', () => {
  test.each([
    ['in plain', SECRET],
    ['as part of an address', encodeURIComponent(SECRET)],
    ['with lower-case escapes', encodeURIComponent(SECRET).replace(/%../g, (each) => each.toLowerCase())],
    ['as a form', new URLSearchParams({ s: SECRET }).toString().slice(2)],
    ['encoded twice', encodeURIComponent(encodeURIComponent(SECRET))],
    ['as JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['as HTML', SECRET.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
    ['in Base64', Buffer.from(SECRET).toString('base64')],
    ['in capitals', SECRET.toUpperCase()],
    ['cut at its end', SECRET.slice(0, 12)],
    ['cut at its start', SECRET.slice(-12)],
  ])('is stored without a secret %s', (_form, form) => {
    expect(withoutSecrets(`it said <${form}> and more`, [SECRET])).toMatch(/^it said <\[removed\]=*> and more$/);
  });

  test('is stored without a secret of three characters, but with all other text', () => {
    expect(withoutSecrets('key abc, abx', ['abc'])).toBe('key [removed], abx');
    expect(withoutSecrets('nothing of it', [SECRET, ''])).toBe('nothing of it');
  });

  test('is handled correctly if lower case changes its length', () => {
    expect(withoutSecrets('İ secret-of-mine', ['secret-of-mine'])).toBe('İ [removed]');
  });

  test('is stored without any value of the request except public parameters', () => {
    const password = encodeURIComponent(SECRET);
    const basic = Buffer.from(`client:${password}`).toString('base64');
    const parameters = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'client',
      code: 'c',
      more: 'm',
    });
    expect(listSecrets(new Headers({ authorization: `Basic ${basic}` }), parameters)).toEqual([
      'c',
      'm',
      basic,
      password,
      SECRET,
    ]);
  });
});
