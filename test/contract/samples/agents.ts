import type { Api, AreaSamples } from './sample.ts';

let made = 0;

/** Creates a blueprint with a name of its own. */
const blueprint = async ({ create }: Api): Promise<Record<string, string>> => ({
  agent_blueprint_id: String((await create('/agents/blueprints', { name: `Agent ${(made += 1)}` })).id),
});

export const agentSamples: AreaSamples = {
  params: { '/agents/blueprints/{agent_blueprint_id}': blueprint },
  bodies: {
    'agent_blueprints.create': async () => ({ name: `Agent ${(made += 1)}` }),
    'agent_blueprints.update': async () => ({ name: `Agent ${(made += 1)}` }),
  },
};
