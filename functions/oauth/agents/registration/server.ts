import { makeClientId } from '../../../kernel/authentication/api-key.ts';
import { countAddress } from '../../../kernel/limits/count-attempt.ts';
import { settings } from '../../../kernel/settings.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { serverInPath } from '../../../sign-in/modules/authorization-server/public.ts';
import { unknownServer } from './errors.ts';

/**
 * The path of the operations that agents call without a key. It is not below the path of the authorization server: another
 * area below that prefix would cost the HTTP API a route for each operation of both, and it can have only 300.
 */
export const AGENT_PATH = '/x/agents/environments/{clientId}';

/** The address of an environment's operations for agents. */
export const agentAddress = (environmentId: string): string =>
  `${settings().GATEHOUSE_BASE_URL}/x/agents/environments/${makeClientId(environmentId)}`;

/** Finds the environment by the client id in the path; anyone may call. */
export const environmentInPath = serverInPath(unknownServer);

/** Counts a registration by the network of its agent, once for each call. @throws Failure: the general 429 */
export const countRegistration = (unit: Pick<Unit, 'once'>, environmentId: string, address: string): Promise<void> =>
  countAddress(unit, environmentId, 'agent-identity.address', address);

/** The path of the hosted page on which a signed-in user claims an agent. */
export const CLAIM_PAGE = '/hosted/agent';

/** The page that a person opens for an attempt: that of the setting, or the hosted one; null if nothing can be claimed. */
export const resolveClaimUri = (environmentId: string, setting: string | null): string | null =>
  setting === 'hosted'
    ? `${settings().GATEHOUSE_BASE_URL}${CLAIM_PAGE}?client_id=${makeClientId(environmentId)}`
    : setting;
