import { call } from '../../support/service.ts';

/** A directory in the form of `/x/directories`. */
export interface DirectoryDetails {
  id: string;
  organization_id: string;
  external_key: string;
  scim_url: string;
  state: string;
  tokens: { id: string; token_suffix: string }[];
  [member: string]: unknown;
}

export interface NewToken {
  id: string;
  value: string;
  created_at: string;
}

async function demand<T>(method: string, path: string, body: unknown, apiKey?: string): Promise<T> {
  const response = await call<T>(method, path, body, apiKey === undefined ? {} : { apiKey });
  if (response.status >= 300) throw new Error(`${path} responded ${response.status}: ${JSON.stringify(response.body)}`);
  return response.body;
}

/**
 * A new directory of a new organization, which has verified a domain if one is given.
 * @param apiKey the key of another environment
 */
export async function newDirectory(
  members: Record<string, unknown> = {},
  { domain, apiKey }: { domain?: string; apiKey?: string } = {},
): Promise<DirectoryDetails> {
  const domain_data = domain === undefined ? [] : [{ domain, state: 'verified' }];
  const { id } = await demand<{ id: string }>('POST', '/organizations', { name: 'Acme', domain_data }, apiKey);
  return demand('POST', '/x/directories', { organization_id: id, name: 'Acme people', ...members }, apiKey);
}

export const newToken = (directoryId: string, body: Record<string, unknown> = {}, apiKey?: string): Promise<NewToken> =>
  demand('POST', `/x/directories/${directoryId}/tokens`, body, apiKey);

/** The data of all events of a name, the oldest first; after `idle()`. */
export async function eventsNamed(...names: string[]): Promise<Record<string, unknown>[]> {
  const { body } = await call<{ data: { data: Record<string, unknown> }[] }>(
    'GET',
    `/events?limit=100&events=${names.join(',')}`,
  );
  return body.data.map(({ data }) => data);
}
