import * as z from 'zod';

import { makeClientId } from '../../../../kernel/authentication/api-key.ts';
import { CLAIM_GRANT } from '../../../../kernel/compatibility.ts';
import { findSettings } from '../../../../kernel/environment-settings.ts';
import { settings } from '../../../../kernel/settings.ts';
import { agentSettings } from '../agent-settings.ts';

/** The members of the open auth.md protocol: where and by which methods agents of other parties register. */
export const AgentAuth = z.object({
  skill: z.string().describe('The guide for agents, in Markdown.'),
  identity_endpoint: z.string().describe('The endpoint at which agents of other parties register.'),
  claim_endpoint: z.string().describe('The endpoint at which an agent requests a link with which a person claims it.'),
  identity_types_supported: z
    .array(z.string())
    .describe('The kinds of registration that the settings allow: `anonymous`, `service_auth`, `identity_assertion`.'),
  identity_assertion: z
    .object({ assertion_types_supported: z.array(z.string()).describe('The types of assertions that are accepted.') })
    .optional()
    .describe('Only if `identity_assertion` is allowed.'),
});

/** The grants by which agents of other parties get credentials at the token endpoint. */
export const AGENT_GRANTS = ['urn:ietf:params:oauth:grant-type:jwt-bearer', CLAIM_GRANT];

/** The part of the metadata for agents; undefined where none may register. */
export async function composeAgentAuth(environmentId: string): Promise<z.input<typeof AgentAuth> | undefined> {
  const { registrations } = await findSettings(environmentId, agentSettings);
  const types = (['anonymous', 'service_auth', 'identity_assertion'] as const).filter((type) => registrations[type]);
  if (types.length === 0) return undefined;
  const address = `${settings().GATEHOUSE_BASE_URL}/x/agents/environments/${makeClientId(environmentId)}`;
  return {
    skill: `${address}/auth.md`,
    identity_endpoint: `${address}/identity`,
    claim_endpoint: `${address}/identity/claim`,
    identity_types_supported: types,
    ...(registrations.identity_assertion
      ? { identity_assertion: { assertion_types_supported: ['urn:ietf:params:oauth:token-type:id-jag'] } }
      : {}),
  };
}
