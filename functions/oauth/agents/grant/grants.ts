import { clock } from '../../../kernel/clock.ts';
import { isClaimGrant } from '../../../kernel/compatibility.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { findByClaim } from '../claim/find.ts';
import { findRenewable, readAssertion, signAssertion } from '../registration/assertion.ts';
import { issueTokenCredential, type tokenEvents } from '../registration/credential.ts';
import { statusAt } from '../registration/rules.ts';

/** The grant by which an assertion is exchanged (RFC 7523 section 2.1). */
export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** The members of a token request that these grants read. */
export interface AgentGrantRequest {
  grant_type: string;
  assertion?: string | undefined;
  claim_token?: string | undefined;
}

/** The response of the token endpoint to an agent (RFC 6749 section 5.1); after a claim with the agent's new assertion. */
export interface AgentTokens {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  scope: string;
  identity_assertion?: string;
  assertion_expires?: string;
}

/** The result of a grant: tokens, or the error code of RFC 6749 section 5.2 or RFC 8628 section 3.5. */
export type AgentGrant =
  | AgentTokens
  | { error: 'invalid_grant' | 'authorization_pending' | 'expired_token' | 'access_denied' };

type Call = { environmentId: string; body: AgentGrantRequest; unit: Unit<(typeof tokenEvents)[number]> };

async function exchangeAssertion({ environmentId, body, unit }: Call): Promise<AgentGrant> {
  const found = await readAssertion(environmentId, body.assertion ?? '');
  return found.state === 'acting' ? issueTokenCredential(unit, found) : { error: REJECTIONS[found.state] };
}

/** The errors for a registration that may not act. */
export const REJECTIONS = { stopped: 'access_denied', ended: 'invalid_grant' } as const;

/**
 * The agent polls until the claim is completed, which takes the code of the person (RFC 8628 section 3.5 has the same responses). The
 * claim token proves that it is the agent.
 */
async function exchangeClaim({ environmentId, body, unit }: Call): Promise<AgentGrant> {
  const registration = await findByClaim(environmentId, body.claim_token ?? '');
  if (registration === undefined) return { error: 'invalid_grant' };
  const status = statusAt(registration, clock.now());
  if (status === 'revoked' || registration.attempt?.isDeclined === true) return { error: 'access_denied' };
  if (status === 'expired') return { error: 'expired_token' };
  if (status === 'unverified') return { error: 'authorization_pending' };
  const found = await findRenewable(registration);
  if (found.state !== 'acting') return { error: REJECTIONS[found.state] };
  const [tokens, identity] = [
    await issueTokenCredential(unit, found),
    await signAssertion(found.verdict, registration),
  ];
  return { ...tokens, identity_assertion: identity.assertion, assertion_expires: identity.expires_at };
}

/** The grants of agents of other parties at the token endpoint; undefined for a grant of another kind. */
export function findAgentGrant(grantType: string): ((call: Call) => Promise<AgentGrant>) | undefined {
  if (grantType === JWT_BEARER) return exchangeAssertion;
  return isClaimGrant(grantType) ? exchangeClaim : undefined;
}
