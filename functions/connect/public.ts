/** The functions of the OAuth server for the hosted pages: what an application asks of a user, and its consent. */
export {
  findAuthorization,
  type PendingAuthorization,
  type RequestedScope,
  stageAuthorization,
} from './consent/authorization.ts';
export { readReceiver, type Receiver } from './consent/rules.ts';
export { findTokenState } from './introspection/state.ts';
export { stageExternalAuth, takeCompletion } from './external-auth/session.ts';
