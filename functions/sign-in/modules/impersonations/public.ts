/** Sessions that operators open as users, for the modules that continue them. */
export { admitImpersonation, stageBegin } from './impersonation/begin.ts';
export { isImpersonationOpen } from './impersonation/open.ts';
export { impersonationSettings } from './settings.ts';
