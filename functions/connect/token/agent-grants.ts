import { agentGrantErrors, findAgentGrant } from '../../agents/public.ts';
import { Failure } from '../../kernel/errors.ts';
import type { TokenGrant } from './grants.ts';

/** The grants of agents of other parties, which have no application: their assertion or claim token is the credential. */
export function findGrantOfAgent(grantType: string): TokenGrant | undefined {
  const grant = findAgentGrant(grantType);
  return (
    grant &&
    (async ({ environmentId, body, unit }) => {
      const granted = await grant({ environmentId, body, unit });
      if ('error' in granted) throw new Failure(agentGrantErrors[granted.error]);
      return granted;
    })
  );
}
