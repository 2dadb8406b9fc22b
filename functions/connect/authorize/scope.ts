import { isOpenIdScope } from '../../authorization-server/public.ts';

/** A list of scopes, separated by spaces (RFC 6749 section 3.3); each once. */
export const splitScopes = (text: string | undefined): string[] => [
  ...new Set((text ?? '').split(' ').filter((scope) => scope !== '')),
];

/**
 * The scopes of a request that the application may have: OpenID's (Core section 5.4) and permissions of the environment that still exist.
 * Without any named, all of the application (RFC 6749 section 3.3: a documented default).
 */
export function grantableScopes(
  asked: readonly string[],
  ofApplication: readonly string[],
  isPermission: (slug: string) => boolean,
): string[] {
  const held = ofApplication.filter((scope) => isOpenIdScope(scope) || isPermission(scope));
  return asked.length === 0 ? held : held.filter((scope) => asked.includes(scope));
}
