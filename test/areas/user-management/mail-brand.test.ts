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
    brand: { name: null, logo_url: null, colour: null, support_email: null },
    locale: null,
    code_in_subject: false,
    texts: {},
  });
  const brand = { name: 'Acme & Söhne', logo_url: 'https://acme.example/logo.png', support_email: 'help@acme.example' };
  const { status, body } = await call('PUT', SETTINGS, { brand, locale: 'de' });
  expect([status, body]).toMatchObject([200, { brand: { ...brand, colour: null }, locale: 'de' }]);
  const mail = await mailTo('ada@example.com');
  expect(mail?.subject).toMatch(/Anmelde.*Acme & Söhne/);
  expect(mail?.html).toContain('https://acme.example/logo.png');
  expect(mail?.text).toContain('help@acme.example');
  await call('PUT', SETTINGS, {});
  expect((await mailTo('bob@example.com'))?.subject).toBe('Your sign-in code for Local');
});

test('mails have the brand of the pages, the environment’s own texts, and a code in the subject if it wants that', async () => {
  const light = { accent: '#008060', logo_url: 'https://nimbus.example/light.png' };
  const dark = { logo_url: 'https://nimbus.example/dark.png' };
  expect((await call('PUT', '/x/pages/settings', { brand_name: 'Nimbus', light, dark })).status).toBe(200);
  const texts = { en: { 'magic_auth.heading': 'Welcome to {brand}' } };
  expect((await call('PUT', SETTINGS, { code_in_subject: true, texts })).status).toBe(200);
  const mail = await mailTo('cy@example.com');
  expect(mail?.subject).toMatch(/^\d{6} is your code for Nimbus$/);
  expect(mail?.text).toMatch(/^Welcome to Nimbus\n/);
  for (const part of ['light.png', 'dark.png']) expect(mail?.html).toContain(part);
});

test.each([
  ['texts', { texts: { en: { 'no.such': 'x' } } }],
  ['texts', { texts: { en: { 'code.note': 'é'.repeat(501) } } }],
])('message settings reject invalid %s', async (_field, body) => {
  expect((await call('PUT', SETTINGS, body)).status).toBe(422);
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
