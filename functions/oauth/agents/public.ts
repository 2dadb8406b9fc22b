/** The functions of agents for other areas. */
export { endAgentsOfOrganization } from './work/end.ts';
export { tokenEvents as agentTokenEvents } from './registration/credential.ts';
export { grantErrors as agentGrantErrors } from './registration/errors.ts';
export { findAgentGrant } from './grant/grants.ts';
export { exchangeEvents, exchangeForAgent } from './grant/token-exchange.ts';
export {
  type ClaimReference,
  findClaimReference,
  findHostedClaim,
  type HostedClaim,
  stageDeclinedClaim,
  stageHostedClaim,
} from './claim/hosted.ts';
