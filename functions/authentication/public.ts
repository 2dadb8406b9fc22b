/** The functions of sign-in for other areas: the engine, flows in a browser and their codes, and devices. */
export { type CodeGrant, issueAuthorizationCode } from './authorization-code/code.ts';
export { decideDevice, type Decider, type DeviceRequest, deviceRequest, findDeviceRequest } from './device/request.ts';
export { readUserCode } from './device/rules.ts';
export {
  type AuthorizationParameters,
  type AuthorizationRequest,
  environmentOfFlow,
  failFlow,
  findLoginFlow,
  finishFlow,
  loginFlow,
  stageEndOfFlow,
  startFlow,
} from './login-flow/flow.ts';
export {
  type OAuthTokens,
  type Pending,
  stageNewChallenge,
  type Step,
  usePending,
} from './pending-authentication/pending.ts';
export type { Attempt, Proofs, Ready, Refusal, Refused, SignIn, Waiting } from './sign-in/attempt.ts';
export { completeSignIn } from './sign-in/complete.ts';
export { countSignIn, type CountedBy, countWrongPassword } from './sign-in/limits.ts';
export { checkFactorCode } from './sign-in/factor.ts';
export { isOpen, type Method, methodName } from './sign-in/method.ts';
export { placeOf } from './sign-in/organizations.ts';
export { type BrowserDevice, browserDevice } from './known-device/browser.ts';
export { callerAt } from './known-device/caller.ts';
export { type ClientContext, originOf } from './sign-in/origin.ts';
export { emitFailure, emitProof, type Proof, proofEvents } from './sign-in/outcome.ts';
export { readAhead } from './sign-in/read-ahead.ts';
export { type Resumed, resumePending } from './sign-in/resume.ts';
