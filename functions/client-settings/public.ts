/** The functions of an environment's client settings for other modules: redirect URIs. */
export { defaultRedirectUri, isRedirectUri } from './redirect-uri/match.ts';
export { isProblem, readUri } from './redirect-uri/rules.ts';
