import { cpSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { cached, install } from '../../clients/cache.ts';
import {
  ACS_URL,
  beginSignIn,
  ENTITY_ID,
  finishSignIn,
  ownKeys,
  responseIn,
  type SignIn,
} from '../service-provider.ts';
import type { Step, Suite } from '../suite.ts';

const folder = import.meta.dirname;
const FILES = ['package.json', 'package-lock.json'];

/** The parts of samlp that are called: handlers of Express. */
interface Samlp {
  auth: (options: Record<string, unknown>) => Handler;
  metadata: (options: Record<string, unknown>) => Handler;
}
type Handler = (request: object, response: object, next: (error?: Error) => void) => void;

/** Installs samlp by its own lock file. @throws {Skipped} without the package registry */
async function load(): Promise<Samlp> {
  const installed = await cached(
    'saml-samlp',
    FILES.map((name) => join(folder, name)),
    async (target) => {
      for (const name of FILES) cpSync(join(folder, name), join(target, name));
      await install(
        'npm',
        ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--cache', join(target, '.npm')],
        { cwd: target },
      );
    },
  );
  return createRequire(join(installed, 'package.json'))('samlp') as Samlp;
}

/** Calls a handler as Express would. */
function call(handler: Handler, address: string): Promise<string> {
  const { pathname, searchParams, host } = new URL(address);
  const query = Object.fromEntries(searchParams);
  const request = {
    method: 'GET',
    url: address,
    originalUrl: pathname,
    path: pathname,
    query,
    headers: { host },
    get: () => host,
    protocol: 'https',
    user: {},
  };
  return new Promise((resolve, reject) => {
    const response = {
      set: () => response,
      setHeader: () => response,
      type: () => response,
      contentType: () => response,
      send: (body: unknown) => resolve(String(body)),
      end: (body: unknown) => resolve(String(body)),
    };
    handler(request, response, (error) => reject(error ?? new Error('The handler passed the request on.')));
  });
}

const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';
const USER = {
  getClaims: () => ({ [`${CLAIMS}/emailaddress`]: 'ada@example.com', groups: ['engineers', 'owners'] }),
  getNameIdentifier: () => ({
    nameIdentifier: 'ada',
    nameIdentifierFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  }),
};

async function play(): Promise<readonly Step[]> {
  const samlp = await load();
  const { idp, sp } = ownKeys();
  const issuer = 'https://idp.example.com';
  const metadata = await call(
    samlp.metadata({ issuer, cert: idp.certificate, redirectEndpointPath: '/sso', postEndpointPath: '/sso' }),
    `${issuer}/metadata`,
  );
  const options = {
    issuer,
    cert: idp.certificate,
    key: idp.privateKey,
    signatureAlgorithm: 'rsa-sha256',
    digestAlgorithm: 'sha256',
    audience: ENTITY_ID,
    destination: ACS_URL,
    recipient: ACS_URL,
    getUserFromRequest: () => ({ id: 'ada' }),
    getPostURL: (_audience: string, _request: object, _options: object, done: (error: null, url: string) => void) =>
      done(null, ACS_URL),
    profileMapper: () => USER,
    plain_form: true,
    lifetimeInSeconds: 300,
    authnContextClassRef: 'urn:oasis:names:tc:SAML:2.0:ac:classes:Password',
    sessionIndex: '_session',
  };
  const respond = async (signIn: SignIn, more: Record<string, unknown>): Promise<readonly Step[]> => {
    const page = await call(samlp.auth({ ...options, ...more }), signIn.address);
    return finishSignIn(signIn, metadata, responseIn(page), sp, {
      email: 'ada@example.com',
      groups: ['engineers', 'owners'],
    });
  };
  const begin = (name: string, isEncrypted = false): SignIn => beginSignIn(name, sp, isEncrypted, `${issuer}/sso`);
  return [
    ...(await respond(begin('signed assertion'), {})),
    ...(await respond(begin('signed response'), { signResponse: true })),
    ...(await respond(begin('encrypted', true), {
      encryptionCert: sp.certificate,
      encryptionPublicKey: sp.certificate,
      encryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
      keyEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
      disallowEncryptionWithInsecureAlgorithm: false,
    })),
  ];
}

/** The identity provider of npm samlp, in this process. */
export const samlp: Suite = { name: 'samlp', title: 'npm samlp 8.0.0', play };
