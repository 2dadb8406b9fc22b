import { oktaGuide } from './okta.ts';
import { entraGuide } from './entra.ts';
import { oneloginGuide } from './onelogin.ts';
import { jumpcloudGuide } from './jumpcloud.ts';
import { pingfederateGuide } from './pingfederate.ts';
import { cyberarkGuide } from './cyberark.ts';
import { sailpointGuide } from './sailpoint.ts';
import { ripplingGuide } from './rippling.ts';
import { genericGuide } from './generic.ts';
import type { ScimGuide } from '../schema.ts';

/** The guides, in the order of the page; the last is for any other provider. */
export const scimGuides: readonly ScimGuide[] = [
  oktaGuide,
  entraGuide,
  oneloginGuide,
  jumpcloudGuide,
  pingfederateGuide,
  cyberarkGuide,
  sailpointGuide,
  ripplingGuide,
  genericGuide,
];

/** The guide for a provider or a type of directory; otherwise that for any provider. */
export const findScimGuide = (key: string): ScimGuide =>
  scimGuides.find(({ id, type }) => id === key || type === key) ?? genericGuide;
