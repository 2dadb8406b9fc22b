import { oidcGuides } from './oidc/index.ts';
import { samlGuides } from './saml/index.ts';
import type { OidcGuide, SamlGuide } from './schema.ts';

/** The guides for single sign-on, in the order of the page: SAML before OpenID Connect. */
export const ssoGuides: readonly (SamlGuide | OidcGuide)[] = [...samlGuides, ...oidcGuides];

/** The guide for a provider or a type of connection; otherwise that for any provider of the protocol. */
export function findSsoGuide(key: string): SamlGuide | OidcGuide {
  const found = ssoGuides.find(({ id, type }) => id === key || type === key);
  const others = /oidc$/i.test(key) ? oidcGuides : samlGuides;
  return found ?? (others.at(-1) as SamlGuide | OidcGuide);
}
