/** The functions of the console for the programs that run a stage (the local service, the deployment and the commands), and for background work of operators. */
export { admitStage } from './link/authority.ts';
export { consoleLinkRow, createConsoleLink, type LinkOptions, mintConsoleLink } from './link/make.ts';
export { findOperatorPermissions } from './session/decide.ts';
export {
  giveRole,
  linkOperator,
  listOperators,
  type OperatorEntry,
  removeOperator,
  takeRole,
} from './operators/manage.ts';
export { approveProposal } from './operators/approve.ts';
export { breakGlass, type OpenedBreakGlass } from './operators/break-glass.ts';
export { createPortalLink } from './operators/portal-link.ts';
export { provideOperatorsEnvironment } from './operators/environment.ts';
