/** Links to the portal, for the programs that run a stage. */
export { type Intent, INTENTS } from './intents.ts';
export { stagePortalLink } from './link/make.ts';
