import { makeClientId } from '../../../functions/kernel/authentication/api-key.ts';
import type { Api, AreaSamples } from './sample.ts';
import { organization } from './sample.ts';

let made = 0;

/** Creates a blueprint with a unique name. */
const blueprint = async ({ create }: Api): Promise<{ agent_blueprint_id: string }> => ({
  agent_blueprint_id: String((await create('/agents/blueprints', { name: `Agent ${(made += 1)}` })).id),
});

/** Opens a session of a new blueprint for a new organization. */
async function token(api: Api) {
  const { agent_blueprint_id: id } = await blueprint(api);
  const body = JSON.stringify({ type: 'autonomous', organization_id: await organization(api) });
  return { id, minted: (await api.send('POST', `/agents/blueprints/${id}/tokens`, { body })).json as Minted };
}

interface Minted {
  access_token: string;
  agent_instance_id: string;
  agent_instance_session_id: string;
}

const instance = async (api: Api) => ({ agent_instance_id: (await token(api)).minted.agent_instance_id });
const session = async (api: Api) => ({
  agent_instance_session_id: (await token(api)).minted.agent_instance_session_id,
});

const server = async ({ environmentId }: Api) => ({ clientId: makeClientId(environmentId) });

/** Registers an agent of another party. */
async function registration(api: Api): Promise<{ id: string }> {
  const settings = { registrations: { anonymous: true, claim_uri: 'https://app.example.com/claim' } };
  await api.send('PUT', '/x/agents/settings', { body: JSON.stringify(settings) });
  const path = `/x/agents/environments/${makeClientId(api.environmentId)}/identity`;
  const { json } = await api.send('POST', path, { body: JSON.stringify({ type: 'anonymous' }) });
  return { id: (json as { id: string }).id };
}

/** Stops the agents of the environment and lifts the stop: then there is one to read, and agents act. */
async function liftedStop({ send }: Api): Promise<Record<string, string>> {
  const target = { target: 'environment' };
  await send('POST', '/x/agents/stop', { body: JSON.stringify({ ...target, reason: 'Incident 42' }) });
  await send('POST', '/x/agents/lift', { body: JSON.stringify(target) });
  return target;
}

export const agentSamples: AreaSamples = {
  params: {
    '/agents/blueprints/{agent_blueprint_id}': blueprint,
    '/agents/instances/{agent_instance_id}': instance,
    '/agents/sessions/{agent_instance_session_id}': session,
    '/agents/registrations/{id}': registration,
    '/x/agents/stop': liftedStop,
    '/x/agents/environments/{clientId}/identity': server,
    '/x/agents/environments/{clientId}/identity/claim': server,
    '/x/agents/environments/{clientId}/identity/claim/complete': server,
    '/x/agents/environments/{clientId}/token': server,
    '/x/agents/environments/{clientId}/auth.md': server,
  },
  bodies: {
    'agent_blueprints.create': async () => ({ name: `Agent ${(made += 1)}` }),
    'agent_blueprints.update': async () => ({ name: `Agent ${(made += 1)}` }),
    'agent_blueprints.mint_token': async (api) => ({ type: 'autonomous', organization_id: await organization(api) }),
    'agent_stops.create': async () => ({ target: 'environment', reason: 'Incident 42' }),
  },
  keyless: [
    'agent_identity.create',
    'agent_identity.claim',
    'agent_identity.complete_claim',
    'agent_identity.token',
    'agent_identity.guide',
  ],
  queries: { 'agent_stops.get': { target: 'environment' } },
};
