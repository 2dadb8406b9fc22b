import { domainToASCII } from 'node:url';

import { normalizeEmail } from '../../../../kernel/address.ts';
import { isId, isUuid } from '../../../../kernel/id-format.ts';
import { findKind } from './kinds.ts';
import { readPhone } from './phone.ts';

/** The form of what was typed, which decides where it is looked up. */
export type Form = 'id' | 'address' | 'url' | 'domain' | 'phone' | 'name';

/** One thing that was typed. */
export interface Term {
  form: Form;
  /** The term as it was typed, without surrounding punctuation. */
  text: string;
  /** As it is looked up: an address or a domain in lower case and ASCII, a URL in its normal form, the digits of a phone number. */
  value: string;
}

/** The query: several ids or addresses, or one thing. */
export interface Question {
  terms: readonly Term[];
  isList: boolean;
}

/** Maximum ids and addresses of one search. */
export const MOST_TERMS = 100;
/** Maximum hits of a search for one thing. */
export const MOST_HITS = 20;
/** Maximum characters of a search. */
export const MOST_CHARACTERS = 8_000;

const AROUND = /^[\s"'<([]+|[\s"'>)\],;.]+$/g;
const DOMAIN = /^@?([\p{L}\p{N}-]+\.)+\p{L}{2,}$/u;

/**
 * Reads what was typed. Several ids and addresses, separated by blanks, commas or semicolons, are a list; anything else
 * is one term, which may contain blanks.
 */
export function readQuestion(typed: string): Question {
  const parts = [...new Set(typed.split(/[\s,;]+/).map(trimmed))].filter((part) => part !== '');
  const terms = parts.map(readTerm);
  const isList = terms.length > 1 && terms.every(({ form }) => form === 'id' || form === 'address');
  // A single part that was typed several times is one term.
  return isList || terms.length === 1 ? { terms, isList } : { terms: [readTerm(trimmed(typed))], isList };
}

const trimmed = (text: string): string => text.replace(AROUND, '');

function readTerm(text: string): Term {
  const form = (name: Form, value: string): Term => ({ form: name, text, value });
  const id = /^[0-9a-f-]{36}$/i.test(text) ? text.toLowerCase() : text;
  if (isUuid(id) || (isId(readPrefix(id), id) && findKind(id) !== undefined)) return form('id', id);
  const address = normalizeEmail(text);
  if (address !== undefined) return form('address', address);
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return form('url', new URL(text).href);
  if (DOMAIN.test(text)) return form('domain', domainToASCII(text.replace(/^@/, '')).toLowerCase());
  const digits = readPhone(text);
  return digits === undefined ? form('name', text) : form('phone', digits);
}

const readPrefix = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf('_')));

/** Reports whether a text is a single ASCII letter or digit. */
export const isSingleCharacter = (text: string): boolean => /^[a-z0-9]$/i.test(text);
