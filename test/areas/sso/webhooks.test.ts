import { beforeEach, expect, test } from '@jest/globals';

import { browser } from '../../support/browser.ts';
import { testPair } from '../../support/certificates.ts';
import { newWebhookConsumer } from '../../support/signed-webhooks.ts';
import { advance, call, idle, reset } from '../../support/service.ts';
import { post, registerApplication, requestIn, respondTo, returnTo, startUrl } from './identity-provider.ts';
import { organization, samlConnection, samlOptions } from './support.ts';

const DAY = 86_400;

beforeEach(() => reset({ calm: true }));

test('each event of connections is delivered with a valid signature', async () => {
  const consumer = await newWebhookConsumer([
    'connection.activated',
    'connection.deactivated',
    'connection.deleted',
    'connection.saml_certificate_renewal_required',
    'connection.saml_certificate_renewed',
  ]);
  const saml_options = samlOptions({ idp_signing_certs: [testPair('ends in 2', 2).cert] });
  const { id } = await samlConnection(await organization(), { saml_options });
  await advance(DAY);
  await idle();
  await advance(2 * DAY);
  await idle();
  const value = testPair('next').cert;
  expect((await call('POST', `/connections/${id}/saml_idp_signing_certs`, { value })).status).toBe(201);
  expect((await call('DELETE', `/connections/${id}`)).status).toBeLessThan(300);
  const delivered = await consumer.untilAll();
  expect(delivered.filter(({ event }) => event !== 'connection.saml_certificate_renewal_required').map(readId)).toEqual(
    expect.arrayContaining([id]),
  );
});

const readId = ({ data }: { data: Record<string, unknown> }): unknown =>
  data.id ?? (data.connection as { id?: string })?.id;

test('each event of sign-ins is delivered with a valid signature', async () => {
  const consumer = await newWebhookConsumer(
    ['started', 'succeeded', 'failed', 'timed_out'].map((name) => `authentication.sso_${name}`),
  );
  await registerApplication();
  const { id: connection } = await samlConnection(await organization());
  const begin = async (person = browser()) => {
    const { url } = await person.open(await startUrl('/sso/authorize', { connection }));
    return { person, request: requestIn(url) };
  };
  for (const issuer of [undefined, 'https://evil.example']) {
    const { person, request } = await begin();
    const response = await respondTo(request, 'ada@acme.example', issuer === undefined ? {} : { issuer });
    await returnTo(person, await post(request.acsUrl, response, request.relayState));
  }
  await begin();
  await advance(1_000);
  await idle();
  const delivered = await consumer.untilAll();
  for (const { data } of delivered) expect(JSON.stringify(data)).toContain(connection);
});
