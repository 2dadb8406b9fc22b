import { addWord, removeWord, type Searchable } from './search.ts';
import type { Write } from './write.ts';

/** The kind of phone numbers in the rows of words. */
export const PHONE_WORDS = 'phone';

/** A text with its characters in the opposite order, so that an ending becomes a beginning. */
export const reverse = (text: string): string => [...text].toReversed().join('');

/** The word of a phone number: its digits backwards, so that it is found with and without the country and in each national spelling. */
const makeWord = (phoneNumber: string): string => reverse(phoneNumber.replaceAll(/\D/g, ''));

type PhoneRecord = Omit<Searchable, 'kind'>;

/** The write by which a search finds a record by its phone number. */
export const addPhone = (record: PhoneRecord, phoneNumber: string): Write =>
  addWord({ ...record, kind: PHONE_WORDS }, makeWord(phoneNumber), phoneNumber);

/** The write that removes it again. */
export const removePhone = (record: PhoneRecord, phoneNumber: string): Write =>
  removeWord({ ...record, kind: PHONE_WORDS }, makeWord(phoneNumber));
