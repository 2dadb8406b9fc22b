/** Sign-ins between two requests: the flow in a browser, and what waits for a further step. */
export {
  type AuthorizationParameters,
  type AuthorizationRequest,
  environmentOfFlow,
  failFlow,
  findEventOrigin,
  findLoginFlow,
  finishFlow,
  loginFlow,
  stageEndOfFlow,
  stageLinkOfFlow,
  startFlow,
} from './login-flow/flow.ts';
export {
  type NewPending,
  findPending,
  type OAuthTokens,
  type Pending,
  type PendingSecrets,
  stageNewChallenge,
  stagePending,
  type Step,
  usePending,
} from './pending-authentication/pending.ts';
