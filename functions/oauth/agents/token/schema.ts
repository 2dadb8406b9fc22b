import * as z from 'zod';

import { secret, timestamp } from '../../../kernel/values.ts';

const token = z.string().min(1).max(16_384).meta({ format: 'password' });
const intent = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .describe(
    'The purpose of the session, which is in the claim `intent.text`. A refresh without it keeps the last one.',
  );

/** The body of a request that opens a session. */
export const MintToken = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('user_delegated').describe('The agent acts for a user.'),
      user_access_token: token,
      intent,
    }),
    z.object({
      type: z.literal('autonomous').describe('The agent acts for an organization, without a user.'),
      organization_id: z.string().min(1).max(128),
      intent,
    }),
    z.object({
      type: z.literal('agent_delegated').describe('The agent acts for another agent.'),
      agent_access_token: token.describe(
        'The access token of the delegating agent, of any blueprint of the environment (`typ` `at+jwt`, `sub` `agent_…`).',
      ),
      intent,
    }),
    z.object({ type: z.literal('refresh').describe('A new token of the same session.'), refresh_token: token, intent }),
  ])
  .meta({ id: 'MintAgentTokenDto' });

export type MintRequest = z.output<typeof MintToken>;

export const AgentToken = z
  .object({
    access_token: secret,
    token_type: z.literal('Bearer'),
    expires_in: z.int().describe('The lifetime of the access token, in seconds.'),
    refresh_token: secret,
    agent_instance_id: z.string(),
    new_instance: z.boolean(),
    agent_instance_session_id: z.string(),
    permissions: z.array(z.string()),
  })
  .meta({ id: 'AgentToken' });

export const ValidateToken = z.object({ agent_access_token: token }).meta({ id: 'ValidateAgentTokenDto' });

export const AgentTokenValidation = z
  .object({
    valid: z.literal(true),
    agent_instance_id: z.string(),
    agent_instance_session_id: z.string(),
    organization_id: z.string(),
    permissions: z
      .array(z.string())
      .describe(
        'The permissions of the token, without those that its blueprint, a delegating agent or its member no longer has.',
      ),
    intent: z.string().nullable(),
    acting_user_id: z.string().nullable(),
    session_expires_at: timestamp,
  })
  .meta({ id: 'AgentTokenValidation' });
