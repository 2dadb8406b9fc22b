import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';

import { reset } from '../support/service.ts';
import { closeChromium, describeInChromium } from './chromium.ts';
import { formsOfPages, walker } from './walker.ts';
import { WALKS } from './walks.ts';

/**
 * Time limit in ms of a test that sends forms from a real browser, since only a browser shows which headers about its
 * origin and which cookies it sends.
 */

const SLOW = 300_000;

beforeEach(() => reset({ calm: true }));
afterAll(() => closeChromium());

test('every form of a page is sent in a real browser', () => {
  const walked = Object.values(WALKS).flatMap(({ forms }) => forms);
  expect([...new Set(walked)].sort()).toEqual([...formsOfPages].sort());
});

describeInChromium('a form that a real browser sends is taken as the page’s own', () => {
  describe.each(Object.entries(WALKS))('%s', (_title, { forms, walk }) => {
    test(
      forms.join(', ') || 'no form',
      async () => {
        const person = await walker();
        try {
          await walk(person);
          expect([...person.taken]).toEqual(expect.arrayContaining([...forms]));
          expect(person.complaints).toEqual([]);
        } finally {
          await person.close();
        }
      },
      SLOW,
    );
  });
});
