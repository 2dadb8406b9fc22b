/** What other areas may know of signing in: flows through a browser, their codes, and devices that wait for approval. */
export { type CodeGrant, issueAuthorizationCode, type OAuthTokens } from './authorization-code/code.ts';
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
export { AuthenticationSettings, authenticationSettings } from './settings/schema.ts';
export { isOpen, type Method, methodName } from './sign-in/method.ts';
