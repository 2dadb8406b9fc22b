import type { Issue } from '../../../../kernel/errors.ts';
import { COMMON_WORDS, KEYBOARD_RUNS } from './common-passwords.ts';

/**
 * Maximum characters of a password. NIST SP 800-63B section 5.1.1.2 requires at least 64; typed passwords are shorter
 * than this, and it limits the input of normalization and hashing.
 */
export const MAX_PASSWORD_CHARACTERS = 256;

/**
 * Maximum UTF-16 units before normalization. Form KC combines at most four characters into one, and a character has at most
 * two units. Sorting a long run of combining marks takes quadratic time (four minutes for a megabyte), so longer text is
 * not normalized.
 */
const MOST_UNITS = MAX_PASSWORD_CHARACTERS * 8;

const TOO_LONG = `must have at most ${MAX_PASSWORD_CHARACTERS} characters`;

/** An environment's password rules. */
export interface PasswordPolicy {
  /** Minimum number of characters. */
  min_length: number;
  /** Minimum number of kinds of characters among lower case, upper case, digits and others. */
  min_classes: number;
  /** True if common passwords, sequences and repetitions, and the address's local part are rejected. */
  refuse_common: boolean;
}

/**
 * Returns the text that is hashed: in normalization form KC, since keyboards compose characters in different ways (NIST SP
 * 800-63B section 5.1.1.2), neither trimmed nor truncated.
 */
export const normalizePassword = (password: string): string => password.normalize('NFKC');

/**
 * The violations of the rules by a password, none if the list is empty. The messages describe what to do and never repeat
 * the password.
 * @param email the account's address, whose local part must not occur in it
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
  if (countClasses(normal) < policy.min_classes) {
    const classes = 'lower-case letters, upper-case letters, digits and other characters';
    add('password_too_uniform', `must have characters of at least ${policy.min_classes} of these kinds: ${classes}`);
  }
  if (!policy.refuse_common) return issues;
  if (isCommon(normal)) add('password_too_common', 'is among the most commonly guessed passwords');
  if (containsName(normal, email)) add('password_contains_email', 'must not contain the name in the email address');
  return issues;
}

const CLASSES = [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{Ll}\p{Lu}\p{Nd}]/u];

const countClasses = (password: string): number => CLASSES.filter((kind) => kind.test(password)).length;

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
 * Reports whether a password is a common word with digits or punctuation around it (`Passw0rd2024!`), a sequence on a
 * keyboard or of the alphabet, or a short text repeated. Most leaked passwords have one of these forms, so the list of
 * leaked passwords is not needed.
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

/** Reports whether a text of at most four characters is repeated: `aaaaaaaaaa`, `abcabcabcabc`. */
const isRepetition = (text: string): boolean => /^(.{1,4}?)\1+.{0,3}$/su.test(text) && new Set(text).size <= 4;

/**
 * Reports whether a whole text is a sequence on a keyboard row or of the alphabet, forwards or backwards, or two such
 * sequences.
 */
function isRun(text: string): boolean {
  if (text.length < 4) return false;
  const isSequence = (part: string) => KEYBOARD_RUNS.some((run) => run.includes(part));
  if (isSequence(text)) return true;
  return Array.from({ length: Math.max(0, text.length - 5) }, (_, at) => at + 3).some(
    (at) => isSequence(text.slice(0, at)) && isSequence(text.slice(at)),
  );
}

/** Minimum length of a name that is searched in a password; shorter ones occur in words by chance. */
const LEAST_NAME = 4;

function containsName(password: string, email: string | undefined): boolean {
  const name = normalizePassword(email?.slice(0, email.lastIndexOf('@')) ?? '').toLowerCase();
  return name.length >= LEAST_NAME && password.toLowerCase().includes(name);
}
