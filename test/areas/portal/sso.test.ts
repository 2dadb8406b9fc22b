import { beforeEach, describe, expect, test } from '@jest/globals';

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { testPair } from '../../support/certificates.ts';
import { newOrganization } from '../../support/organizations.ts';
import { openPortal, readText } from '../../support/portal.ts';
import { call, reset } from '../../support/service.ts';

interface Connection {
  id: string;
  state: string;
  connection_type: string;
  saml_options: Record<string, unknown> & { idp_signing_certs: unknown[] };
  attribute_maps: { standard_attributes: Record<string, string | null> };
  settings: { group_roles: unknown[] };
}

const sso = { intent: 'sso' };
const base64 = (pem: string): string => pem.replaceAll(/-----[^-]+-----|\s/g, '');

const metadata = (name = 'idp'): string => `<?xml version="1.0"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.acme.example/${name}">
<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing">
<ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${base64(testPair(name).cert)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.acme.example/sso"/>
</md:IDPSSODescriptor></md:EntityDescriptor>`;

const readConnection = async (id: string): Promise<Connection> =>
  (await call<Connection>('GET', `/x/connections/${id}`)).body;

/** An administrator on the configuration page of a new connection. */
async function begin(provider = 'okta') {
  const organizationId = await newOrganization();
  const admin = await openPortal(organizationId, sso);
  const page = await admin.person.submit(admin.first, { provider }, `value="${provider}"`);
  const id = /sso\/(conn_[^/]+)\/configure/.exec(page.url)?.[1] ?? '';
  return { ...admin, page, id };
}

beforeEach(() => reset({ calm: true }));

