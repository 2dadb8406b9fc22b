import { expect } from '@jest/globals';

import { call } from '../../support/service.ts';

export { newOrganization } from '../../support/organizations.ts';

/** An integration in a response. */
export interface Integration {
  id: string;
  slug: string;
  ownership: string;
  state: string;
  redirect_uri: string;
  credentials: object | null;
  installation: { id: string } | null;
  errors?: { field: string; code: string }[];
  code?: string;
}

/** The environment's own OAuth app. */
export const CUSTOM = { type: 'custom', client_id: 'client', client_secret: 'a-client-secret' };
/** Sends the creation of an integration, which may fail. */
export const create = (body: object) => call<Integration>('POST', '/data-integrations', body);
/** Creates an integration. */
export const created = async (body: object): Promise<Integration> => {
  const response = await create(body);
  expect(response).toMatchObject({ status: 201 });
  return response.body;
};

/** A custom provider. */
export const definition = {
  name: 'Third Party',
  authorization_url: 'https://third-party.example/authorize',
  token_url: 'https://third-party.example/token',
};
