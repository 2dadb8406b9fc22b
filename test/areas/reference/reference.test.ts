import { createHash } from 'node:crypto';

import { describe, expect, test } from '@jest/globals';

import { openApiDocument } from '../../../functions/kernel/openapi/document.ts';
import { httpEntry } from '../../../functions/kernel/http/entry.ts';
import { referenceArea } from '../../../functions/reference/area.ts';
import { areaPage } from '../../../functions/reference/page/area-page.ts';
import { html } from '../../../functions/kernel/pages/html.ts';
import { overviewPage } from '../../../functions/reference/page/overview.ts';
import { areas } from '../../../functions/registry.ts';
import { call } from '../../kernel/http/calls.ts';
import { recordAnswer } from '../../support/declarations/record.ts';

async function get(path: string, headers: Record<string, string> = {}) {
  const answer = await call(httpEntry(referenceArea), 'GET', path, { headers });
  recordAnswer('GET', path.split('?', 1)[0] ?? path, answer.status, answer.json);
  return answer;
}
const document = openApiDocument(areas);

/** Checks that each link within a page leads to an element of it, and no two elements share an id. */
function expectAnchors(text: string): void {
  const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [, target = ''] of text.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
}

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

describe('GET /docs', () => {
  test('lists every operation of the registry, each with a link', async () => {
    const { text, headers } = await get('/docs');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    for (const { name, operations } of areas) {
      for (const { id } of operations) expect(text).toContain(`href="/docs/${name}#${id}"`);
    }
  });

  test('can be searched without JavaScript', async () => {
    const { text } = await get('/docs?q=openapi+document');
    expect(text).toContain('#reference.document');
    expect(text).not.toContain('#reference.overview');
  });

  test('escapes the search text', async () => {
    const { text } = await get(`/docs?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
    expect(text).not.toContain('<script>alert');
  });

  test('uses only the script and style that its policy names by digest', async () => {
    const { text, headers } = await get('/docs');
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
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
});

describe('GET /docs/{area}', () => {
  test('shows the variants of a body and the meaning of their members', async () => {
    const { text } = await get('/docs/authentication');
    expect(text).toContain('Request body, grant_type &quot;refresh_token&quot;');
    expect(text).toContain('The token of the 403 that requires this step');
    expect(text).toMatch(/mfa<\/code><\/th>.*?makes every user enroll one/s);
    expect(text).not.toMatch(/(required|optional), password/);
  });

  test('shows members, error responses and an example call with the requested host', async () => {
    const { text } = await get('/docs/reference', { host: 'gatehouse.example' });
    expect(text).toContain('curl &#39;https://gatehouse.example/docs&#39;');
    expect(text).toContain('<code>q (query)</code>');
    expect(text).toContain('<code>not_found</code>');
  });

  test('does not repeat an invalid host name', async () => {
    const { text } = await get('/docs/reference', { host: 'evil.example/$(id)' });
    expect(text).not.toContain('evil.example');
  });

  test('returns 404 for an unknown area', async () => {
    expect(await get('/docs/nothing')).toMatchObject({ status: 404, json: { code: 'not_found' } });
  });

  test.each(areas.map(({ name }) => name))('has no dead links: %s', (name) => {
    const text = areaPage(document, name, 'http://localhost:1') ?? '';
    expectAnchors(text);
    expect(text).not.toMatch(/\[object Object\]|undefined|NaN/);
  });

  test('has an anchor for each operation and each schema that it links to', () => {
    const withSchemas = {
      ...document,
      paths: {
        '/things': {
          post: {
            operationId: 'things.create',
            tags: ['reference'],
            summary: 'Create <a> thing',
            requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
            responses: {
              201: {
                description: 'Created',
                content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
              },
            },
          },
        },
      },
      components: {
        schemas: {
          Thing: {
            type: 'object',
            properties: {
              name: { type: 'string', examples: ["it's"] },
              parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } },
            },
            required: ['name'],
          },
          Part: { type: 'object', properties: { of: { $ref: '#/components/schemas/Thing' } } },
        },
      },
    };
    const text = areaPage(withSchemas, 'reference', 'http://localhost:1') ?? '';
    expectAnchors(text);
    expect(text).toContain('Create &lt;a&gt; thing');
    expect(text).toContain(`-d &#39;{&quot;name&quot;:&quot;it&#39;\\&#39;&#39;s&quot;}&#39;`);
    expect(overviewPage(withSchemas, '')).toContain('/docs/reference#things.create');
  });
});

test('a template escapes what is not HTML already, in text and in attributes', () => {
  expect(html`<i title="${`"'<&`}">${['<b>', html`<br />`, undefined, false, 1]}</i>`.text).toBe(
    '<i title="&quot;&#39;&lt;&amp;">&lt;b&gt;<br />1</i>',
  );
});