describe('a connection in the portal', () => {
  test.each([
    ['okta', 'OktaSAML'],
    ['adfs', 'ADFSSAML'],
    ['simplesamlphp', 'SimpleSamlPhpSAML'],
    ['generic', 'GenericSAML'],
  ])("of %s is created as a draft, with the provider's steps and the service's values", async (provider, type) => {
    const { page, id } = await begin(provider);
    const draft = await readConnection(id);
    expect(draft).toMatchObject({ state: 'draft', connection_type: type });
    const value = provider === 'adfs' ? draft.saml_options.sp_metadata_url : draft.saml_options.acs_url;
    expect(page.text).toContain(String(value));
  });

  test('accepts a metadata file, uploaded or pasted', async () => {
    const { person, page, id } = await begin();
    const saved = await person.submit(page, { metadata: metadata() }, 'value="metadata"');
    expect(saved.url).toContain(`/sso/${id}/test`);
    expect(await readConnection(id)).toMatchObject({
      state: 'draft',
      saml_options: { idp_entity_id: 'https://idp.acme.example/idp', idp_sso_url: 'https://idp.acme.example/sso' },
    });
  });

  test('accepts a metadata URL, and gives the reason if the URL cannot be read', async () => {
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/good' ? 200 : 500).end(metadata());
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const { person, page, id } = await begin();
      const wrong = await person.submit(page, { metadata_url: `http://127.0.0.1:${port}/bad` }, 'value="metadata"');
      expect([wrong.status, readText(wrong)]).toEqual([400, expect.stringContaining('status 500')]);
      expect(wrong.text).toContain(`http://127.0.0.1:${port}/bad`);
      const saved = await person.submit(wrong, { metadata_url: `http://127.0.0.1:${port}/good` }, 'value="metadata"');
      expect(saved.status).toBe(200);
      expect((await readConnection(id)).saml_options.idp_metadata_url).toBe(`http://127.0.0.1:${port}/good`);
    } finally {
      server.close();
    }
  });

  test('accepts single values, and names an invalid certificate', async () => {
    const { person, page, id } = await begin('generic');
    const values = { idp_entity_id: 'https://idp.acme.example/x', idp_sso_url: 'https://idp.acme.example/sso' };
    const missing = await person.submit(page, values, 'value="metadata"');
    expect([missing.status, readText(missing)]).toEqual([400, expect.stringContaining('and a certificate')]);
    for (const certificate of ['not a certificate', testPair().key]) {
      const wrong = await person.submit(page, { ...values, certificate }, 'value="metadata"');
      expect([wrong.status, readText(wrong)]).toEqual([400, expect.stringContaining('not a PEM certificate')]);
    }
    expect((await readConnection(id)).saml_options).toMatchObject({ idp_entity_id: null, idp_signing_certs: [] });
    await person.submit(page, { ...values, certificate: testPair().cert }, 'value="metadata"');
    expect((await readConnection(id)).saml_options).toMatchObject(values);
  });

  test.each([
    ['nothing', {}],
    ['no XML', { metadata: 'hello 🔑' }],
    ['a DOCTYPE', { metadata: `<!DOCTYPE a [<!ENTITY b "c">]>${metadata()}` }],
    ['64 KiB', { metadata: 'x'.repeat(65_536) }],
    ['an address of the machine', { metadata_url: 'http://169.254.169.254/latest' }],
    ['no address', { metadata_url: '\uffff' }],
  ])('rejects %s as metadata and writes nothing', async (_what, sent) => {
    const { person, page, id } = await begin();
    const { status, text } = await person.submit(page, { metadata_url: '', ...sent }, 'value="metadata"');
    expect([status, text.includes('role="alert"')]).toEqual([400, true]);
    expect((await readConnection(id)).saml_options).toMatchObject({ idp_entity_id: null, idp_signing_certs: [] });
  });

  test('can have attribute names and roles for groups', async () => {
    await call('POST', '/authorization/roles', { slug: 'engineer', name: 'Engineer' });
    const { person, page, id, open } = await begin();
    await person.submit(page, { metadata: metadata() }, 'value="metadata"');
    const attributes = await open(`sso/${id}/attributes`);
    const named = { email: 'mailAddress', groups: 'teams' };
    expect(readText(await person.submit(attributes, named, 'name="first_name"'))).toContain('Your changes are saved.');
    expect((await readConnection(id)).attribute_maps.standard_attributes).toMatchObject(named);
    const roles = await open(`sso/${id}/roles`);
    expect(roles.text).toContain('<option value="engineer"');
    await person.submit(roles, { group_0: 'R&D "core"', role_0: 'engineer', group_1: '', role_1: '' }, 'value="roles"');
    expect((await readConnection(id)).settings.group_roles).toEqual([{ group: 'R&D "core"', role_slug: 'engineer' }]);
    expect((await open(`sso/${id}/roles`)).text).toContain('value="R&amp;D &quot;core&quot;"');
  });

  test('cannot be activated without a successful test', async () => {
    const { person, page, id, open } = await begin();
    await person.submit(page, { metadata: metadata() }, 'value="metadata"');
    const step = await open(`sso/${id}/test`);
    expect(readText(step)).toContain('after a test that has succeeded');
    const forced = await person.submit(step, { do: 'activate' }, 'value="test"');
    expect([forced.status, forced.text.includes('role="alert"')]).toEqual([400, true]);
    expect((await readConnection(id)).state).toBe('draft');
  });

  test('has keys of the service that sign requests and decrypt responses, which can be deleted', async () => {
    const { person, id, open } = await begin();
    const signed = await person.submit(await open(`sso/${id}/keys`), { do: 'sign' }, 'value="sign"');
    expect(signed.text).toContain('-----BEGIN CERTIFICATE-----');
    const both = await person.submit(signed, { do: 'encrypt' }, 'value="encrypt"');
    const { saml_options: options } = await readConnection(id);
    expect(options).toMatchObject({ sp_signing_cert: { id: expect.any(String) }, sp_encryption_certs: [{}] });
    const one = await person.submit(both, { do: 'delete' }, 'value="delete"');
    await person.submit(one, { do: 'stop_signing' }, 'value="stop_signing"');
    expect((await readConnection(id)).saml_options).toMatchObject({ sp_signing_cert: null, sp_encryption_certs: [] });
    const unknown = await person.submit(both, { do: 'delete', certificate_id: '..' }, 'value="delete"');
    expect(unknown.status).toBe(404);
    expect((await person.submit(both, { do: 'everything' }, 'value="delete"')).status).toBe(404);
  });

  test('can be deleted as a draft only', async () => {
    const { person, page, id, organizationId } = await begin();
    const listed = await person.submit(page, { do: 'delete' }, 'value="delete"');
    expect(readText(listed)).toContain('The draft is deleted.');
    expect(listed.text).not.toContain(id);
    const { body } = await call<Connection>('POST', '/connections', {
      organization_id: organizationId,
      saml_options: {
        idp_entity_id: 'https://idp.acme.example/x',
        idp_sso_url: 'https://idp.acme.example/sso',
        idp_signing_certs: [testPair().cert],
      },
    });
    const active = { ...page, text: page.text.replaceAll(id, body.id) };
    expect((await person.submit(active, { do: 'delete' }, 'value="delete"')).status).toBe(404);
    expect((await readConnection(body.id)).state).toBe('active');
  });

  test('of another organization, and steps that do not exist, are not found', async () => {
    const theirs = await newOrganization('Theirs');
    const { body } = await call<{ id: string }>('POST', '/x/connections', {
      organization_id: theirs,
      connection_type: 'OktaSAML',
    });
    const { person, page, id, open } = await begin();
    for (const step of ['configure', 'attributes', 'roles', 'keys', 'test']) {
      expect([step, (await open(`sso/${body.id}/${step}`)).status]).toEqual([step, 404]);
    }
    expect((await open(`sso/${id}/everything`)).status).toBe(404);
    for (const odd of ['..', '%2e%2e', 'conn_unknown', '🔑', 'x'.repeat(2_000)]) {
      expect([403, 404]).toContain((await open(`sso/${encodeURIComponent(odd)}/configure`)).status);
    }
    const stolen = { ...page, text: page.text.replaceAll(id, body.id) };
    expect((await person.submit(stolen, { do: 'delete' }, 'value="delete"')).status).toBe(404);
    expect((await person.submit(stolen, { metadata: metadata() }, 'value="metadata"')).status).toBe(404);
    expect((await readConnection(body.id)).saml_options).toMatchObject({ idp_entity_id: null });
  });
});

