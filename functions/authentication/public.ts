/**
 * The functions of sign-in for other areas: the decision about its next step, flows in a browser and their codes, and
 * devices.
 */
export { issueAuthorizationCode } from './authorization-code/code.ts';
export { decideDevice, type DeviceRequest, deviceRequest, findDeviceRequest } from './device/request.ts';
export {
  type ApplicationRequest,
  type AuthorizationRequest,
  environmentOfFlow,
  failFlow,
  findLoginFlow,
  finishFlow,
  loginFlow,
  stageEndOfFlow,
  startFlow,
} from './login-flow/flow.ts';
export { type OAuthTokens, stageNewChallenge, type Step, usePending } from './pending-authentication/pending.ts';
export type { Attempt, Proofs, RejectionReason, SignIn } from './sign-in/attempt.ts';
export { completeSignIn } from './sign-in/complete.ts';
export { countSignIn, type CountedBy, countWrongPassword } from './sign-in/limits.ts';
export { checkFactorCode } from './sign-in/factor.ts';
export { type Method } from './sign-in/method.ts';
export { findSignInOrganization } from './sign-in/organizations.ts';
export { type BrowserDevice, browserDevice } from './known-device/browser.ts';
export { callerAt } from './known-device/caller.ts';
export { type ClientContext, readClientContext } from './sign-in/origin.ts';
export { emitFailure, emitProof, type Proof, proofEvents } from './sign-in/outcome.ts';
export { assessRisk, stageFailedRisk } from './sign-in/risk.ts';
export { prefetch } from './sign-in/prefetch.ts';
export { type Resumed, resumePending } from './sign-in/resume.ts';
