import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeEach, expect, test } from '@jest/globals';

import { advance, call, idle, reset } from '../../support/service.ts';
import { testPair } from '../../support/certificates.ts';
import { eventsNamed, organization, rejected, samlConnection, samlOptions } from './support.ts';

beforeEach(() => reset());

interface Certificate {
  id: string;
  value: string;
  not_after: string;
}

const listed = async (path: string): Promise<Certificate[]> =>
  (await call<{ data: Certificate[] }>('GET', path)).body.data;

test('certificates of the identity provider are listed oldest first with expired ones, and the last one cannot be deleted', async () => {
  const { id } = await samlConnection(await organization());
  const path = `/connections/${id}/saml_idp_signing_certs`;
  const [first] = await listed(path);
  expect(first).toMatchObject({
    object: 'saml_idp_signing_certificate',
    id: expect.stringMatching(/^saml_x509_cert_/),
  });
  expect(await rejected('DELETE', `${path}/${first?.id ?? ''}`)).toEqual([400, 'cannot_delete_last_certificate']);
  const added = await call<Certificate>('POST', path, { value: testPair('second').cert });
  expect([added.status, (await call<Certificate>('POST', path, { value: testPair('second').cert })).body.id]).toEqual([
    201,
    added.body.id,
  ]);
  expect((await listed(path)).map((one) => one.id)).toEqual([first?.id, added.body.id]);
  expect(await rejected('POST', path, { value: 'x' })).toEqual([400, 'invalid_certificate']);
  expect(await rejected('POST', path, { value: testPair('old', -1).cert })).toEqual([400, 'certificate_expired']);
  expect((await call('DELETE', `${path}/${first?.id ?? ''}`)).status).toBe(204);
  expect(await rejected('DELETE', `${path}/${first?.id ?? ''}`)).toEqual([404, 'not_found']);
});

test('a connection without an unexpired certificate becomes active when one is added', async () => {
  const expired = samlOptions({ idp_signing_certs: [testPair('old', -1).cert] });
  const { id } = await samlConnection(await organization(), { saml_options: expired });
  await call('POST', `/connections/${id}/saml_idp_signing_certs`, { value: testPair().cert });
  expect((await call('GET', `/connections/${id}`)).body).toMatchObject({ state: 'active' });
  await idle();
  expect(await eventsNamed('connection.activated')).toHaveLength(1);
});

test('a connection has one signing key pair: generated with a certificate that openssl verifies, or imported', async () => {
  const { id } = await samlConnection(await organization());
  const path = `/connections/${id}/saml_sp_signing_cert`;
  expect(await rejected('GET', path)).toEqual([404, 'not_found']);
  const { status, body } = await call<Certificate>('POST', path);
  expect([status, body.id]).toEqual([201, expect.stringMatching(/^saml_party_trust_/)]);
  expect(Date.parse(body.not_after) - Date.now()).toBeGreaterThan(9.9 * 365 * 86_400_000);
  expect((await call('GET', path)).body).toEqual(body);
  expect(await rejected('POST', path)).toEqual([409, 'sp_signing_cert_already_exists']);
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-cert-'));
  try {
    const file = join(folder, 'cert.pem');
    writeFileSync(file, `${body.value}\n`);
    expect(execFileSync('openssl', ['verify', '-CAfile', file, file]).toString()).toContain('OK');
  } finally {
    rmSync(folder, { recursive: true });
  }
  expect((await call('DELETE', `${path}/${body.id}`)).status).toBe(204);
  const own = testPair('own');
  expect(await rejected('POST', path, { ...own, key: testPair('other').key })).toEqual([400, 'key_pair_not_accepted']);
  const brought = await call<Certificate>('POST', path, own);
  expect(brought.body.value).toBe(own.cert.trim());
});

test('a connection has at most five decryption key pairs, and only SAML connections have key pairs', async () => {
  const { id } = await samlConnection(await organization());
  const path = `/connections/${id}/saml_sp_encryption_certs`;
  const pair = testPair('encryption');
  for (let at = 0; at < 5; at += 1) expect((await call('POST', path, pair)).status).toBe(201);
  expect(await rejected('POST', path)).toEqual([409, 'too_many_sp_encryption_certs']);
  expect(await rejected('POST', path, { key: pair.key })).toEqual([409, 'too_many_sp_encryption_certs']);
  const all = await listed(path);
  expect(all).toHaveLength(5);
  expect((await call('DELETE', `${path}/${all[0]?.id ?? ''}`)).status).toBe(204);
  expect(await rejected('POST', path, { key: pair.key })).toEqual([400, 'key_pair_not_accepted']);
  await call('PUT', '/x/social/providers/GoogleOAuth', { client_id: 'us', client_secret: 'a-secret' });
  await idle();
  const social = await call<{ data: { id: string }[] }>('GET', '/connections?connection_type=GoogleOAuth');
  const google = `/connections/${social.body.data[0]?.id ?? ''}`;
  expect(await rejected('POST', `${google}/saml_sp_signing_cert`)).toEqual([400, 'connection_type_not_supported']);
  const draft = await call<{ id: string }>('POST', '/x/connections', {
    organization_id: await organization('b.example', 'B'),
  });
  for (const kind of ['saml_idp_signing_certs', 'saml_sp_encryption_certs', 'saml_sp_signing_cert']) {
    expect(await rejected('GET', `/connections/${draft.body.id}/${kind}`)).toEqual([400, 'connection_is_not_saml']);
    const body = kind === 'saml_idp_signing_certs' ? { value: pair.cert } : {};
    expect(await rejected('POST', `/connections/${draft.body.id}/${kind}`, body)).toEqual([
      400,
      'connection_is_not_saml',
    ]);
  }
  await advance(1);
});
