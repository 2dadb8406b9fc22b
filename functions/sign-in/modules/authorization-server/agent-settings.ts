import * as z from 'zod';

/** Maximum number of agents in a chain of delegations; settings may only lower it. */
export const MAX_CHAIN_DEPTH = 10;

const slugs = z.array(z.string().min(1).max(128)).max(100).default([]);

const address = z.url({ protocol: /^https?$/ }).max(1_000);

/** An identity provider whose assertions register agents. */
const TrustedIssuer = z.object({
  issuer: address.describe('The `iss` of its assertions, compared exactly.'),
  jwks_uri: address.describe('The https URL of its keys, which are fetched without following redirects.'),
  organization_id: z.string().min(1).max(128).describe('The organization whose members it may assert.'),
  client_ids: z
    .array(z.string().min(1).max(256))
    .max(50)
    .default([])
    .describe('The `client_id` of agents that are accepted; empty for all.'),
});

/** An identity provider whose assertions register agents. */
export type TrustedIssuer = z.output<typeof TrustedIssuer>;

/** The allowed ways for agents of other parties to register themselves. By default all are disabled. */
const RegistrationSettings = z.object({
  anonymous: z.boolean().default(false).describe('Whether agents may register without naming a person.'),
  service_auth: z
    .boolean()
    .default(false)
    .describe('Whether agents may register with the address of the person who will claim them.'),
  identity_assertion: z
    .boolean()
    .default(false)
    .describe(
      'Whether agents may register by an identity assertion (ID-JAG) of one of `trusted_issuers`, without a claim.',
    ),
  trusted_issuers: z
    .array(TrustedIssuer)
    .max(20)
    .default([])
    .refine((list) => new Set(list.map(({ issuer }) => issuer)).size === list.length, 'must name each issuer once')
    .describe('The issuers whose identity assertions are accepted, each for the members of one organization.'),
  claim_uri: z
    .union([z.literal('hosted'), z.url({ protocol: /^https?$/ }).max(2_048)])
    .nullable()
    .default(null)
    .describe(
      'The page that a person opens with `claim_attempt_token` in its query: yours, or `hosted` for the one of this service, if your users sign in ' +
        'to its pages. If it is null, no agent can be claimed.',
    ),
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
