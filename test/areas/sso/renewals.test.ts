import { beforeEach, expect, test } from '@jest/globals';

import { testPair } from '../../support/certificates.ts';
import { type ReceiverResponse, receiver } from '../../support/receiver.ts';
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

const readDays = ({ days_until_expiry: days }: RenewalRequired): number => days;

const requested = async (): Promise<RenewalRequired[]> =>
  (await eventsNamed('connection.saml_certificate_renewal_required')).map(
    ({ data }) => data as unknown as RenewalRequired,
  );

const ending = (inDays: number) => samlOptions({ idp_signing_certs: [testPair(`ends in ${inDays}`, inDays).cert] });

test('the renewal of a certificate is requested several times before its expiry, which deactivates the connection', async () => {
  const { id } = await samlConnection(await organization(), { saml_options: ending(92) });
  const seen: RenewalRequired[] = [];
  for (const [days, reported] of [
    [1, []],
    [1, [90]],
    [1, [90]],
    [29, [90, 60]],
    [1, [90, 60]],
    [29, [90, 60, 30]],
    [16, [90, 60, 30, 14]],
    [1, [90, 60, 30, 14]],
    [6, [90, 60, 30, 14, 7]],
    [6, [90, 60, 30, 14, 7, 1]],
    [1, [90, 60, 30, 14, 7, 1, 0]],
    [1, [90, 60, 30, 14, 7, 1, 0]],
  ] as const) {
    await advance(days * DAY);
    await idle();
    const found = await requested();
    expect(new Set(found.map(readDays)).size).toBe(found.length);
    // The list of events forgets the oldest in the meantime.
    seen.push(...found.filter((one) => !seen.some((known) => readDays(known) === readDays(one))));
    expect(seen.map(readDays)).toEqual(reported);
  }
  expect(new Set(seen.map(({ certificate }) => certificate.certificate_type))).toEqual(new Set(['ResponseSigning']));
  expect(seen.map(({ certificate }) => certificate.is_expired)).toEqual([...Array<boolean>(6).fill(false), true]);
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

test.each<[string, (id: string, metadata: string) => Promise<{ status: number }>]>([
  ['in a metadata file', (id, metadata) => call('PUT', `/x/connections/${id}/metadata`, { metadata })],
  [
    'at a new metadata URL',
    async (id, body) => {
      const server = await receiver('/metadata');
      server.respondWith({ body });
      return call('PATCH', `/connections/${id}`, { saml_options: { idp_metadata_url: server.url } });
    },
  ],
])('a new certificate %s counts as the renewal too, once', async (_, change) => {
  const { id } = await samlConnection(await organization(), { saml_options: ending(10) });
  await pass(1);
  expect(await requested()).toHaveLength(1);
  for (const pair of [testPair('next', 2_000), testPair('another', 2_100)]) {
    expect((await change(id, metadata({ pair }))).status).toBe(200);
  }
  await pass(12);
  const [renewed, ...more] = await eventsNamed('connection.saml_certificate_renewed');
  expect([renewed?.data, more]).toMatchObject([{ certificate: { certificate_type: 'ResponseSigning' } }, []]);
  expect(await requested()).toHaveLength(1);
});

test('no renewal is requested for drafts and inactive connections', async () => {
  const { id } = await samlConnection(await organization(), { saml_options: ending(10) });
  await call('PATCH', `/x/connections/${id}`, { state: 'inactive' });
  await pass(3);
  expect(await requested()).toEqual([]);
});

/** Metadata of an identity provider (SAML Metadata 2.0). */
const metadata = ({
  id = 'https://idp.acme.example/metadata',
  sso = 'https://idp.acme.example/sso',
  pair = testPair(),
  more = '',
} = {}) => {
  const certificate = pair.cert.replaceAll(/-----[^-]+-----|\s/g, '');
  return (
    `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${id}"${more}><IDPSSODescriptor ` +
    'protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor use="signing"><KeyInfo ' +
    `xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${certificate}</X509Certificate></X509Data></KeyInfo>` +
    '</KeyDescriptor><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" ' +
    `Location="${sso}"/></IDPSSODescriptor></EntityDescriptor>`
  );
};

const aggregate = (...entities: string[]): string =>
  `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">${entities.join('')}</EntitiesDescriptor>`;

test('metadata is fetched once a day with its ETag: a new certificate replaces the old one, and invalid metadata changes nothing', async () => {
  const server = await receiver('/metadata');
  server.respondWith({ body: metadata(), headers: { etag: '"one"' } });
  const { id } = await samlConnection(await organization(), { saml_options: { idp_metadata_url: server.url } });
  const show = async () => (await call<{ saml_options: object; state: string }>('GET', `/x/connections/${id}`)).body;
  const former = await show();
  expect(former).toMatchObject({ state: 'active', saml_options: { idp_sso_url: 'https://idp.acme.example/sso' } });
  /** Lets a day pass, in which the metadata is read once. */
  const nextDay = async (response: ReceiverResponse): Promise<string | undefined> => {
    server.clear();
    server.respondWith(response);
    await pass(1);
    const read = server.requests.filter(({ path }) => path === '/metadata');
    expect(read).toHaveLength(1);
    return read[0]?.headers['if-none-match'];
  };
  const next = testPair('next');
  const other = metadata({ id: 'https://evil.example/metadata', pair: next });
  const unusable: readonly (readonly [string, ReceiverResponse])[] = [
    ['unchanged', { status: 304 }],
    ['another entity id', { body: other }],
    ['an aggregate of other entities', { body: aggregate(other, metadata({ id: 'https://b.example', pair: next })) }],
    ['a document type definition', { body: `<!DOCTYPE x [<!ENTITY e "e">]>${metadata({ pair: next })}` }],
    ['a sign-in address with another scheme', { body: metadata({ sso: 'javascript:alert(1)', pair: next }) }],
    ['a sign-in address in a private network', { body: metadata({ sso: 'https://10.0.0.1/sso', pair: next }) }],
    ['a past validUntil', { body: metadata({ pair: next, more: ' validUntil="2020-01-01T00:00:00Z"' }) }],
    ['a redirect to plain http', { status: 302, headers: { location: 'http://idp.acme.example/metadata' } }],
    ['a redirect into a private network', { status: 302, headers: { location: 'https://169.254.169.254/' } }],
    ['an error of the server', { status: 500, body: metadata({ pair: next }) }],
    ['no metadata', { body: '<html></html>' }],
    ['more than 1 MiB', { body: metadata({ pair: next }) + ' '.repeat(1_048_577) }],
  ];
  for (const [name, response] of unusable) {
    const headers = { ...response.headers, etag: '"other"' };
    expect([name, await nextDay({ ...response, headers })]).toEqual([name, '"one"']);
    expect([name, await show()]).toEqual([name, former]);
  }
  const renewed = { body: aggregate(other, metadata({ pair: next })), headers: { etag: '"two"' } };
  expect(await nextDay(renewed)).toBe('"one"');
  const certificates = await call<{ data: { value: string }[] }>('GET', `/connections/${id}/saml_idp_signing_certs`);
  expect(certificates.body.data.map(({ value }) => value.trim())).toEqual([next.cert.trim()]);
  expect(await nextDay({ status: 304 })).toBe('"two"');
  expect(await eventsNamed('connection.deactivated')).toEqual([]);
});

test('a metadata file replaces the identity provider of a SAML connection, and its metadata URL is no longer read', async () => {
  const server = await receiver('/metadata');
  server.respondWith({ body: metadata() });
  const { id } = await samlConnection(await organization(), { saml_options: { idp_metadata_url: server.url } });
  const path = `/x/connections/${id}/metadata`;
  const other = { id: 'https://other.example/metadata', sso: 'https://other.example/sso', pair: testPair('next') };
  const { status, body } = await call<{ saml_options: object }>('PUT', path, { metadata: metadata(other) });
  const replaced = { idp_entity_id: other.id, idp_sso_url: other.sso };
  expect([status, body]).toMatchObject([200, { state: 'active', saml_options: replaced }]);
  expect((await call('PUT', path, { metadata: '<html></html>' })).status).toBe(422);
  server.clear();
  await pass(1);
  expect(server.requests).toEqual([]);
  expect((await call('GET', `/x/connections/${id}`)).body).toMatchObject({ saml_options: replaced });
});
