import { oktaGuide } from './okta.ts';
import { entraGuide } from './entra.ts';
import { googleGuide } from './google.ts';
import { oneloginGuide } from './onelogin.ts';
import { jumpcloudGuide } from './jumpcloud.ts';
import { pingoneGuide } from './pingone.ts';
import { pingfederateGuide } from './pingfederate.ts';
import { adfsGuide } from './adfs.ts';
import { keycloakGuide } from './keycloak.ts';
import { shibbolethGuide } from './shibboleth.ts';
import { simplesamlphpGuide } from './simplesamlphp.ts';
import { duoGuide } from './duo.ts';
import { cyberarkGuide } from './cyberark.ts';
import { ripplingGuide } from './rippling.ts';
import { salesforceGuide } from './salesforce.ts';
import { genericGuide } from './generic.ts';
import type { SamlGuide } from '../schema.ts';

/** The guides, in the order of the page; the last is for any other provider. */
export const samlGuides: readonly SamlGuide[] = [
  oktaGuide,
  entraGuide,
  googleGuide,
  oneloginGuide,
  jumpcloudGuide,
  pingoneGuide,
  pingfederateGuide,
  adfsGuide,
  keycloakGuide,
  shibbolethGuide,
  simplesamlphpGuide,
  duoGuide,
  cyberarkGuide,
  ripplingGuide,
  salesforceGuide,
  genericGuide,
];
