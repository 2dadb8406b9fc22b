/** The state of email addresses, for other areas. */
export { isSuppressed } from './suppression/entity.ts';
