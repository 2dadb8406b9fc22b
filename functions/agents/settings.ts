import * as z from 'zod';

/** Maximum agents in a chain of delegations, whatever the settings say. */
export const MAX_CHAIN_DEPTH = 10;

/** The environment's settings for agents. */
export const AgentSettings = z
  .object({
    max_chain_depth: z
      .number()
      .int()
      .min(1)
      .max(MAX_CHAIN_DEPTH)
      .default(5)
      .describe('The most agents in a chain of delegations, the first and the last included. 1 allows no delegation.'),
  })
  .meta({ id: 'AgentSettings' });

/** The section of an environment's settings. */
export const agentSettings = { name: 'agents', schema: AgentSettings };
