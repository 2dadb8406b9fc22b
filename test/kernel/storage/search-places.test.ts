import { expect, test } from '@jest/globals';

import { newId } from '../../../functions/kernel/ids.ts';
import { listPlaces, placeWord } from '../../../functions/kernel/storage/search-places.ts';
import { findUserWords } from '../../../functions/record/modules/search/user-words/rules.ts';
import { readPhone } from '../../../functions/record/modules/search/hit/phone.ts';

test('a word is in one of the places that a search by each of its beginnings reads', () => {
  for (const word of ['acme', 'a', 'a1', '4ever', 'économie', '東京都', '東', 'éa', 'aé', 'ß', '@acme.example']) {
    const id = newId('user');
    const characters = [...word];
    for (let length = 1; length <= characters.length; length += 1) {
      const start = characters.slice(0, length).join('');
      expect([word, start, listPlaces('user', start)]).toEqual([
        word,
        start,
        expect.arrayContaining([placeWord('user', word, id)]),
      ]);
    }
  }
});

test('a search by two letters or more reads one place, one by a letter 37, and one by a domain eight', () => {
  expect(['ac', 'acme', '東', '東京', 'a', '@acme.example'].map((start) => listPlaces('user', start).length)).toEqual([
    1, 1, 1, 1, 37, 8,
  ]);
});

test('the search rows of many users with one mail domain are spread over all partitions of the domain', () => {
  const places = new Set(Array.from({ length: 500 }, () => placeWord('user', '@gmail.com', newId('user'))));
  expect(places).toEqual(new Set(listPlaces('user', '@gmail.com')));
});

test('the words of a user are phrases that begin with each word of the names and of the address, at most thirteen', () => {
  const { words, text } = findUserWords({ email: 'ada.byron@acme.example', firstName: 'Áda', lastName: 'Lovelace' });
  expect(words).toEqual(['ada lovelace', 'lovelace ada', 'byron ada', '@acme.example']);
  expect(text).toBe('ada lovelace ada.byron@acme.example');
  const long = Array.from({ length: 40 }, (_, at) => `w${at}`).join(' ');
  expect(findUserWords({ email: 'ada@acme.example', name: long }).words).toHaveLength(13);
});

test.each([
  ['+49 151 1234567', '491511234567'],
  ['0049-151-1234567', '491511234567'],
  ['+49 (0)151 1234567', '491511234567'],
  ['(0151) 1234567', '1511234567'],
  ['tel:+1-415-555-2671', '14155552671'],
  ['415.555.2671', '4155552671'],
  ['12345', undefined],
  ['+1234567890123456', undefined],
  ['2026-01-02T10:00', undefined],
  ['Flat 151 1234567', undefined],
  ['1e100000', undefined],
])('the phone number %s is read as %s', (typed, digits) => {
  expect(readPhone(typed)).toBe(digits);
});
