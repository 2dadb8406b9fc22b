import { isChallenge } from '../../../kernel/authentication/code-exchange.ts';
import type { RequestFault } from './fault.ts';

/**
 * Checks the PKCE parameters of a request (RFC 7636 section 4.3). Only S256 is accepted (RFC 9700 section 2.1.1): `plain`
 * protects nothing, and a missing method means `plain`. A challenge that was sent is always checked at the exchange.
 * @param isRequired true for a client that cannot authenticate at the token endpoint, or whose `uses_pkce` is true
 */
export function findPkceFault(
  { code_challenge: challenge, code_challenge_method: method }: Readonly<Record<string, string | undefined>>,
  isRequired: boolean,
): RequestFault | undefined {
  const fault = (description: string): RequestFault => ({ error: 'invalid_request', description });
  if (challenge === undefined) {
    if (method !== undefined) return fault('code_challenge_method needs a code_challenge.');
    return isRequired ? fault('code_challenge is required (PKCE with S256, RFC 7636).') : undefined;
  }
  if (method !== 'S256') return fault('code_challenge_method must be "S256".');
  return isChallenge(challenge) ? undefined : fault('code_challenge must be 32 bytes in base64url.');
}
