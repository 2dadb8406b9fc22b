import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { describe, expect, test } from '@jest/globals';

import { openApiDocument } from '../../../lib/openapi/document.ts';
import { httpEntry } from '../../../functions/kernel/http/entry.ts';
import { html } from '../../../functions/kernel/pages/html.ts';
import { referenceArea } from '../../../functions/faces/reference/area.ts';
import { chooseEncoding, withCompression } from '../../../functions/faces/reference/document/compressed.ts';
import { readContent } from '../../../functions/faces/reference/document/content.ts';
import { GUIDES } from '../../../functions/faces/reference/guides/list.ts';
import { renderGuide } from '../../../functions/faces/reference/guides/render.ts';
import { listOperations, readNavigation } from '../../../functions/faces/reference/navigation/navigation.ts';
import { listErrorCodes } from '../../../functions/faces/reference/page/errors.ts';
import { listEventTypes } from '../../../functions/faces/reference/page/events.ts';
import { areas } from '../../../functions/registry.ts';
import { call } from '../../kernel/http/calls.ts';
import { recordResponse } from '../../support/declarations/record.ts';

const handler = httpEntry(referenceArea);

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await call(handler, 'GET', path, { headers });
  recordResponse('GET', path.split('?', 1)[0] ?? path, response.status, response.json);
  return response;
}
const document = openApiDocument(areas);
const { sections } = readNavigation(document);
const resources = sections.flatMap((section) => section.resources);
/** The addresses of all pages, without those of error codes and events. */
const pages = [
  '/docs',
  '/docs/errors',
  '/docs/event-types',
  ...sections.map(({ name }) => `/docs/${name}`),
  ...resources.map(({ area, slug }) => `/docs/${area}/${slug}`),
  ...GUIDES.map(({ name }) => `/docs/guides/${name}`),
];

describe('GET /openapi.json', () => {
  test('returns the document of the registry without authentication', async () => {
    const { status, json } = await get('/openapi.json');
    expect(status).toBe(200);
    expect(json).toEqual(JSON.parse(JSON.stringify(document)));
  });

  test('returns 304 without a body if the ETag matches', async () => {
    const { headers } = await get('/openapi.json');
    const again = await get('/openapi.json', { 'if-none-match': `"other", W/${headers.etag}` });
    expect(again).toMatchObject({ status: 304, text: '' });
    expect(again.headers).not.toHaveProperty('content-type');
  });
});

