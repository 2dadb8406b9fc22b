import { describe, expect, test } from '@jest/globals';

import { httpEntry } from '../../../functions/kernel/http/entry.ts';
import { referenceArea } from '../../../functions/faces/reference/area.ts';
import { readContent } from '../../../functions/faces/reference/document/content.ts';
import { rank } from '../../../functions/faces/reference/search/rank.ts';
import { searchIndex } from '../../../functions/faces/reference/search/search-index.ts';
import { call } from '../../kernel/http/calls.ts';
import { ASKED_BLIND, FIRST_QUESTIONS, OWN_WORDS, QUESTIONS } from './questions.ts';

const handler = httpEntry(referenceArea);
const get = async (path: string) => call(handler, 'GET', path, { headers: {} });

describe('The search', () => {
  const find = async (query: string) => rank(searchIndex(await readContent()), query);

  test.each([...QUESTIONS, ...FIRST_QUESTIONS, ...ASKED_BLIND, ...OWN_WORDS])(
    'has an answer to “%s” among its first three results',
    async (query, ...addresses) => {
      const found = (await find(query)).slice(0, 3).map(({ u }) => u);
      expect(found.filter((own) => addresses.some((address) => own.startsWith(address)))).not.toEqual([]);
    },
  );

  test('shows the results of the script in a page without script', async () => {
    const [first] = await find('verify email address');
    expect((await get('/docs?q=verify+email+address')).text).toContain(`href="${first?.u}"`);
  });

  test.each([
    ['/sso/authorize', 'sso.authorize'],
    ['GET /user_management/users/user_01JZ8Y0V5W7N3T2K4M6P9Q1R2S', 'users.get'],
    ['https://auth.example.com/organizations/{organizationId}/groups', 'groups.list'],
    ['x_authorization.check_many', 'x_authorization.check_many'],
    ['createOrganization', 'organizations.create'],
  ])('finds the operation of %s first', async (query, id) => {
    const [first] = await find(query);
    expect(first?.u).toMatch(new RegExp(`#${id.replace('.', '\\.')}$`));
  });

  test('puts pages with all words of a query before pages with some, and leaves none of these out', () => {
    const entry = (t: string, w: string) => ({ t, w, k: 'operation', u: `/docs/${t}`, d: '' });
    const index = {
      entries: [entry('Widget', 'blue'), entry('Plain', 'blue widget token'), entry('Token', ''), entry('Last', '')],
      synonyms: {},
      phrases: { 'kill switch': 'token', '^can a': 'widget' },
      common: ['how', 'the'],
    };
    const titles = (query: string) => rank(index, query).map(({ t }) => t);
    expect(titles('how the blue widgets')).toEqual(['Widget', 'Plain']);
    expect(titles('blue token')).toEqual(['Plain', 'Token', 'Widget']);
    expect(titles('the how')).toEqual([]);
    expect(titles('kill switch')).toEqual(['Token', 'Plain']);
    expect(titles('can a')).toEqual(['Widget', 'Plain']);
    expect(titles('token can a')).toEqual(['Token', 'Plain']);
  });

  test('has each page and section once, and headings at any place of a guide', async () => {
    const { entries } = searchIndex(await readContent());
    const addresses = entries.filter(({ k }) => k !== 'field').map(({ u }) => u);
    expect(addresses.length).toBe(new Set(addresses).size);
    expect(entries.map(({ u }) => u)).toContain('/docs/guides/webhook-signatures#respond-and-deduplicate');
  });

  test('finds fields by their names', async () => {
    const found = rank(searchIndex(await readContent()), 'domain_data');
    expect(found[0]).toMatchObject({ t: 'domain_data', k: 'field' });
  });

  test('leads to pages and anchors that exist', async () => {
    const { entries } = searchIndex(await readContent());
    const byPage = Map.groupBy(entries, ({ u }) => u.split('#', 1)[0] ?? '');
    const dead: string[] = [];
    for (const [page, own] of byPage) {
      if (page.startsWith('/docs/errors/')) continue;
      const { status, text } = await get(page);
      for (const { u } of own) {
        const [, fragment] = u.split('#', 2);
        if (status !== 200 || (fragment !== undefined && !text.includes(`id="${fragment}"`))) dead.push(u);
      }
    }
    expect([...new Set(dead)]).toEqual([]);
  }, 120_000);

  test('escapes the search text', async () => {
    const { text } = await get(`/docs?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
    expect(text).not.toContain('<script>alert');
  });
});
