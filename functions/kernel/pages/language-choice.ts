import { type Binding, cookieValue, setCookie } from '../http/cookies.ts';
import type { IncomingRequest } from '../http/incoming-request.ts';
import { canonicalLocale } from '../locale.ts';

/** The path of the form with which a reader chooses a language. */
export const LANGUAGE_PATH = '/hosted/language';

// The choice is the reader's, and not one of an environment, so the id in the name is the same everywhere.
const BINDING: Binding = { purpose: 'language', id: 'everyenvironment' };

/** The language that the reader chose on a page of this service; undefined for a reader who chose none. */
export function chosenLanguage(
  request: Pick<IncomingRequest, 'headers'> & { cookies?: readonly string[] },
): string | undefined {
  const value = cookieValue(request, BINDING);
  return value === undefined ? undefined : canonicalLocale(value);
}

/** The Set-Cookie header that keeps the choice. @param tag a language tag (BCP 47) */
export const languageCookie = (tag: string): string => setCookie(BINDING, tag);
