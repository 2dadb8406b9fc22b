import { randomBytes } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';

import { issueResponse } from '../../../functions/sign-in/sso/saml/issue.ts';
import { makeClientId } from '../../../functions/kernel/authentication/api-key.ts';
import { testPair } from '../../support/certificates.ts';
import type { Connection } from '../../support/connection.ts';
import { type CaseFile, each, type Expected, usingUp } from '../case.ts';
import { findEnvironment } from './environment.ts';

const REDIRECT_URI = 'https://app.example.com/callback';
const ISSUER = 'https://idp.acme.example/metadata';

/** A SAML connection of an organization with a verified domain, and the addresses of the service for it. */
interface Party {
  connectionId: string;
  acsUrl: string;
  audience: string;
}

async function newParty(connection: Connection): Promise<Party> {
  const organization = await connection.demand<{ id: string }>({
    method: 'POST',
    path: '/organizations',
    body: { name: 'Acme', domain_data: [{ domain: 'acme.example', state: 'verified' }] },
  });
  await connection.demand({ method: 'POST', path: '/user_management/redirect_uris', body: { uri: REDIRECT_URI } });
  const { id } = await connection.demand<{ id: string }>({
    method: 'POST',
    path: '/connections',
    body: {
      organization_id: organization.id,
      saml_options: {
        idp_entity_id: ISSUER,
        idp_sso_url: 'https://idp.acme.example/sso',
        idp_signing_certs: [testPair().cert],
      },
    },
  });
  const { saml_options: saml } = await connection.demand<{ saml_options: { acs_url: string; sp_entity_id: string } }>({
    method: 'GET',
    path: `/x/connections/${id}`,
  });
  return { connectionId: id, acsUrl: saml.acs_url, audience: saml.sp_entity_id };
}

const authorize = (connection: Connection, { connectionId }: Party): Expected => {
  const query = new URLSearchParams({
    client_id: makeClientId(findEnvironment(connection)),
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    connection: connectionId,
  });
  return { method: 'GET', path: `/sso/authorize?${query.toString()}`, key: null, status: 302 };
};

const readPath = (address: string): string => {
  const { pathname, search } = new URL(address);
  return pathname + search;
};

/** Sends a request that must redirect. @returns the address, and the cookies as a browser sends them */
async function redirect(connection: Connection, { status, ...sent }: Expected) {
  const response = await connection.send({ key: null, ...sent });
  const { location, 'set-cookie': cookies = [] } = response.headers;
  if (response.status !== status || typeof location !== 'string') {
    throw new Error(`${sent.path} responded ${response.status}: ${JSON.stringify(response.body)}`);
  }
  return {
    location,
    cookie: [cookies]
      .flat()
      .flatMap((one) => one.split(';', 1))
      .join('; '),
  };
}

/** A browser at the identity provider, with the response that it brings. */
interface Arrival {
  cookie: string;
  posted: Expected;
}

async function arrive(connection: Connection, party: Party, at: number, groups: number): Promise<Arrival> {
  const authorized = await redirect(connection, authorize(connection, party));
  const started = { method: 'GET', path: readPath(authorized.location), status: 302 };
  const { location, cookie } = await redirect(connection, started);
  const { searchParams } = new URL(location);
  const request = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
  const email = `user${at}@acme.example`;
  const xml = issueResponse({
    privateKey: testPair().key,
    issuer: ISSUER,
    acsUrl: party.acsUrl,
    audience: party.audience,
    requestId: / ID="([^"]+)"/.exec(request)?.[1] ?? '',
    nameId: email,
    attributes: {
      id: email,
      email,
      groups: Array.from({ length: groups }, (_, nth) => `00000000-0000-0000-0000-${String(nth).padStart(12, '0')}`),
    },
    now: Date.now(),
    responseId: `_${randomBytes(16).toString('hex')}`,
    assertionId: `_${randomBytes(16).toString('hex')}`,
  });
  const body = { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: searchParams.get('RelayState') ?? '' };
  return { cookie, posted: { method: 'POST', path: readPath(party.acsUrl), body, key: null, status: 303 } };
}

async function arrivals(connection: Connection, size: number, groups = 5): Promise<Arrival[]> {
  const party = await newParty(connection);
  return each(size, (at) => arrive(connection, party, at, groups));
}

/** Requests of browsers after the response of the provider was stored. */
async function returns(connection: Connection, size: number): Promise<Expected[]> {
  const found = await arrivals(connection, size);
  return each(size, async (at) => {
    const { cookie, posted } = found[at] as Arrival;
    const { location } = await redirect(connection, posted);
    return { method: 'GET', path: readPath(location), headers: { cookie }, key: null, status: 302 };
  });
}

const exchange = (connection: Connection, code: string): Expected => ({
  method: 'POST',
  path: '/sso/token',
  body: {
    client_id: makeClientId(findEnvironment(connection)),
    client_secret: connection.apiKey,
    grant_type: 'authorization_code',
    code,
  },
  key: null,
  status: 200,
});

async function codes(connection: Connection, size: number): Promise<string[]> {
  const found = await returns(connection, size);
  return each(size, async (at) => {
    const { location } = await redirect(connection, found[at] as Expected);
    return new URL(location).searchParams.get('code') ?? '';
  });
}

export const ssoCases: CaseFile = {
  area: 'sso',
  cases: [
    {
      // The round trips are: redirect URI, connection and environment in parallel; the sign-in.
      name: 'sso.authorize',
      kind: 'mutation',
      prepare: async (connection) => {
        const party = await newParty(connection);
        return () => authorize(connection, party);
      },
    },
    {
      // The round trips are: connection and sign-in in parallel; the use of the assertion; the transaction.
      name: 'sso.saml_acs (5 groups)',
      kind: 'mutation',
      roundTrips: 3,
      usesUp: true,
      prepare: async (connection, size) => usingUp(await arrivals(connection, size), ({ posted }) => posted),
    },
    {
      name: 'sso.saml_acs (150 groups)',
      kind: 'mutation',
      roundTrips: 3,
      usesUp: true,
      prepare: async (connection, size) => usingUp(await arrivals(connection, size, 150), ({ posted }) => posted),
    },
    {
      // The round trips are: the sign-in; flow, connection, organization and attempt in parallel; the profile of the person; the
      // transaction.
      name: 'sso.continue (profile)',
      kind: 'mutation',
      roundTrips: 4,
      usesUp: true,
      prepare: async (connection, size) => usingUp(await returns(connection, size), (one) => one),
    },
    {
      name: 'sso.token',
      kind: 'mutation',
      usesUp: true,
      prepare: async (connection, size) => usingUp(await codes(connection, size), (code) => exchange(connection, code)),
    },
    {
      name: 'sso.profile',
      kind: 'read',
      prepare: async (connection) => {
        const [code = ''] = await codes(connection, 1);
        const { status: _, ...sent } = exchange(connection, code);
        const { access_token: key } = await connection.demand<{ access_token: string }>(sent);
        return () => ({ method: 'GET', path: '/sso/profile', key, status: 200 });
      },
    },
  ],
};