describe('Pages of the reference', () => {
  test('have no dead links: each leads to a page, and each fragment to an element', async () => {
    const content = await readContent();
    const texts = new Map<string, string>();
    const readText = async (address: string): Promise<string | undefined> => {
      const known = texts.get(address);
      if (known !== undefined) return known;
      const { status, text } = await get(address);
      if (status !== 200) return undefined;
      texts.set(address, text);
      return text;
    };
    const others = [...content.guides.keys()].map((name) => `/docs/guides/${name}`);
    const dead: string[] = [];
    for (const address of new Set([...pages, ...others, '/docs/errors/not_found', '/docs/event-types/user.created'])) {
      const text = (await readText(address)) ?? '';
      if (text === '') dead.push(address);
      const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
      expect({ address, ids: ids.length }).toEqual({ address, ids: new Set(ids).size });
      for (const [, target = ''] of text.matchAll(/<a [^>]*?href="([#/][^"]*)"/g)) {
        const [page = '', fragment] = target.split('#', 2);
        if (page !== '' && !page.startsWith('/docs')) continue;
        const found = page === '' ? text : await readText(page);
        const leads = found !== undefined && (fragment === undefined || found.includes(`id="${fragment}"`));
        if (!leads) dead.push(`${address} -> ${target}`);
      }
      expect(text).not.toMatch(/\[object Object\]|>undefined|NaN/);
    }
    expect([...new Set(dead)]).toEqual([]);
  }, 120_000);

  test('describe every operation of the registry, each at its own address', () => {
    const { addresses } = readNavigation(document);
    const ids = areas.flatMap(({ operations }) => operations.map(({ id }) => id));
    expect(ids.filter((id) => !addresses.has(id))).toEqual([]);
    expect(new Set(addresses.values()).size).toBe(listOperations(document).length);
  });

  test('use only the script and style that their policy names by digest', async () => {
    const { text, headers } = await get('/docs');
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toContain('unsafe');
    for (const element of ['style', 'script']) {
      const found = [...text.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))];
      expect(found).toHaveLength(1);
      const digest = createHash('sha256')
        .update(found[0]?.[1] ?? '')
        .digest('base64');
      expect(policy).toContain(`${element}-src 'sha256-${digest}'`);
    }
    expect(text).not.toMatch(/\sstyle="|\son\w+="|src="|@import|url\(/);
  });

  test('show the variants of a body and the meaning of its fields', async () => {
    const { text } = await get('/docs/authentication/authentication');
    expect(text).toContain('Request body, grant_type &quot;refresh_token&quot;');
    expect(text).toContain('The token of the 403 that requires this step');
  });

  test('show which null is that of an entry of a map and which that of the map', async () => {
    const { text } = await get('/docs/user-management/users.md');
    expect(text).toContain('`metadata` (map of (string or null) or null, ');
  });

  test('of an event say whether a webhook endpoint can subscribe to it', async () => {
    const polled = 'A webhook endpoint cannot subscribe to this event.';
    for (const suffix of ['', '.md']) {
      expect((await get(`/docs/event-types/vault.data.read${suffix}`)).text).toContain(polled);
      const { text } = await get(`/docs/event-types/user.created${suffix}`);
      expect(text).not.toContain(polled);
      expect(text).toContain('A webhook delivers the event at least once');
    }
    const { text } = await get('/docs/event-types.md');
    expect(text).toContain('- vault.data.read (only polling)\n');
    expect(text).toMatch(/^- user\.created$/m);
  });

  test('have breadcrumbs, and links to the pages before and after', async () => {
    const { text } = await get('/docs/organizations/organizations');
    expect(text).toContain('<a href="/docs/organizations">Organizations</a>');
    expect(text).toContain('rel="prev"');
    expect(text).toContain('rel="next"');
  });

  test.each([
    '/docs/nothing',
    '/docs/organizations/nothing',
    '/docs/guides/..',
    '/docs/errors/nothing',
    '/docs/x/y.md',
  ])('return 404 for %s', async (path) => {
    expect(await get(path)).toMatchObject({ status: 404, json: { code: 'not_found' } });
  });

  test('are pages of errors and events too, one for each', async () => {
    for (const code of [...listErrorCodes(document).keys()].slice(0, 20)) {
      expect(await get(`/docs/errors/${encodeURIComponent(code)}`)).toMatchObject({ status: 200 });
    }
    for (const name of listEventTypes(document).keys()) {
      const { status, text } = await get(`/docs/event-types/${name}`);
      expect({ name, status }).toEqual({ name, status: 200 });
      expect(text).toContain(`&quot;event&quot;: &quot;${name}&quot;`);
    }
  });
});

