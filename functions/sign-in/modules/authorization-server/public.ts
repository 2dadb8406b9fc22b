/** The parts of an environment's authorization server that are the same for all its endpoints. */
export { agentSettings, MAX_CHAIN_DEPTH, type TrustedIssuer } from './agent-settings.ts';
export { type BasicCredentials, readBasic } from './basic.ts';
export { locateClient, serverOfClient, stopLocatingClient } from './client-locator.ts';
export { CACHED } from './metadata/compose.ts';
export { connectSettings } from './settings.ts';
export {
  DEVICE_GRANT,
  isOpenIdScope,
  OPENID_SCOPES,
  SERVER_PATH,
  serverAddress,
  serverInPath,
  serverNotFound,
  TOKEN_EXCHANGE,
} from './server.ts';
