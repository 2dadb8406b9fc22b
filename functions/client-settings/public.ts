/** What other modules may know of an environment's clients: where a browser may be sent. */
export { defaultRedirectUri, isRedirectUri } from './redirect-uri/match.ts';
