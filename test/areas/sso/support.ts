import { expect } from '@jest/globals';

import { call, idle } from '../../support/service.ts';
import { testPair } from '../../support/certificates.ts';

/** A connection in a response of the contract. */
export interface Connection {
  id: string;
  organization_id: string;
  connection_type: string;
  name: string;
  state: string;
  status: string;
  domains: { id: string; domain: string }[];
}

/** Creates an organization with a verified domain. @returns its id */
export async function organization(domain = 'acme.example', name = 'Acme'): Promise<string> {
  const domain_data = [{ domain, state: 'verified' }];
  const { status, body } = await call<{ id: string }>('POST', '/organizations', { name, domain_data });
  expect(status).toBe(201);
  return body.id;
}

/** The options of a SAML connection with single values instead of metadata. */
export const samlOptions = (more: Record<string, unknown> = {}) => ({
  idp_entity_id: 'https://idp.acme.example/metadata',
  idp_sso_url: 'https://idp.acme.example/sso',
  idp_signing_certs: [testPair().cert],
  ...more,
});

/** Creates a SAML connection, which must succeed. */
export async function samlConnection(organization_id: string, more: Record<string, unknown> = {}): Promise<Connection> {
  const { status, body } = await call<Connection>('POST', '/connections', {
    organization_id,
    saml_options: samlOptions(),
    ...more,
  });
  expect([status, body]).toMatchObject([201, { object: 'connection' }]);
  return body;
}

/** The error code of a rejected call. */
export async function rejected(
  method: string,
  path: string,
  body?: unknown,
): Promise<[status: number, code: string | undefined]> {
  const response = await call<{ code?: string }>(method, path, body);
  return [response.status, response.body.code];
}

/** The events with these names, the oldest first. */
export async function eventsNamed(...names: string[]): Promise<{ event: string; data: Record<string, unknown> }[]> {
  await idle();
  const { body } = await call<{ data: { event: string; data: Record<string, unknown> }[] }>(
    'GET',
    `/events?events=${names.join(',')}&limit=100`,
  );
  return body.data;
}
