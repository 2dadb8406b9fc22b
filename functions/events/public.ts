/** The events of a user, an organization or an address, for other modules. */
export { readSubjectEvents } from './event/reading.ts';
