import { randomBytes } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';

import { issueError, issueResponse, type IssuedResponse } from '../../../functions/sign-in/sso/saml/issue.ts';
import type { Pair } from './pair.ts';
import { type IdpPage, postPage, signInPage, type Tile, tilesPage } from './page.ts';

/** The parts of the local service that the test identity provider uses. */
export interface IdpHost {
  /** The address of the local service, without a path. */
  url: string;
  pair: () => Pair;
  /** Milliseconds of the local clock. */
  now: () => number;
  /** Connections of the type TestIdp. */
  tiles: () => Promise<Tile[]>;
}

/** A response of the identity provider. */
export type IdpResponse = { status: number; body: unknown } | ({ status: number } & IdpPage);

const LARGEST_REQUEST = 65_536;
const AUTHN_FAILED = 'urn:oasis:names:tc:SAML:2.0:status:AuthnFailed';
const newId = (): string => `_${randomBytes(16).toString('hex')}`;

/** The values of an AuthnRequest (HTTP-Redirect binding), which the service itself has written. */
export interface Request {
  id: string;
  acsUrl: string;
  audience: string;
}

/** Reads a request of the service; undefined for anything else. */
export function readRequest(samlRequest: string): Request | undefined {
  let xml: string;
  try {
    const bytes = Buffer.from(samlRequest, 'base64');
    xml = inflateRawSync(bytes, { maxOutputLength: LARGEST_REQUEST }).toString();
  } catch {
    return undefined;
  }
  const read = (pattern: RegExp): string => pattern.exec(xml)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const id = read(/<samlp:AuthnRequest [^>]*\bID="([^"]+)"/);
  const acsUrl = read(/\bAssertionConsumerServiceURL="([^"]+)"/);
  return id === '' || !URL.canParse(acsUrl) ? undefined : { id, acsUrl, audience: read(/<saml:Issuer>([^<]+)</) };
}

/** The options of a connection to this identity provider, in the form of POST /connections. */
const connectionOptions = ({ url, pair }: Pick<IdpHost, 'url' | 'pair'>) => ({
  idp_entity_id: `${url}/_local/idp`,
  idp_sso_url: `${url}/_local/idp/sso`,
  idp_signing_certs: [pair().certificate],
});

/**
 * The responses of the four scenarios: a sign-in that the application started, one that the provider started, a sign-in of a
 * guest, and an error.
 */
function respond(host: IdpHost, form: URLSearchParams): IdpResponse {
  const read = (name: string): string => form.get(name) ?? '';
  const { privateKey, certificate } = host.pair();
  const acsUrl = read('acs');
  if (!URL.canParse(acsUrl)) return { status: 400, body: { code: 'invalid_request', message: 'acs is no URL.' } };
  const isGuest = read('scenario') === 'guest';
  const email = isGuest ? read('guest') : read('email');
  const groups = read('groups')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const values: IssuedResponse = {
    privateKey,
    certificate,
    issuer: `${host.url}/_local/idp`,
    acsUrl,
    audience: read('audience'),
    ...(read('request') === '' ? {} : { requestId: read('request') }),
    nameId: email,
    attributes: { id: `test|${email}`, email, firstName: read('first_name'), lastName: read('last_name'), groups },
    now: host.now(),
    responseId: newId(),
    assertionId: newId(),
  };
  const isError = read('scenario') === 'error';
  const xml = isError ? issueError(values, AUTHN_FAILED, 'The test asked for an error.') : issueResponse(values);
  const fields = { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: read('relay_state') };
  return { status: 200, ...postPage(newNonce(), acsUrl, fields) };
}

const newNonce = (): string => randomBytes(16).toString('base64');

const GUEST = 'guest@elsewhere.example';

async function signIn(host: IdpHost, query: URLSearchParams): Promise<IdpResponse> {
  const request = readRequest(query.get('SAMLRequest') ?? '');
  if (request === undefined) {
    return {
      status: 400,
      body: { code: 'invalid_request', message: 'SAMLRequest is no AuthnRequest of this service.' },
    };
  }
  const tile = (await host.tiles()).find(({ acsUrl }) => acsUrl === request.acsUrl);
  const fields = {
    request: request.id,
    acs: request.acsUrl,
    audience: request.audience,
    relay_state: query.get('RelayState') ?? '',
    guest: GUEST,
  };
  const email = query.get('login_hint') ?? `grace@${tile?.domain || 'example.com'}`;
  return { status: 200, ...signInPage(newNonce(), fields, { email, guest: GUEST }) };
}

function begin(query: URLSearchParams): IdpResponse {
  const fields = { acs: query.get('acs') ?? '', audience: query.get('audience') ?? '', relay_state: '', guest: GUEST };
  const email = `grace@${query.get('domain') || 'example.com'}`;
  return { status: 200, ...signInPage(newNonce(), fields, { email, guest: GUEST }) };
}

/** Handles a request below `/_local/idp`; undefined for an unknown path. */
export async function respondAsProvider(
  host: IdpHost,
  { method, path, query, body }: { method: string; path: string; query: URLSearchParams; body: string },
): Promise<IdpResponse | undefined> {
  switch (`${method} ${path}`) {
    case 'GET idp':
      return { status: 200, ...tilesPage(newNonce(), await host.tiles(), '/_local/idp/options') };
    case 'GET idp/options':
      return { status: 200, body: connectionOptions(host) };
    case 'GET idp/sso':
      return signIn(host, query);
    case 'GET idp/tile':
      return begin(query);
    case 'POST idp/respond':
      return respond(host, new URLSearchParams(body));
    default:
      return undefined;
  }
}
