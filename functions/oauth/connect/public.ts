/**
 * The functions of the OAuth server for the hosted pages: the scopes that an application requests from a user, and the user's
 * consent.
 */
export {
  findAuthorization,
  type PendingAuthorization,
  type RequestedScope,
  stageAuthorization,
  stageConsent,
} from './consent/authorization.ts';
export { chooseClaims, type ConsentOption } from './consent/options.ts';
export { readReceiver, type Receiver } from './consent/rules.ts';
export { findTokenState } from './introspection/state.ts';
export { stageExternalAuth, takeCompletion } from './external-auth/session.ts';