describe('the certificates of a connection', () => {
  test('are shown with their expiry, and can be added and deleted', async () => {
    const organizationId = await newOrganization();
    const { body } = await call<Connection>('POST', '/connections', {
      organization_id: organizationId,
      saml_options: {
        idp_entity_id: 'https://idp.acme.example/x',
        idp_sso_url: 'https://idp.acme.example/sso',
        idp_signing_certs: [testPair().cert],
      },
    });
    const { person, first, open } = await openPortal(organizationId, { intent: 'certificate_renewal' });
    expect(readText(first)).toContain('Valid until');
    const page = await open(`certificates/${body.id}`);
    const wrong = await person.submit(page, { value: 'x' }, 'value="add"');
    expect([wrong.status, readText(wrong)]).toEqual([400, expect.stringContaining('not a PEM certificate')]);
    const added = await person.submit(page, { value: testPair('next').cert }, 'value="add"');
    expect((await readConnection(body.id)).saml_options.idp_signing_certs).toHaveLength(2);
    const deleted = await person.submit(added, { do: 'delete' }, 'value="delete"');
    expect((await readConnection(body.id)).saml_options.idp_signing_certs).toHaveLength(1);
    await person.submit(deleted, { metadata: metadata('other') }, 'value="metadata"');
    expect((await readConnection(body.id)).saml_options.idp_entity_id).toBe('https://idp.acme.example/other');
  });
});
