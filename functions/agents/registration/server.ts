import { makeClientId } from '../../kernel/authentication/api-key.ts';
import type { Authenticator } from '../../kernel/authentication/caller.ts';
import { environmentOfClient } from '../../kernel/authentication/client.ts';
import { findEnvironment } from '../../kernel/authentication/environment.ts';
import { Failure } from '../../kernel/errors.ts';
import { computeNetwork } from '../../kernel/limits/client-network.ts';
import { consume, tooMany } from '../../kernel/limits/counter.ts';
import { findLimit } from '../../kernel/limits/named-limits.ts';
import { settings } from '../../kernel/settings.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { unknownServer } from './errors.ts';

/** The path of the operations that agents call without a key. */
export const AGENT_PATH = '/oauth2/{clientId}/agent';

/** The address of an environment's operations for agents. */
export const agentAddress = (environmentId: string): string =>
  `${settings().GATEHOUSE_BASE_URL}/oauth2/${makeClientId(environmentId)}/agent`;

/** Finds the environment by the client id in the path; anyone may call. It reads nothing while the environment is cached. */
export const environmentInPath: Authenticator = {
  security: [],
  authenticate: async ({ path }) => {
    const clientId = path.split('/').find((part) => part.startsWith('client_')) ?? '';
    const environmentId = environmentOfClient(clientId);
    const environment = environmentId === undefined ? undefined : await findEnvironment(environmentId);
    if (environment === undefined) throw new Failure(unknownServer);
    const actor = { id: makeClientId(environment.id), source: 'api' as const, name: null };
    return { environmentId: environment.id, actor, proof: clientId };
  },
};

/** Counts a registration by the network of its agent, once a call. @throws Failure: the general 429 */
export async function countRegistration(
  unit: Pick<Unit, 'once'>,
  environmentId: string,
  address: string,
): Promise<void> {
  const name = 'agent-identity.address';
  const limit = findLimit(name, (await findEnvironment(environmentId))?.settings);
  if (limit === undefined) return;
  const counted = { name, key: computeNetwork(address) };
  const verdict = await unit.once(`count ${name}`, () => consume(environmentId, counted, limit));
  if (!verdict.allowed) throw tooMany(verdict);
}
