import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Skipped } from '../../clients/cache.ts';
import type { KeyPair } from '../../support/saml/responses.ts';
import { debianPackages } from '../debian.ts';

const PACKAGES = [
  'simplesamlphp',
  'php8.2-cli',
  'php8.2-common',
  'php8.2-xml',
  'php8.2-mbstring',
  'libsodium23',
  'libargon2-1',
];
const EXTENSIONS = [
  'ctype',
  'tokenizer',
  'mbstring',
  'posix',
  'iconv',
  'fileinfo',
  'dom',
  'xml',
  'simplexml',
  'xmlreader',
  'xmlwriter',
];

/** A service provider as SimpleSAMLphp knows it. Certificates are DER in base64. */
export interface RegisteredParty {
  readonly entityId: string;
  readonly acsUrl: string;
  /** The certificate of the key that signs requests, which are verified. */
  readonly signing: string;
  /** The certificate for which assertions are encrypted; absent for assertions in clear. */
  readonly encryption?: string;
}

/** A running SimpleSAMLphp with one user, `ada`, whose password is `secret`. */
export interface IdentityProvider {
  readonly url: string;
  /** Registers the only service provider. */
  readonly register: (party: RegisteredParty) => void;
  /** Writes PHP as the metadata of service providers, as an administrator does who follows instructions. */
  readonly writeServiceProviders: (php: string) => void;
  readonly stop: () => void;
}

/** The name under which the identity provider issues its assertions. */
export const IDP_ENTITY_ID = 'https://idp.example.com/metadata';

const findPort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

/** Writes PHP for an array of texts. */
const writePhp = (values: Readonly<Record<string, string>>): string =>
  `[${Object.entries(values)
    .map(([name, value]) => `'${name}' => ${value}`)
    .join(', ')}]`;

const quote = (text: string): string => `'${text.replaceAll("'", "\\'")}'`;

function writeSettings(folder: string, url: string, idp: KeyPair): void {
  for (const name of ['cert', 'metadata', 'log', 'data', 'tmp', 'sessions']) mkdirSync(join(folder, name));
  const file = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  file('cert/idp.key', idp.privateKey);
  file('cert/idp.pem', idp.certificate);
  const paths = {
    certdir: 'cert',
    loggingdir: 'log',
    datadir: 'data',
    tempdir: 'tmp',
    'session.phpsession.savepath': 'sessions',
  };
  const config = writePhp({
    baseurlpath: quote(`${url}/simplesaml/`),
    ...Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, quote(join(folder, path) + '/')])),
    secretsalt: quote('counterpart'),
    'auth.adminpassword': quote('counterpart-admin'),
    'enable.saml20-idp': 'true',
    'module.enable': writePhp({ exampleauth: 'true', core: 'true', saml: 'true' }),
    'store.type': quote('phpsession'),
    'session.cookie.secure': 'false',
    'logging.handler': quote('file'),
    'metadata.sources': `[${writePhp({ type: quote('flatfile'), directory: quote(join(folder, 'metadata')) })}]`,
  });
  file('config.php', `<?php $config = ${config};`);
  const person =
    "'ada:secret' => ['uid' => ['ada'], 'mail' => ['ada@example.com'], 'groups' => ['engineers', 'owners']]";
  file('authsources.php', `<?php $config = ['people' => ['exampleauth:UserPass', ${person}]];`);
  const hosted = writePhp({
    host: quote('__DEFAULT__'),
    privatekey: quote('idp.key'),
    certificate: quote('idp.pem'),
    auth: quote('people'),
    'signature.algorithm': quote('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'),
  });
  file('metadata/saml20-idp-hosted.php', `<?php $metadata['${IDP_ENTITY_ID}'] = ${hosted};`);
}

/** Unpacks SimpleSAMLphp and PHP and runs them on a free port. @throws {Skipped} without Debian's packages */
export async function startSimpleSamlPhp(idp: KeyPair): Promise<IdentityProvider> {
  const unpacked = await debianPackages('saml-simplesamlphp', PACKAGES, import.meta.filename);
  const [extensions = ''] = readdirSync(join(unpacked, 'usr', 'lib', 'php')).filter((name) => /^\d+$/.test(name));
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-simplesamlphp-'));
  const url = `http://127.0.0.1:${await findPort()}`;
  writeSettings(folder, url, idp);
  const settings = [
    `extension_dir=${join(unpacked, 'usr', 'lib', 'php', extensions)}`,
    ...EXTENSIONS.map((name) => `extension=${name}`),
    'error_reporting=0',
  ];
  const args = [
    '-n',
    ...settings.flatMap((setting) => ['-d', setting]),
    '-S',
    url.slice('http://'.length),
    join(import.meta.dirname, 'router.php'),
  ];
  const child = spawn(join(unpacked, 'usr', 'bin', 'php8.2'), args, {
    stdio: 'ignore',
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(unpacked, 'usr', 'lib', 'x86_64-linux-gnu'),
      SIMPLESAMLPHP_CONFIG_DIR: folder,
      SIMPLESAMLPHP_FOLDER: join(unpacked, 'usr', 'share', 'simplesamlphp'),
    },
  });
  const stop = (): void => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  for (let tries = 0; tries < 100; tries += 1) {
    const response = await fetch(`${url}/none`).catch(() => undefined);
    if (response !== undefined) {
      const writeServiceProviders = (php: string): void =>
        writeFileSync(join(folder, 'metadata', 'saml20-sp-remote.php'), `<?php ${php}`);
      const register = ({ entityId, acsUrl, signing, encryption }: RegisteredParty): void => {
        const key = (use: 'signing' | 'encryption', certificate: string): string =>
          writePhp({
            type: quote('X509Certificate'),
            signing: String(use === 'signing'),
            encryption: String(use === 'encryption'),
            X509Certificate: quote(certificate),
          });
        const keys = [key('signing', signing), ...(encryption === undefined ? [] : [key('encryption', encryption)])];
        const remote = writePhp({
          AssertionConsumerService: quote(acsUrl),
          keys: `[${keys.join(', ')}]`,
          'validate.authnrequest': 'true',
          'assertion.encryption': String(encryption !== undefined),
          'simplesaml.nameidattribute': quote('uid'),
          NameIDFormat: quote('urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'),
        });
        writeServiceProviders(`$metadata['${entityId}'] = ${remote};`);
      };
      return { url: `${url}/simplesaml`, register, writeServiceProviders, stop };
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  stop();
  throw new Skipped('PHP does not start');
}
