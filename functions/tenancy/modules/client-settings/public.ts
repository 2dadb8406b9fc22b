/** The functions of an environment's client settings for other modules: redirect URIs, origins and resources. */
export { readOrigin } from './cors-origin/rules.ts';
export { defaultRedirectUri, isRedirectUri } from './redirect-uri/match.ts';
export { isLoopback, isProblem, isWebUri, listCandidates, readUri, WEB_URI_RULE } from './redirect-uri/rules.ts';
export { findAudience, loadAudiences } from './hosted-oauth-resource/match.ts';
