import { readFileSync } from 'node:fs';

import { beforeAll, describe, expect, test } from '@jest/globals';

import { call, reset } from '../support/service.ts';

beforeAll(() => reset({ calm: true }));

/** Makes a call whose response must arrive without delay. */
async function prompt(...args: Parameters<typeof call>): ReturnType<typeof call> {
  const startedAt = performance.now();
  const response = await call(...args);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect(response.headers['x-request-id']).toMatch(/\S/);
  return response;
}

const post = (rawBody: string | Uint8Array<ArrayBuffer>) => prompt('POST', '/organizations', undefined, { rawBody });

describe('a raw HTTP request', () => {
  test.each([
    ['two MiB', `{"name":"${'x'.repeat(2_097_152)}"}`, 413],
    ['bytes that are no UTF-8', new Uint8Array([...Buffer.from('{"name":"'), 0xff, ...Buffer.from('"}')]), 400],
    ['nesting without end', `{"name":${'['.repeat(100_000)}`, 400],
    ['a member twice', '{"name":"a","name":"b"}', 400],
    ['a prototype', '{"name":"a","__proto__":{"admin":true}}', 400],
    ['half a pair', '{"name":"\\ud800"}', 400],
    ['no JSON', '{"name":', 400],
    ['no object', '[]', 422],
  ])('%s is rejected within a second, and nothing is written', async (_, body, status) => {
    expect((await post(body)).status).toBe(status);
    expect(await call('GET', '/organizations')).toMatchObject({ body: { data: [] } });
  });

  test("the responses to a missing key, a wrong key and an unknown path have the service's own format", async () => {
    expect(await prompt('GET', '/organizations', undefined, { apiKey: null })).toMatchObject({
      status: 401,
      body: { code: 'unauthorized' },
    });
    expect((await prompt('GET', '/organizations', undefined, { apiKey: 'sk_env_wrong' })).status).toBe(401);
    expect((await prompt('GET', '/nothing/here')).status).toBe(404);
    expect((await prompt('PATCH', '/organizations')).status).toBe(405);
  });

  test('a response without a body never has the JSON content type: 202 has that of plain text, 204 has none', async () => {
    const { body } = await call<{ id: string }>('POST', '/organizations', { name: 'Acme' });
    const gone = await prompt('DELETE', `/organizations/${body.id}`);
    expect(gone).toMatchObject({ status: 202, body: undefined });
    expect(gone.headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8', 'content-length': '0' });
    const uri = await call<{ id: string }>('POST', '/user_management/cors_origins', { origin: 'https://a.example' });
    const removed = await prompt('DELETE', `/x/cors_origins/${uri.body.id}`);
    expect(removed).toMatchObject({ status: 204, body: undefined });
    expect(removed.headers).not.toHaveProperty('content-type');
  });

  test('the OpenAPI document and the pages need no authentication', async () => {
    const committed = JSON.parse(
      readFileSync(new URL('../../functions/openapi.json', import.meta.url), 'utf8'),
    ) as object;
    const { body, headers } = await prompt('GET', '/openapi.json', undefined, { apiKey: null });
    expect(body).toEqual(committed);
    const again = await prompt('GET', '/openapi.json', undefined, { headers: { 'if-none-match': headers.etag ?? '' } });
    expect(again).toMatchObject({ status: 304, body: undefined });
    const page = await prompt('GET', '/docs/organizations/organizations', undefined, { apiKey: null });
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(String(page.body)).toContain('curl &#39;http://localhost:');
  });
});
