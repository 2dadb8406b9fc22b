import type { ProviderFacts } from '../catalogue/facts.ts';
import { cutText } from '../../kernel/text.ts';

/** The profile of a user as asserted by a provider. */
export interface Profile {
  issuer: string;
  subject: string;
  email: string | undefined;
  /** True if the provider says that the email was verified, and is trusted in that. */
  isEmailProven: boolean;
  firstName: string | undefined;
  lastName: string | undefined;
  name: string | undefined;
  pictureUrl: string | undefined;
}

export type Claims = Readonly<Record<string, unknown>>;

const EMAIL = /^[^\s@\u0000-\u001f]{1,64}@[^\s@\u0000-\u001f]{1,255}$/u;

const textOf = (value: unknown, most = 200): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? cutText(value.trim(), 0, most) : undefined;

/** Parses an email address; undefined for any other text. */
export function emailOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text.length <= 254 && EMAIL.test(text) ? text : undefined;
}

/** Parses a boolean as providers write it: Apple as text, Microsoft as a number. */
const isTrue = (value: unknown): boolean => value === true || value === 'true' || value === 1 || value === '1';

/** Parses the address of a picture that a page may show. */
export function pictureOf(value: unknown): string | undefined {
  const text = textOf(value, 2_048);
  return text !== undefined && URL.canParse(text) && new URL(text).protocol === 'https:' ? text : undefined;
}

/** Reports whether an ID token lacks claims that the userinfo endpoint may have. */
export const lacksEmail = ({ emailProof = 'email_verified' }: ProviderFacts, claims: Claims): boolean =>
  claims.email === undefined ||
  (emailProof?.toLowerCase().startsWith('email') === true && claims[emailProof] === undefined);

/**
 * The profile from an ID token's claims and, for missing ones, the userinfo endpoint's. The email and its verification
 * are taken from the same source: one source must not verify another one's address.
 */
export function profileOf(
  { emailProof = 'email_verified' }: ProviderFacts,
  claims: Claims & { iss: string; sub: string },
  userinfo: Claims = {},
): Profile {
  const isComplete = emailOf(claims.email) !== undefined && (emailProof === null || claims[emailProof] !== undefined);
  const source = isComplete || emailOf(userinfo.email) === undefined ? claims : userinfo;
  const either = (...names: string[]): unknown =>
    names.map((name) => claims[name] ?? userinfo[name]).find((value) => value !== undefined);
  const email = emailOf(source.email);
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email,
    isEmailProven: email !== undefined && emailProof !== null && isTrue(source[emailProof]),
    firstName: textOf(either('given_name', 'givenName')),
    lastName: textOf(either('family_name', 'familyName')),
    name: textOf(either('name')),
    pictureUrl: pictureOf(either('picture')),
  };
}

/** Names that Apple sends with the code, once and unsigned: they are only used as names. */
export function withAppleName(profile: Profile, user: string | undefined): Profile {
  if (user === undefined || user.length > 4_096) return profile;
  try {
    const { name } = JSON.parse(user) as { name?: { firstName?: unknown; lastName?: unknown } };
    return {
      ...profile,
      firstName: profile.firstName ?? textOf(name?.firstName),
      lastName: profile.lastName ?? textOf(name?.lastName),
    };
  } catch {
    return profile;
  }
}

/**
 * The profile of a GitHub account. Only its primary address is used, and only GitHub's own list says whether it is
 * verified.
 */
export function gitHubProfile(issuer: string, user: Claims, emails: unknown): Profile | undefined {
  if (typeof user.id !== 'number' && typeof user.id !== 'string') return undefined;
  const primary = entriesOf(emails).find((entry) => entry.primary === true);
  return {
    issuer,
    subject: String(user.id),
    email: emailOf(primary?.email ?? user.email),
    isEmailProven: primary?.verified === true && emailOf(primary.email) !== undefined,
    firstName: undefined,
    lastName: undefined,
    name: textOf(user.name),
    pictureUrl: pictureOf(user.avatar_url),
  };
}

/** The profile of a Bitbucket account, likewise. */
export function bitbucketProfile(issuer: string, user: Claims, emails: unknown): Profile | undefined {
  const subject = textOf(user.uuid);
  if (subject === undefined) return undefined;
  const primary = entriesOf((emails as { values?: unknown } | undefined)?.values).find(
    (entry) => entry.is_primary === true,
  );
  const { avatar } = (user.links ?? {}) as { avatar?: { href?: unknown } };
  return {
    issuer,
    subject,
    email: emailOf(primary?.email),
    isEmailProven: primary?.is_confirmed === true && emailOf(primary.email) !== undefined,
    firstName: undefined,
    lastName: undefined,
    name: textOf(user.display_name),
    pictureUrl: pictureOf(avatar?.href),
  };
}

const entriesOf = (value: unknown): Claims[] =>
  Array.isArray(value) ? value.filter((entry): entry is Claims => typeof entry === 'object' && entry !== null) : [];
