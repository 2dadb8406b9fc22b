/** The attempts at connections, and the validity of their certificates, for modules that explain and report. */
export { findPersonAttempts, type PersonAttempt } from './attempt/find.ts';
export { type ConnectionValidity, listConnectionValidity } from './connection/validity.ts';
