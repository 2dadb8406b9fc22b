import { expect } from '@jest/globals';

import type { Page } from './browser.ts';
import { reviewForm } from './console-forms.ts';
import { visitConsole, type Visitor } from './console-pages.ts';
import { readText } from './portal.ts';
import { call } from './service.ts';

const REASON = { reason: 'Ticket 92: forms of records' };

let visitor: Visitor;

/** Signs in to the console as the local owner, for the forms of a test. */
export const beginActing = async (): Promise<Visitor> => (visitor = await visitConsole());

/** Sends the form of an act. @param fields the values of its fields; those of selections and texts are not read of the page */
export const act = async (page: Page, name: string, fields: Record<string, string> = {}): Promise<Page> =>
  visitor.person.submit(page, { ...REASON, ...fields }, `value="${name}"`);

/** Sends the first step of a change. */
export const review = async (page: Page, operation: string, changes: Record<string, string>): Promise<Page> =>
  reviewForm(visitor.person, page, `value="${operation}"`, changes);

/** Saves a change that was reviewed. */
export const save = async (page: Page, operation: string, changes: Record<string, string> = {}): Promise<Page> =>
  visitor.person.submit(page, { ...REASON, ...changes, step: 'save' }, `value="${operation}"`);

/** Reads a record of the API. */
export const read = async (path: string) => (await call<Record<string, unknown>>('GET', path)).body;

/** Makes a record by the API. */
export const make = async <T = { id: string }>(path: string, body: object): Promise<T> =>
  (await call<T>('POST', path, body)).body;

/** Saves a change that another user made impossible in between: both versions are shown, and the other change stays. */
export async function expectConflict(page: Page, operation: string, changes: Record<string, string>, path: string) {
  const before = await read(path);
  const reviewed = await review(page, operation, changes);
  // The review of a change that can be rehearsed finds the conflict already.
  const late = reviewed.status === 422 ? reviewed : await save(reviewed, operation);
  expect([late.status, readText(late)]).toEqual([422, expect.stringContaining('another user changed this')]);
  expect(await read(path)).toEqual(before);
}
