/** The parts of an environment's authorization server that are the same for all its endpoints. */
export { CACHED } from './metadata/compose.ts';
export { isOpenIdScope, OPENID_SCOPES } from './scopes.ts';
export { SERVER_PATH, serverAddress, serverInPath, serverNotFound } from './server.ts';
