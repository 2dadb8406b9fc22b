/** Sessions, their tokens and the keys that sign them, for the areas that sign users in and out. */
export { describeAccessToken, mintAccessToken } from './access-token/mint.ts';
export { TokenTooBig } from './access-token/claims.ts';
export {
  findBrowserSession,
  type SignedInBrowser,
  stageBrowserSession,
  stageEndOfBrowserSessions,
} from './browser-session/stage.ts';
export { refreshCookie } from './refresh-cookie/cookie.ts';
export { type SessionRecord, sessionRows } from './session/entity.ts';
export { findLiveSessions, isLive, openSessionRow, readSessionProofs } from './session/find.ts';
export { RefreshRejected, refreshSession, hintsOfRefreshToken } from './session/refresh.ts';
export { stageRevocation, stageRevocationOfAll, stageSession } from './session/stage.ts';
