import type { Issue } from '../../kernel/errors.ts';
import { COMMON_WORDS, KEYBOARD_RUNS } from './common-passwords.ts';

/**
 * Characters that a password may have at most. NIST SP 800-63B section 5.1.1.2 wants 64 to be taken; nobody types more
 * than this, and it bounds what normalization and hashing are given.
 */
export const MAX_PASSWORD_CHARACTERS = 256;

/**
 * UTF-16 units beyond which a password is too long however it is normalized: form KC makes at most four characters one, and a
 * character is two units at most. Ordering a long run of combining marks takes the square of its length (a megabyte of them
 * four minutes), so nothing longer is normalized.
 */
const MOST_UNITS = MAX_PASSWORD_CHARACTERS * 8;

const TOO_LONG = `must have at most ${MAX_PASSWORD_CHARACTERS} characters`;

/** What an environment asks of passwords. */
export interface PasswordPolicy {
  /** Least number of characters. */
  min_length: number;
  /** How many of lower case, upper case, digits and others must occur. */
  min_classes: number;
  /** Whether common passwords, runs and repetitions, and the address's own name are refused. */
  refuse_common: boolean;
}

/**
 * A password as it is hashed: in normalization form KC, since keyboards compose characters in different ways (NIST SP
 * 800-63B section 5.1.1.2). Nothing is trimmed or cut off.
 */
export const normalizePassword = (password: string): string => password.normalize('NFKC');

/**
 * What stands against a password, nothing when it may be used. The texts tell whoever chose it what to do and never repeat it.
 * @param email Of the account, whose name must not occur in it.
 */
export function issuesOf(password: string, policy: PasswordPolicy, email?: string): Issue[] {
  const tooLong = [{ field: 'password', code: 'password_too_long', message: TOO_LONG }];
  if (password.length > MOST_UNITS) return tooLong;
  const normal = normalizePassword(password);
  const length = [...normal].length;
  if (length > MAX_PASSWORD_CHARACTERS) return tooLong;
  const issues: Issue[] = [];
  const add = (code: string, message: string) => issues.push({ field: 'password', code, message });
  if (length < policy.min_length) add('password_too_short', `must have at least ${policy.min_length} characters`);
  if (classesOf(normal) < policy.min_classes) {
    const classes = 'lower-case letters, upper-case letters, digits and other characters';
    add('password_too_uniform', `must have characters of at least ${policy.min_classes} of these kinds: ${classes}`);
  }
  if (!policy.refuse_common) return issues;
  if (isCommon(normal)) add('password_too_common', 'is among the most commonly guessed passwords');
  if (holdsName(normal, email)) add('password_contains_email', 'must not contain the name in the email address');
  return issues;
}

const CLASSES = [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{Ll}\p{Lu}\p{Nd}]/u];

const classesOf = (password: string): number => CLASSES.filter((kind) => kind.test(password)).length;

const LEET: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/**
 * Whether a password is a common word with digits or marks around it (`Passw0rd2024!`), a run along the keyboard or the alphabet, or
 * a short piece repeated: the forms that a list of a million leaked passwords is made of, without the list.
 */
function isCommon(password: string): boolean {
  const folded = password.toLowerCase();
  if (isRepetition(folded) || isRun(folded)) return true;
  const core = folded.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const plain = (text: string) => text.replace(/[0134578@$!]/g, (mark) => LEET[mark] ?? mark);
  return [core, plain(core), plain(folded), plain(folded).replace(/[^\p{L}]+$/u, '')].some(
    (word) => COMMON_WORDS.has(word) || COMMON_WORDS.has(word.replace(/[^\p{L}]/gu, '')) || isRun(word),
  );
}

/** One piece of at most four characters again and again: `aaaaaaaaaa`, `abcabcabcabc`. */
const isRepetition = (text: string): boolean => /^(.{1,4}?)\1+.{0,3}$/su.test(text) && new Set(text).size <= 4;

/** All of it a stretch of a keyboard row or an alphabet, forwards or backwards; two stretches count as well. */
function isRun(text: string): boolean {
  if (text.length < 4) return false;
  const isStretch = (part: string) => KEYBOARD_RUNS.some((run) => run.includes(part));
  if (isStretch(text)) return true;
  return Array.from({ length: Math.max(0, text.length - 5) }, (_, at) => at + 3).some(
    (at) => isStretch(text.slice(0, at)) && isStretch(text.slice(at)),
  );
}

/** Shorter names occur in words by chance. */
const LEAST_NAME = 4;

function holdsName(password: string, email: string | undefined): boolean {
  const name = normalizePassword(email?.slice(0, email.lastIndexOf('@')) ?? '').toLowerCase();
  return name.length >= LEAST_NAME && password.toLowerCase().includes(name);
}
