import * as oauth from 'openid-client';

import { EgressError } from '../../../kernel/egress/egress.ts';
import { log } from '../../../kernel/log.ts';

/** The reasons why a provider did not authenticate a user. */
export interface ProviderFault {
  /**
   * The code: `access_denied` if the user cancelled; `provider_refused` if the provider rejected the request;
   * `provider_unavailable` if it did not respond; `invalid_response` if its response does not belong to this request, or
   * proves nothing.
   */
  code: 'access_denied' | 'provider_refused' | 'provider_unavailable' | 'invalid_response';
  message: string;
}

/** The exception of code that calls providers; `cause` has more details and is only for logs. */
export class ProviderFailure extends Error {
  readonly fault: ProviderFault;

  constructor(code: ProviderFault['code'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ProviderFailure';
    this.fault = { code, message };
  }
}

/**
 * Converts an error of the protocol or the egress guard to the fault that the user gets.
 * @throws the error itself if it is neither
 */
export function toFault(error: unknown): ProviderFault {
  const chain = [...causes(error)];
  const fault = chain.map(ownFault).find((found) => found !== undefined) ?? chain.map(libraryFault).find(Boolean);
  if (fault === undefined) throw error;
  log.info('a sign-in through a provider failed', { error, fault: fault.code });
  return fault;
}

function* causes(error: unknown): Generator<Error> {
  for (let at = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth += 1) yield at;
}

const unavailable: ProviderFault = { code: 'provider_unavailable', message: 'The provider could not be asked.' };

function ownFault(error: Error): ProviderFault | undefined {
  if (error instanceof ProviderFailure) return error.fault;
  if (error instanceof EgressError) return unavailable;
  if (error instanceof oauth.AuthorizationResponseError) {
    return error.error === 'access_denied' || error.error === 'user_cancelled_authorize'
      ? { code: 'access_denied', message: 'The provider denied the sign-in.' }
      : rejectedWith(error.error);
  }
  // The usual cause is a wrong client secret (RFC 6749 section 5.2).
  if (error instanceof oauth.WWWAuthenticateChallengeError) return rejectedWith('unauthorized');
  if (error instanceof oauth.ResponseBodyError) return error.status >= 500 ? unavailable : rejectedWith(error.error);
  return undefined;
}

/** The protocol library's own codes for all kinds of invalid responses. */
function libraryFault({ code }: Error & { code?: unknown }): ProviderFault | undefined {
  if (typeof code !== 'string' || !code.startsWith('OAUTH_')) return undefined;
  if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT') return unavailable;
  return { code: 'invalid_response', message: 'The provider’s response does not belong to this request.' };
}

const rejectedWith = (error: string): ProviderFault => ({
  code: 'provider_refused',
  message: `The provider responded with ${plain(error)}.`,
});

/** Returns an error code of RFC 6749, and nothing else that a provider has written. */
const plain = (code: string): string => (/^[a-z_]{1,64}$/.test(code) ? code : 'an error');
