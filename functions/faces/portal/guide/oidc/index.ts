import { oktaOidcGuide } from './okta.ts';
import { entraOidcGuide } from './entra.ts';
import { googleOidcGuide } from './google.ts';
import { genericOidcGuide } from './generic.ts';
import type { OidcGuide } from '../schema.ts';

/** The guides, in the order of the page; the last is for any other provider. */
export const oidcGuides: readonly OidcGuide[] = [oktaOidcGuide, entraOidcGuide, googleOidcGuide, genericOidcGuide];
