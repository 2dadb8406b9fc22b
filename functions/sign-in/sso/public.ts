/** The attempts at connections, the validity of their certificates and their second factors, for other modules and commands. */
export { acceptSecondFactor } from './connection/accept-factor.ts';
export { findPersonAttempts, type PersonAttempt } from './attempt/find.ts';
export { type ConnectionValidity, listConnectionValidity } from './connection/validity.ts';
