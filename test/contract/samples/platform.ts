import type { Api, AreaSamples } from './sample.ts';

let made = 0;

const TEAM = '/x/platform/teams/{team_id}';
const KEYS = `${TEAM}/environments/{environment}/keys`;

const body = async () => ({ name: 'Acme', admin_email: `admin${(made += 1)}@acme.example` });

const team = async ({ create }: Api) => ({ team_id: String((await create('/platform/teams', await body())).id) });

const staging = async (api: Api) => ({ ...(await team(api)), environment: 'staging' });

async function key(api: Api): Promise<Record<string, string>> {
  const named = await staging(api);
  const path = `/x/platform/teams/${named.team_id}/environments/staging/keys`;
  return { ...named, key_id: String((await api.create(path, {})).id) };
}

export const platformSamples: AreaSamples = {
  params: {
    '/platform/teams/{team_id}': team,
    [`${TEAM}/production_state`]: team,
    [`${TEAM}/environments`]: team,
    [KEYS]: staging,
    [`${KEYS}/{key_id}`]: key,
  },
  bodies: { 'platform_teams.create': body },
};
