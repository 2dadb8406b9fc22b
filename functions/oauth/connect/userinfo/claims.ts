import type { UserRecord } from '../../../tenancy/modules/users/public.ts';

/** The claims about a user that scopes request (OpenID Connect Core section 5.4); those without a value are absent. */
export function claimsOfUser(user: UserRecord, scopes: readonly string[]): Record<string, unknown> {
  const whole = [user.firstName, user.lastName].filter((part) => part !== undefined).join(' ');
  const profile = {
    name: user.name ?? (whole === '' ? undefined : whole),
    given_name: user.firstName,
    family_name: user.lastName,
    picture: user.profilePictureUrl,
    locale: user.locale,
    updated_at: Math.floor(Date.parse(user.changedAt ?? user.updatedAt) / 1_000),
  };
  const all = {
    ...(scopes.includes('email') ? { email: user.email, email_verified: user.emailVerified } : {}),
    ...(scopes.includes('profile') ? profile : {}),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
