import { describe, expect, test } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate, createPrivateKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { isExpired, isUsableKey, readCertificate } from '../../../functions/sign-in/sso/saml/certificate.ts';
import { makeSelfSigned } from '../../../functions/sign-in/sso/saml/self-signed.ts';
import { keyPair, NOW } from '../../support/saml/responses.ts';

const { privateKey, certificate } = keyPair('idp');
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe('a self-signed certificate', () => {
  const made = (name: string, now = NOW): string =>
    makeSelfSigned({ privateKey, name, serial: Buffer.from('ff'.repeat(16), 'hex'), now });

  test('belongs to its key, is signed by it, and lasts ten years', () => {
    const read = new X509Certificate(made('Zoë & Söhne'));
    expect(read.checkPrivateKey(createPrivateKey(privateKey))).toBe(true);
    expect(read.verify(read.publicKey)).toBe(true);
    expect(read.subject).toBe('CN=Zoë & Söhne');
    expect(read.issuer).toBe(read.subject);
    expect(read.ca).toBe(false);
    expect(Date.parse(read.validFrom)).toBe(NOW);
    expect(Date.parse(read.validTo)).toBe(Date.UTC(2036, 10, 22, 12));
    expect(read.serialNumber).toBe(`40${'FF'.repeat(16)}`);
  });

  test.each([Date.UTC(2039, 11, 31, 23, 59, 59), Date.UTC(2040, 0, 1), Date.UTC(2050, 0, 1), Date.UTC(2028, 1, 29)])(
    'encodes its times as their year requires (%d)',
    (now) => {
      const read = new X509Certificate(made('a', now));
      expect(Date.parse(read.validFrom)).toBe(now);
      expect(new Date(Date.parse(read.validTo)).getUTCFullYear()).toBe(new Date(now).getUTCFullYear() + 10);
    },
  );

  // Node's own reader above also uses OpenSSL, but the command also checks the chain.
  (hasOpenssl ? test : test.skip)('is accepted by `openssl verify` and shown by `openssl x509`', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-certificate-'));
    try {
      const file = join(folder, 'a.pem');
      writeFileSync(file, made('idp', Date.now()));
      const verified = execFileSync('openssl', ['verify', '-x509_strict', '-CAfile', file, '-partial_chain', file], {
        encoding: 'utf8',
      });
      expect(verified).toContain('OK');
      const presented = execFileSync('openssl', ['x509', '-in', file, '-noout', '-text'], { encoding: 'utf8' });
      expect(presented).toContain('sha256WithRSAEncryption');
      expect(presented).toContain('Public-Key: (2048 bit)');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('reading a certificate', () => {
  const base64 = certificate.replace(/-----[^-]+-----|\s/g, '');

  test.each([
    ['PEM', certificate],
    ['PEM with Windows lines and space around', `\r\n ${certificate.replaceAll('\n', '\r\n')} \n`],
    ['PEM with text before', `subject=CN = idp\n${certificate}`],
    ['base64 in one line', base64],
    ['base64 with lines, as metadata has it', `\n    ${base64.replace(/(.{76})/g, '$1\n    ')}\n`],
    ['PEM whose lines were joined', certificate.replaceAll('\n', ' ')],
  ])('accepts %s, and returns the same form for all', (_, text) => {
    expect(readCertificate(text)).toMatchObject({
      pem: certificate,
      base64,
      fingerprint: new X509Certificate(certificate).fingerprint256.replaceAll(':', '').toLowerCase(),
      notBefore: NOW - 86_400_000,
      subject: 'CN=idp',
      keyType: 'rsa',
      keyBits: 2048,
    });
  });

  test.each([
    ['an empty text', ''],
    ['a private key', privateKey],
    ['base64 that is no certificate', 'AAAA'],
    ['a cut certificate', base64.slice(0, 400)],
    ['a text', 'certificate'],
    ['emoji', '\u{1F512}'],
    ['64 KiB', 'A'.repeat(65_536)],
  ])('rejects %s', (_, text) => {
    expect(readCertificate(text)).toBeUndefined();
  });

  test('treats a certificate as expired from the second after its end', () => {
    const read = readCertificate(certificate);
    if (read === undefined) throw new Error('The certificate is not read.');
    expect(isExpired(read, read.notAfter)).toBe(false);
    expect(isExpired(read, read.notAfter + 1000)).toBe(true);
    expect(isUsableKey(read)).toBe(true);
    expect(isUsableKey({ ...read, keyType: 'ed25519' })).toBe(false);
  });
});
