import * as z from 'zod';

/** Maximum number of agents in a chain of delegations; settings may only lower it. */
export const MAX_CHAIN_DEPTH = 10;

/** The environment's settings for agents. */
const slugs = z.array(z.string().min(1).max(128)).max(100).default([]);

/** The allowed ways for agents of other parties to register themselves. By default all are disabled. */
const RegistrationSettings = z.object({
  anonymous: z.boolean().default(false).describe('Whether agents may register without naming a person.'),
  service_auth: z
    .boolean()
    .default(false)
    .describe('Whether agents may register with the address of the person who will claim them.'),
  claim_uri: z
    .url({ protocol: /^https?$/ })
    .max(2_048)
    .nullable()
    .default(null)
    .describe('Your page, which a person opens with `claim_attempt_token` in its query. Null: nothing can be claimed.'),
  organization_id: z
    .string()
    .max(128)
    .nullable()
    .default(null)
    .describe('The organization of unclaimed agents; null creates an organization for each.'),
  pre_claim_permissions: slugs.describe('The permissions of an anonymous agent.'),
  post_claim_permissions: slugs.describe('The permissions of a claimed agent, as far as its user has them.'),
});

export const AgentSettings = z
  .object({
    max_chain_depth: z
      .number()
      .int()
      .min(1)
      .max(MAX_CHAIN_DEPTH)
      .default(5)
      .describe(
        'The maximum number of agents in a chain of delegations, including the first and the last. 1 allows no delegation.',
      ),
    registrations: RegistrationSettings.prefault({}),
  })
  .meta({ id: 'AgentSettings' });

/** The section of an environment's settings. */
export const agentSettings = { name: 'agents', schema: AgentSettings };
