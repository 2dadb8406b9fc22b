import { describe, expect, test } from '@jest/globals';

import { cutText, lastFour } from '../../functions/kernel/text.ts';

const FACE = '😀';
const [HIGH, LOW] = ['\ud83d', '\ude00'];

describe('truncated text', () => {
  test.each([
    ['abcdef', 0, 3, 'abc'],
    ['abcdef', 2, undefined, 'cdef'],
    ['abcdef', -4, undefined, 'cdef'],
    ['abcdef', -4, -1, 'cde'],
    ['abc', 0, 10, 'abc'],
    ['abc', 2, 1, ''],
    ['', 0, 4, ''],
    [`ab${FACE}cd`, 0, 3, `ab${FACE}`],
    [`ab${FACE}cd`, 0, 2, 'ab'],
    [`ab${FACE}xyz`, -4, undefined, `${FACE}xyz`],
    [`${FACE}${FACE}${FACE}`, 1, 2, FACE],
    [`${FACE}${FACE}${FACE}`, -2, undefined, `${FACE}${FACE}`],
    [`${FACE}${FACE}${FACE}`, 0, -1, `${FACE}${FACE}`],
    ['a\uffffb\uffff', -2, undefined, 'b\uffff'],
    ['a\uffffb', 0, 2, 'a\uffff'],
    [`${HIGH}abc`, 0, 2, '\ufffda'],
    [`abc${LOW}`, -2, undefined, 'c\ufffd'],
    [`abc${HIGH}`, 0, 10, 'abc\ufffd'],
  ])('%j from %p to %p is %j', (text, start, end, expected) => {
    expect(cutText(text, start, end)).toBe(expected);
  });

  test('is well-formed at any length, and never longer than requested', () => {
    const text = `a${FACE}\uffff${HIGH}b${LOW}${LOW}${FACE}${HIGH}${HIGH}c`;
    const characters = [...text.toWellFormed()];
    for (let start = -12; start <= 12; start += 1) {
      for (let end = -12; end <= 12; end += 1) {
        const cut = cutText(text, start, end);
        expect(cut).toBe(characters.slice(start, end).join(''));
        expect(cut.isWellFormed()).toBe(true);
      }
    }
  });
});

test.each([
  ['sk-1234567890abcdef', 'cdef'],
  ['12345678', '5678'],
  ['12345', '45'],
  ['ab', 'b'],
  ['a', ''],
  [FACE, ''],
  [`${FACE}${FACE}`, FACE],
  [`abcdefghij${FACE}xyz`, `${FACE}xyz`],
])('of the secret %s shows at most half of it: %s', (secret, visible) => {
  expect(lastFour(secret)).toBe(visible);
});
