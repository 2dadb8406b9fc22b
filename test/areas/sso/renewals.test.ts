import { beforeEach, expect, test } from '@jest/globals';

import { testPair } from '../../support/certificates.ts';
import { advance, call, idle, reset } from '../../support/service.ts';
import { eventsNamed, organization, samlConnection, samlOptions } from './support.ts';

beforeEach(() => reset({ calm: true }));

interface RenewalRequired {
  certificate: { certificate_type: string; is_expired: boolean };
  days_until_expiry: number;
}

const DAY = 86_400;

/** Lets days pass, one by one, with the schedules of each. */
async function pass(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    await advance(DAY);
    await idle();
  }
}

const requested = async (): Promise<RenewalRequired[]> =>
  (await eventsNamed('connection.saml_certificate_renewal_required')).map(
    ({ data }) => data as unknown as RenewalRequired,
  );

const ending = (inDays: number) => samlOptions({ idp_signing_certs: [testPair(`ends in ${inDays}`, inDays).cert] });

test('the renewal of a certificate is requested once at each threshold of days before its expiry, and its expiry deactivates the connection', async () => {
  const { id } = await samlConnection(await organization(), { saml_options: ending(16) });
  await pass(1);
  expect(await requested()).toMatchObject([
    { certificate: { certificate_type: 'ResponseSigning', is_expired: false } },
  ]);
  await pass(20);
  const all = await requested();
  expect(all.map(({ days_until_expiry: days }) => days)).toEqual([15, 14, 7, 1, 0]);
  expect(all.map(({ certificate }) => certificate.is_expired)).toEqual([false, false, false, false, true]);
  expect((await call('GET', `/x/connections/${id}`)).body).toMatchObject({ state: 'inactive', has_lapsed: true });
  expect(await eventsNamed('connection.deactivated')).toHaveLength(1);
  expect(await eventsNamed('connection.deleted')).toEqual([]);
});

test('a certificate that expires later counts as the renewal: it is reported once, and ends the renewal requests', async () => {
  const { id } = await samlConnection(await organization(), { saml_options: ending(10) });
  await pass(1);
  expect(await requested()).toHaveLength(1);
  const path = `/connections/${id}/saml_idp_signing_certs`;
  expect((await call('POST', path, { value: testPair('next', 2_000).cert })).status).toBe(201);
  expect((await call('POST', path, { value: testPair('another', 2_100).cert })).status).toBe(201);
  await pass(12);
  expect(await eventsNamed('connection.saml_certificate_renewed')).toHaveLength(1);
  expect(await requested()).toHaveLength(1);
  expect((await call('GET', `/x/connections/${id}`)).body).toMatchObject({ state: 'active' });
});

test('no renewal is requested for drafts and inactive connections', async () => {
  const { id } = await samlConnection(await organization(), { saml_options: ending(10) });
  await call('PATCH', `/x/connections/${id}`, { state: 'inactive' });
  await pass(3);
  expect(await requested()).toEqual([]);
});
