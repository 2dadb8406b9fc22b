/** Links to the portal, for the programs that run a stage. */
export { stagePortalLink } from './link/make.ts';
