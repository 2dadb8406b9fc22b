/** Sessions, their tokens and the keys that sign them, for the areas that sign people in and out. */
export { accessTokenOf } from './access-token/mint.ts';
export {
  issuerOf,
  type MembershipClaims,
  type TokenSubject,
  TokenTooBig,
  type UserClaims,
} from './access-token/claims.ts';
export { type VerifiedClaims, verifyAccessToken } from './access-token/verify.ts';
export {
  browserSessionOf,
  type BrowserOpening,
  type SignedInBrowser,
  stageBrowserSession,
} from './browser-session/stage.ts';
export { forgetRefreshToken, keepRefreshToken, refreshTokenInCookie } from './refresh-cookie/cookie.ts';
export { type SessionRecord, sessionRows } from './session/entity.ts';
export { findSession, isLive, liveSessionsOf, sessionOf } from './session/find.ts';
export {
  type RefreshAttempt,
  type Refreshed,
  RefreshRefused,
  type RefreshRefusal,
  refreshSession,
  hintsOfRefreshToken,
} from './session/refresh.ts';
export type { Impersonator } from './session/schema.ts';
export {
  type RevokingUnit,
  type SessionOpening,
  type SessionUnit,
  stageRevocation,
  stageRevocationOfAll,
  stageSession,
} from './session/stage.ts';
export { ensureSigningKey } from './signing-key/keys.ts';
