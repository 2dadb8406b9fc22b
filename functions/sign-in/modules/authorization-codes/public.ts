/** Authorization codes: issued at the end of a sign-in in a browser, and exchanged once. */
export {
  findCode,
  isFresh,
  issueAuthorizationCode,
  issueImpersonationCode,
  openSecrets,
  stageUse,
} from './code/code.ts';
export { checkSessionOrganization, sessionOrganization } from './code/session-organization.ts';
export type { AuthorizationCodeRecord } from './code/entity.ts';
