import type { ProviderFacts } from '../catalogue/facts.ts';
import { cutText } from '../../../kernel/text.ts';

/** The profile of a user according to a provider. */
export interface Profile {
  issuer: string;
  subject: string;
  email: string | undefined;
  /** True if the provider reports that the email was verified, and is trusted to report it. */
  isEmailProven: boolean;
  firstName: string | undefined;
  lastName: string | undefined;
  name: string | undefined;
  pictureUrl: string | undefined;
}

export type Claims = Readonly<Record<string, unknown>>;

const EMAIL = /^[^\s@\u0000-\u001f]{1,64}@[^\s@\u0000-\u001f]{1,255}$/u;

const readText = (value: unknown, most = 200): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? cutText(value.trim(), 0, most) : undefined;

/** Parses an email address; undefined for any other text. */
export function readEmail(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text.length <= 254 && EMAIL.test(text) ? text : undefined;
}

/** Parses a boolean in the spelling of providers: Apple sends a text, Microsoft a number. */
const isTrue = (value: unknown): boolean => value === true || value === 'true' || value === 1 || value === '1';

/** Parses the address of a picture that a page may show. */
export function readPicture(value: unknown): string | undefined {
  const text = readText(value, 2_048);
  return text !== undefined && URL.canParse(text) && new URL(text).protocol === 'https:' ? text : undefined;
}

/** Reports whether an ID token lacks claims about the email that the userinfo endpoint may have. */
export const lacksEmail = ({ emailProof = 'email_verified' }: ProviderFacts, claims: Claims): boolean =>
  claims.email === undefined ||
  (emailProof?.toLowerCase().startsWith('email') === true && claims[emailProof] === undefined);

/**
 * The profile from an ID token's claims and, for missing ones, those of the userinfo endpoint. The email and its
 * verification are read from the same source, because one source must not verify an address of the other.
 */
export function readProfile(
  { emailProof = 'email_verified' }: ProviderFacts,
  claims: Claims & { iss: string; sub: string },
  userinfo: Claims = {},
): Profile {
  const isComplete = readEmail(claims.email) !== undefined && (emailProof === null || claims[emailProof] !== undefined);
  const source = isComplete || readEmail(userinfo.email) === undefined ? claims : userinfo;
  const either = (...names: string[]): unknown =>
    names.map((name) => claims[name] ?? userinfo[name]).find((value) => value !== undefined);
  const email = readEmail(source.email);
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email,
    isEmailProven: email !== undefined && emailProof !== null && isTrue(source[emailProof]),
    firstName: readText(either('given_name', 'givenName')),
    lastName: readText(either('family_name', 'familyName')),
    name: readText(either('name')),
    pictureUrl: readPicture(either('picture')),
  };
}

/** Adds the names that Apple sends with the code. They are sent once and are not signed, so they are used only as names. */
export function withAppleName(profile: Profile, user: string | undefined): Profile {
  if (user === undefined || user.length > 4_096) return profile;
  try {
    const { name } = JSON.parse(user) as { name?: { firstName?: unknown; lastName?: unknown } };
    return {
      ...profile,
      firstName: profile.firstName ?? readText(name?.firstName),
      lastName: profile.lastName ?? readText(name?.lastName),
    };
  } catch {
    return profile;
  }
}

/**
 * The profile of a GitHub account. Only its primary address is used, and only GitHub's list of addresses shows whether it
 * is verified.
 */
export function gitHubProfile(issuer: string, user: Claims, emails: unknown): Profile | undefined {
  if (typeof user.id !== 'number' && typeof user.id !== 'string') return undefined;
  const primary = listEntries(emails).find((entry) => entry.primary === true);
  return {
    issuer,
    subject: String(user.id),
    email: readEmail(primary?.email ?? user.email),
    isEmailProven: primary?.verified === true && readEmail(primary.email) !== undefined,
    firstName: undefined,
    lastName: undefined,
    name: readText(user.name),
    pictureUrl: readPicture(user.avatar_url),
  };
}

/** The profile of a Bitbucket account, whose primary address is used in the same way. */
export function bitbucketProfile(issuer: string, user: Claims, emails: unknown): Profile | undefined {
  const subject = readText(user.uuid);
  if (subject === undefined) return undefined;
  const primary = listEntries((emails as { values?: unknown } | undefined)?.values).find(
    (entry) => entry.is_primary === true,
  );
  const { avatar } = (user.links ?? {}) as { avatar?: { href?: unknown } };
  return {
    issuer,
    subject,
    email: readEmail(primary?.email),
    isEmailProven: primary?.is_confirmed === true && readEmail(primary.email) !== undefined,
    firstName: undefined,
    lastName: undefined,
    name: readText(user.display_name),
    pictureUrl: readPicture(avatar?.href),
  };
}

const listEntries = (value: unknown): Claims[] =>
  Array.isArray(value) ? value.filter((entry): entry is Claims => typeof entry === 'object' && entry !== null) : [];
