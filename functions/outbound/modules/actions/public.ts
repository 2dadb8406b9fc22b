/** The questions to a customer's endpoints before sign-ins and registrations, for the modules that conclude these. */
export { askAuthentication, askRegistration, type DeniedByAction } from './execution/ask.ts';
