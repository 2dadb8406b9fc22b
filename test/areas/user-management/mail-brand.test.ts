import { beforeEach, expect, test } from '@jest/globals';

import { call, messages, reset } from '../../support/service.ts';

const SETTINGS = '/x/user-management/messages/settings';

beforeEach(async () => {
  await reset();
});

/** The newest mail to an address that has just requested a sign-in code. */
async function mailTo(email: string) {
  expect((await call('POST', '/user_management/magic_auth', { email })).status).toBe(201);
  return (await messages(email))[0];
}

test('mails have the brand and the language of their environment', async () => {
  expect((await call('GET', SETTINGS)).body).toEqual({
    brand: { name: null, logo_url: null, colour: '#1f4fd8', support_email: null },
    locale: null,
  });
  const brand = { name: 'Acme & Söhne', logo_url: 'https://acme.example/logo.png', support_email: 'help@acme.example' };
  const { status, body } = await call('PUT', SETTINGS, { brand, locale: 'de' });
  expect([status, body]).toEqual([200, { brand: { ...brand, colour: '#1f4fd8' }, locale: 'de' }]);
  const mail = await mailTo('ada@example.com');
  expect(mail?.subject).toMatch(/Anmelde.*Acme & Söhne/);
  expect(mail?.html).toContain('https://acme.example/logo.png');
  expect(mail?.text).toContain('help@acme.example');
  await call('PUT', SETTINGS, {});
  expect((await mailTo('bob@example.com'))?.subject).toBe('Your sign-in code for Local');
});

test.each([
  ['brand.name', { brand: { name: 'Acme\nBcc: x' } }],
  ['brand.logo_url', { brand: { logo_url: 'http://acme.example/logo.png' } }],
  ['brand.colour', { brand: { colour: 'red;}' } }],
  ['brand.support_email', { brand: { support_email: 'nobody' } }],
  ['locale', { locale: 'German' }],
])('message settings reject an invalid %s', async (field, body) => {
  expect(await call('PUT', SETTINGS, body)).toMatchObject({ status: 422, body: { errors: [{ field }] } });
});
