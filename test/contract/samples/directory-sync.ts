import { type Api, type AreaSamples, organization } from './sample.ts';

const directory = async (api: Api): Promise<Record<string, string>> => {
  const made = await api.create('/x/directories', { organization_id: await organization(api), name: 'Acme people' });
  return { id: String(made.id) };
};

const token = async (api: Api): Promise<Record<string, string>> => {
  const { id = '' } = await directory(api);
  return { id, tokenId: String((await api.create(`/x/directories/${id}/tokens`, {})).id) };
};

/** A snapshot whose parts have not all arrived. */
const snapshot = async (api: Api): Promise<Record<string, string>> => {
  const { id = '' } = await directory(api);
  const made = await api.create(`/x/directories/${id}/snapshots`, { format: 'csv', parts: 2 });
  return { id, snapshotId: String(made.id), part: '1' };
};

/** A record that the provider of a new directory creates by SCIM. */
async function provided(api: Api, kind: 'Users' | 'Groups', body: object): Promise<Record<string, string>> {
  const made = await api.create('/x/directories', { organization_id: await organization(api), name: 'Acme people' });
  const { value } = await api.create(`/x/directories/${String(made.id)}/tokens`, {});
  const path = `/scim/v2.0/${String(made.external_key)}/${kind}`;
  const headers = { authorization: `Bearer ${String(value)}` };
  const { text } = await api.send('POST', path, { body: JSON.stringify(body), headers });
  return { id: String((JSON.parse(text) as { id: string }).id) };
}

export const directorySyncSamples: AreaSamples = {
  params: {
    '/directories/{id}': directory,
    '/directory_users': async (api) => ({ directory: (await directory(api)).id ?? '' }),
    '/directory_groups': async (api) => ({ directory: (await directory(api)).id ?? '' }),
    '/directory_users/{id}': (api) => provided(api, 'Users', { userName: 'ada' }),
    '/directory_groups/{id}': (api) => provided(api, 'Groups', { displayName: 'Staff' }),
    '/x/directories/{id}/tokens/{tokenId}': token,
    '/x/directories/{id}/snapshots/{snapshotId}': snapshot,
    '/x/directories/{id}/snapshots/{snapshotId}/parts/{part}': snapshot,
  },
  bodies: {
    'directories.create': async (api) => ({ organization_id: await organization(api), name: 'Acme people' }),
    'directory_tokens.create': async () => ({}),
    'directory_snapshots.create': async () => ({ format: 'csv', content: 'email\nada@acme.example' }),
    'directory_snapshots.put_part': async () => ({ content: 'email\nada@acme.example' }),
  },
};