describe('Markdown', () => {
  test('is the form of each page with .md after its address, or by the Accept header', async () => {
    for (const address of pages.filter((page) => page !== '/docs')) {
      const { status, text, headers } = await get(`${address}.md`);
      expect({ address, status }).toEqual({ address, status: 200 });
      expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
      expect(text).toMatch(/^# /);
      expect(text).not.toMatch(/\[object Object\]|undefined/);
    }
    const { text } = await get('/docs/guides/pagination', { accept: 'text/markdown' });
    expect(text).toMatch(/^# Pagination/);
    const asBrowser = await get('/docs/guides/pagination', { accept: 'text/html,text/markdown;q=0.5' });
    expect(asBrowser.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(asBrowser.headers.vary).toContain('Accept');
  });

  test('has links to all pages in llms.txt', async () => {
    const { text } = await get('/llms.txt', { host: 'gatehouse.example' });
    for (const { area, slug } of resources) expect(text).toContain(`/docs/${area}/${slug}.md)`);
  });
});

describe('Compression', () => {
  const compressed = withCompression(handler);
  const event = (path: string, headers: Record<string, string>) =>
    ({
      rawPath: path,
      rawQueryString: '',
      headers,
      requestContext: { http: { method: 'GET', path, sourceIp: '127.0.0.1' }, requestId: 'x' },
    }) as unknown as Parameters<typeof compressed>[0];
  const request = (path: string, headers: Record<string, string>) =>
    compressed(event(path, headers), {} as Parameters<typeof compressed>[1]);

  test('sends a first view of at most 250 KB, and the same text as without compression', async () => {
    let wire = 0;
    for (const path of ['/docs', '/docs/search.json']) {
      const plain = (await get(path)).text;
      const { body = '', headers, isBase64Encoded } = await request(path, { 'accept-encoding': 'gzip, deflate, br' });
      const bytes = Buffer.from(body, 'base64');
      expect({ isBase64Encoded, encoding: headers?.['content-encoding'] }).toEqual({
        isBase64Encoded: true,
        encoding: 'br',
      });
      expect(headers?.vary).toContain('Accept-Encoding');
      expect(brotliDecompressSync(bytes).toString()).toBe(plain);
      wire += bytes.length;
    }
    expect(wire).toBeLessThan(250_000);
  });

  test('uses gzip where Brotli is not accepted, and nothing where neither is', async () => {
    const zipped = await request('/docs', { 'accept-encoding': 'gzip' });
    expect(gunzipSync(Buffer.from(zipped.body ?? '', 'base64')).toString()).toContain('<!doctype html>');
    const plain = await request('/docs', {});
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(plain.headers?.vary).toContain('Accept-Encoding');
    expect(chooseEncoding('br;q=0, gzip;q=0.5')).toBe('gzip');
    expect(chooseEncoding('identity')).toBeUndefined();
  });

  test('leaves small responses as they are', async () => {
    const { headers } = await request('/llms.txt.nothing', { 'accept-encoding': 'br' });
    expect(headers).not.toHaveProperty('content-encoding');
  });
});

describe('Guides', () => {
  test('are for callers: the address of a sign-in has the guide, not the README of a module', async () => {
    const { text } = await get('/docs/guides/sign-in');
    expect(text).toContain('Register the redirect URI');
    const { guides } = await readContent();
    const headings = [...guides.values()].flatMap(({ sections }) => sections.map(({ title }) => title));
    expect(headings).toContain('Guarantees');
    expect(headings.filter((title) => /keys and costs|how it is stored|the relay/i.test(title))).toEqual([]);
    expect(await get('/docs/guides/erasure')).toMatchObject({ status: 404 });
  });

  test('name no file of the source code, and paths as the operations spell them', async () => {
    const { guides } = await readContent();
    const spelled = new Set(
      listOperations(document).flatMap(({ path }) => path.match(/^\/.*?\{client_?[iI]d\}/) ?? []),
    );
    for (const { name, markdown } of guides.values()) {
      const prose = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '');
      const files = prose.match(
        /[\w-]+\.(?:ts|mjs)\b|\b(?:functions|lib|test|bin)\/\w+|\bREADME|\((?:guide|file|here)\)|\]\((?!https?:|[/#])[^)]*\)/g,
      );
      const paths = (prose.match(/(?<=[`\s])\/[\w/.{}-]*?\{client_?[iI]d\}/g) ?? []).filter(
        (path) => !spelled.has(path),
      );
      expect({ name, files, paths }).toEqual({ name, files: null, paths: [] });
    }
  });

  test('escape HTML, and keep no link to a script or a file', async () => {
    const { html: rendered } = await renderGuide(
      'x',
      '# T\n\n<script>alert(1)</script>\n\n[a](javascript:alert(1)) [b](entity.ts) [c](../webhooks/README.md#use)',
    );
    expect(rendered).not.toMatch(/<script|href="javascript|entity\.ts/);
    expect(rendered).toContain('href="/docs/guides/webhooks#use"');
  });
});

test('a template escapes what is not HTML already, in text and in attributes', () => {
  expect(html`<i title="${`"'<&`}">${['<b>', html`<br />`, undefined, false, 1]}</i>`.text).toBe(
    '<i title="&quot;&#39;&lt;&amp;">&lt;b&gt;<br />1</i>',
  );
});
