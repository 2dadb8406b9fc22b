import { agentGrantErrors, findAgentGrant } from '../../agents/public.ts';
import { Failure } from '../../../kernel/errors.ts';
import { accessDenied, authorizationPending, expiredToken, invalidGrant } from './errors.ts';
import type { TokenGrant } from './grants.ts';

const ERRORS = {
  invalid_grant: invalidGrant,
  authorization_pending: authorizationPending,
  expired_token: expiredToken,
  access_denied: accessDenied,
};

/** The grants of agents of other parties, which have no application: their assertion or claim token is the credential. */
export function findGrantOfAgent(grantType: string): TokenGrant | undefined {
  const grant = findAgentGrant(grantType);
  return (
    grant &&
    (async ({ environmentId, body, unit }) => {
      const granted = await grant({ environmentId, body, unit });
      if (!('error' in granted)) return granted;
      throw new Failure(ERRORS[granted.error], { message: agentGrantErrors[granted.error].message });
    })
  );
}
