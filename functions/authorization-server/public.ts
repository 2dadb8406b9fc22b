/** The parts of an environment's authorization server that are the same for all its endpoints. */
export { agentSettings, MAX_CHAIN_DEPTH, type TrustedIssuer } from './agent-settings.ts';
export { CACHED } from './metadata/compose.ts';
export { connectSettings } from './settings.ts';
export { isOpenIdScope, OPENID_SCOPES, SERVER_PATH, serverAddress, serverInPath, serverNotFound } from './server.ts';
