/** The access to the portal of an organization, and the calls of the API that its pages may make. */
export { inBody, inPath, inQuery, keyOrGrant } from './grant/authenticate.ts';
export { obtainPortalGrant } from './grant/obtain.ts';
export { findInvitation, findInvitationByToken, isActiveInvitation } from './invitation/find.ts';
export { stageEndOfInvitation, stageInvitation } from './invitation/stage.ts';
export { type Intent, INTENTS, intentsOfInvitation } from './intents.ts';
export { findPortalSession, type PortalSession, portalSessions, stagePortalSession } from './session/session.ts';
