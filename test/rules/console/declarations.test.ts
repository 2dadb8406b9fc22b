import { describe, expect, test } from '@jest/globals';
import { transformSync } from 'esbuild';
import { WorkOS } from '@workos-inc/node';

import { OPERATIONS } from '../../../functions/faces/console/operation-table.ts';
import { type Calls, type ConsolePage, MOST_CALLS, type Parts } from '../../../functions/faces/console/page/declare.ts';
import { SCRIPT } from '../../../functions/faces/console/page/script.ts';
import { SDK_METHODS } from '../../../functions/faces/console/page/sdk-lines.ts';
import { readStyle } from '../../../functions/faces/console/page/style.ts';
import type { Visit } from '../../../functions/faces/console/page/visit.ts';
import { readPageIndex } from '../../../functions/faces/console/page-index.ts';
import { loadSections } from '../../../functions/faces/console/sections.ts';
import { OPERATOR_PERMISSIONS } from '../../../functions/kernel/authentication/operator-permission.ts';

const consolePages = (await loadSections()).flatMap(({ pages }) => pages);

const environment = {
  id: 'environment_01K0G000000000000000000000',
  name: 'Production',
  color: null,
  isProduction: true,
  permissions: new Set(OPERATOR_PERMISSIONS),
};

const names = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** A visit of a page, whose parameters are their own names. */
const makeVisit = ({ path }: ConsolePage): Visit =>
  ({
    operator: { id: 'user_1', name: null, email: 'grace@example.com', environments: [environment], binding: 'x' },
    environment,
    params: Object.fromEntries(names(path).map((name) => [name, `of-${name}`])),
    query: new URLSearchParams({ q: 'ada', time: '2026-03-03T10:00' }),
    path,
    now: 0,
  }) as unknown as Visit;

/** The fields of forms that name a record in the path of a call. */
const FIELDS = {
  id: 'id_1',
  session_id: 'session_1',
  reset: 'reset_1',
  delivery: 'delivery_1',
  target: 'user_1',
  type: 'team',
  provider: 'provider_1',
  list: 'block',
};

/** Parts of the first wave as large as they become: lists of 100 records. */
const fullParts = (calls: Calls): Parts<Calls> => {
  const data = Array.from({ length: 100 }, (_, at) => ({ id: `id_${at}` }));
  const value = { data, email: 'ada@example.com', event_id: 'event_1', user_id: 'user_1' };
  return Object.fromEntries(Object.keys(calls).map((name) => [name, { state: 'shown', value }]));
};

const listCalls = (page: ConsolePage): Calls => {
  const visit = makeVisit(page);
  const first = page.calls(visit);
  return { ...first, ...page.then?.(fullParts(first), visit) };
};

const pages = consolePages.map((page) => [page.path === '' ? '/' : page.path, page] as const);

describe('the declarations of the pages', () => {
  test.each(pages)('%s makes at most eight calls in both waves, and fills in every path', (_, page) => {
    const calls = Object.values(listCalls(page));
    expect(calls.length).toBeLessThanOrEqual(MOST_CALLS);
    for (const { operation, params } of calls) {
      const entry = OPERATIONS[operation];
      if (entry === undefined) throw new Error(`There is no operation ${operation}`);
      expect([operation, entry[2]]).not.toEqual([operation, 'never']);
      expect([operation, names(entry[1]).toSorted()]).toEqual([operation, Object.keys(params).toSorted()]);
      expect([operation, entry[0]]).toEqual([operation, 'GET']);
    }
  });

  test.each(pages)('%s names its main part, the page above it and operations of its acts that exist', (_, page) => {
    const calls = listCalls(page);
    if (page.main !== undefined) expect(Object.keys(calls)).toContain(page.main);
    if (page.parent !== undefined) expect(consolePages.map(({ path }) => path)).toContain(page.parent);
    for (const { operation, call } of page.acts) {
      // The form names the operation, and the API accepts only the approved call.
      if (operation === 'form') continue;
      const made = call(FIELDS, makeVisit(page));
      expect(made.operation).toBe(operation);
      const entry = OPERATIONS[operation];
      if (entry === undefined) throw new Error(`There is no operation ${operation}`);
      expect([operation, entry[2]]).not.toEqual([operation, 'never']);
      // A reveal is a GET, and only the form of an act makes it, since it asks for a reason and a step-up.
      if (entry[2] !== 'secrets.reveal') expect(entry[0]).not.toBe('GET');
      expect(names(entry[1]).toSorted()).toEqual(Object.keys(made.params).toSorted());
    }
  });

  test.each(pages)('%s is in the index with the operation without which there is no page', async (_, page) => {
    const { path, title, permission, menu, parent, isOfStage, main } = page;
    const operation = main === undefined ? undefined : listCalls(page)[main]?.operation;
    const entries = (await readPageIndex()).pages.filter((each) => each.path === path);
    expect(entries).toMatchObject([{ path, title, permission, menu, parent, isOfStage, operation }]);
  });

  test('have different paths, shortcuts and, on each page, names of acts', () => {
    const unique = (values: readonly (string | undefined)[]) => {
      const given = values.filter((each) => each !== undefined);
      expect(given.filter((each, at) => given.indexOf(each) !== at)).toEqual([]);
    };
    unique(consolePages.map(({ path }) => path.replaceAll(/\{\w+\}/g, '{}')));
    unique(consolePages.map(({ menu }) => menu?.shortcut));
    for (const { acts } of consolePages) unique(acts.map(({ name }) => name));
  });
});

test('the SDK lines of pages name methods of the official Node client', () => {
  const client = new WorkOS('sk_test', { clientId: 'client_1' }) as unknown as Record<string, Record<string, unknown>>;
  for (const path of SDK_METHODS) {
    const [resource = '', method = ''] = path.split('.');
    expect([path, typeof client[resource]?.[method]]).toEqual([path, 'function']);
  }
});

describe('the assets', () => {
  test('keep their sizes: 24 KB of style and 12 KB of minified script', () => {
    expect(Buffer.byteLength(readStyle())).toBeLessThanOrEqual(24 * 1024);
    expect(Buffer.byteLength(transformSync(SCRIPT, { minify: true }).code)).toBeLessThanOrEqual(12 * 1024);
  });

  test('load nothing from elsewhere, and the script makes no HTML of text', () => {
    expect(readStyle()).not.toMatch(/url\(|@import|https?:/);
    expect(SCRIPT).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|srcdoc|eval\(|Function\(|createContextualFragment/,
    );
  });
});
