import { isOpenIdScope } from '../../../sign-in/modules/authorization-server/public.ts';

/** Parses scopes, which are separated by spaces (RFC 6749 section 3.3); repeated ones count once. */
export const splitScopes = (text: string | undefined): string[] => [
  ...new Set((text ?? '').split(' ').filter((scope) => scope !== '')),
];

/**
 * Returns those of the requested scopes that the application may have: scopes of OpenID Connect (Core section 5.4) and
 * existing permissions of the environment. A request without scopes gets all scopes of the application (RFC 6749 section 3.3:
 * a documented default).
 */
export function grantableScopes(
  asked: readonly string[],
  ofApplication: readonly string[],
  isPermission: (slug: string) => boolean,
): string[] {
  const knownScopes = ofApplication.filter((scope) => isOpenIdScope(scope) || isPermission(scope));
  return asked.length === 0 ? knownScopes : knownScopes.filter((scope) => asked.includes(scope));
}
