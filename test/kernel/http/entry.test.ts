import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';

import { area } from '../../../functions/kernel/area.ts';
import { anyCaller } from '../../../functions/kernel/authentication/caller.ts';
import { apiKey } from '../../../functions/kernel/authentication/api-key.ts';
import { declareError } from '../../../functions/kernel/errors.ts';
import { httpEntry } from '../../../functions/kernel/http/entry.ts';
import { bareErrorForm, messages, oauthErrors } from '../../../functions/kernel/http/error-response.ts';
import { MAX_BODY_BYTES } from '../../../functions/kernel/http/request.ts';
import { type Operation, operation } from '../../../functions/kernel/operation.ts';
import { call, type CallOptions } from './calls.ts';

const taken = declareError({ status: 409, code: 'taken', message: 'It is taken.' });
const Note = z.object({ text: z.string().max(20), tags: z.array(z.object({ name: z.string() })).optional() });

const echo = operation({
  id: 'notes.create',
  method: 'POST',
  path: '/notes/{id}',
  summary: 'Echo a note',
  auth: anyCaller,
  query: z.object({ limit: z.coerce.number().int().max(9).optional(), names: z.string().optional() }),
  body: Note,
  responses: { 200: z.object({ text: z.string(), id: z.string(), names: z.string().optional() }), 204: null },
  errors: [taken],
  emits: [],
  idempotency: 'none',
  handle: async ({ body, params, query, fail }) => {
    if (body.text === 'taken') throw fail(taken, { retryAfter: 1.2, members: { holder: 'n_1' } });
    if (body.text === 'fault') throw new Error('secret inside');
    if (body.text === 'empty') return { status: 204 as const };
    if (body.text === 'undeclared') return { status: 418 } as never;
    return { status: 200 as const, body: { text: body.text, id: params.id, names: query.names, ...undeclared } };
  },
});

/** A member that no schema declares, as a careless handler would add one. */
const undeclared = { secret: 'x' };

const findEntry = (changes: Partial<Operation> = {}) =>
  httpEntry(
    area({
      name: 'notes',
      group: 'any',
      summary: '',
      operations: [{ ...echo, ...changes }],
      workers: [],
      needs: [],
      errorForm: messages,
    }),
  );
const post = (
  body: string | Uint8Array | undefined,
  options: CallOptions & { target?: string; as?: Partial<Operation> } = {},
) =>
  call(findEntry(options.as), 'POST', options.target ?? '/notes/n_1', {
    headers: options.headers ?? {},
    ...(body === undefined ? {} : { body }),
  });

describe('responses', () => {
  test('only contain the declared members', async () => {
    const { status, json } = await post('{"text":"hi","unknown":1}', { target: '/notes/n 1?names=a&names=b' });
    expect(status).toBe(200);
    expect(json).toEqual({ text: 'hi', id: 'n 1', names: 'a,b' });
  });

  test('with 204 have no content type', async () => {
    const { status, headers, text } = await post('{"text":"empty"}');
    expect({ status, text }).toEqual({ status: 204, text: '' });
    expect(headers).not.toHaveProperty('content-type');
  });

  test('forbid caching and content sniffing, and contain the request id', async () => {
    const { headers } = await post('{"text":"hi"}');
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    expect(headers['x-request-id']).toMatch(/^req_/);
  });

  test('contain the caller’s own request id if it is plain text', async () => {
    expect((await post('{}', { headers: { 'x-request-id': 'trace-12345' } })).headers['x-request-id']).toBe(
      'trace-12345',
    );
    const { headers } = await post('{}', { headers: { 'x-request-id': 'a\r\nset-cookie: x' } });
    expect(headers['x-request-id']).toMatch(/^req_/);
  });

  test('with an undeclared status become a 500', async () => {
    expect(await post('{"text":"undeclared"}')).toMatchObject({ status: 500, json: { code: 'internal_error' } });
  });
});

describe('error responses', () => {
  test('have the declared code and message, further members and Retry-After', async () => {
    const { status, json, headers } = await post('{"text":"taken"}');
    expect(status).toBe(409);
    expect(json).toEqual({ code: 'taken', message: 'It is taken.', holder: 'n_1' });
    expect(headers['retry-after']).toBe('2');
  });

  test('have the form of their operation', async () => {
    const bare = await post('{"text":"taken"}', { as: { errorForm: bareErrorForm } });
    expect(bare.json).toEqual({ error: 'It is taken.', holder: 'n_1' });
    const oauth = await post('{', { as: { errorForm: oauthErrors } });
    expect(oauth).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
  });

  test('of a 500 reveal nothing about its cause', async () => {
    const { status, text } = await post('{"text":"fault"}');
    expect(status).toBe(500);
    expect(text).not.toContain('secret');
  });

  test('with 401 have a WWW-Authenticate header', async () => {
    const { status, json, headers } = await post('{"text":"hi"}', { as: { auth: apiKey } });
    expect({ status, json }).toMatchObject({ status: 401, json: { code: 'unauthorized' } });
    expect(headers['www-authenticate']).toBe('Bearer');
  });

  test('with 405 list the methods of the path; an unknown path is a 404', async () => {
    const { status, headers } = await call(findEntry(), 'GET', '/notes/n_1');
    expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'POST' });
    expect((await call(findEntry(), 'POST', '/nothing')).status).toBe(404);
  });
});

describe('bodies', () => {
  test.each([
    ['{', 400],
    ['', 400],
    ['{"text":"a","text":"b"}', 400],
    ['{"text":"a","__proto__":{}}', 400],
    ['['.repeat(100_000), 400],
    ['"text"', 422],
    ['null', 422],
    ['[]', 422],
    ['{}', 422],
    ['{"text":1}', 422],
  ])('that are invalid are rejected: %.20s', async (body, status) => {
    const response = await post(body);
    expect(response.status).toBe(status);
    expect(response.json).toMatchObject({ message: expect.stringMatching(/\S/) as unknown });
  });

  test('that are not UTF-8 are rejected', async () => {
    expect((await post(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]))).status).toBe(400);
  });

  test('are limited to one MiB, counted in bytes', async () => {
    const fit = `{"text":"hi","pad":"${'é'.repeat((MAX_BODY_BYTES - 22) / 2)}"}`;
    expect(Buffer.byteLength(fit)).toBe(MAX_BODY_BYTES);
    expect((await post(fit)).status).toBe(200);
    expect(await post(`${fit} `)).toMatchObject({ status: 413, json: { code: 'payload_too_large' } });
    expect((await post(Buffer.from(`${fit} `))).status).toBe(413);
  });

  test('that are not JSON are rejected, except for form-encoded ones if the operation accepts them', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
    expect((await post('text=hi', { headers })).status).toBe(400);
    expect(await post('text=hi', { headers, as: { form: true } })).toMatchObject({ status: 200, json: { text: 'hi' } });
    expect(
      (await post('{"text":"hi"}', { headers: { 'content-type': 'application/json; charset=utf-8' } })).status,
    ).toBe(200);
    expect((await post('{"text":"hi"}', { headers: { 'content-type': 'text/plain' } })).status).toBe(400);
  });

  test('may be omitted if the operation declares that', async () => {
    const as = { body: z.object({ text: z.string().default('none') }), bodyOptional: true };
    expect(await post(undefined, { as })).toMatchObject({ status: 200, json: { text: 'none' } });
  });

  test('in form encoding are rejected with duplicate members or names of prototypes', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const own = { headers, as: { form: true } };
    expect((await post('text=a&text=b', own)).status).toBe(400);
    expect((await post('text=a&__proto__=b', own)).status).toBe(400);
  });
});

describe('invalid members', () => {
  test('are all reported by their path, in query and body', async () => {
    const { status, json } = await post('{"tags":[{"name":1}]}', { target: '/notes/n_1?limit=12' });
    expect(status).toBe(422);
    expect(json).toMatchObject({
      code: 'invalid_request_parameters',
      errors: [
        { field: 'limit', code: 'too_big' },
        { field: 'text', code: 'required' },
        { field: 'tags.0.name', code: 'invalid_type' },
      ],
    });
  });

  test('are named in the message as well, for clients that show only the message', async () => {
    const { json } = await post('{}');
    expect(json).toMatchObject({ message: expect.stringContaining('text: is required') as unknown });
  });

  test('are reported up to a maximum of twenty', async () => {
    const tags = Array.from({ length: 500 }, () => ({}));
    const { json } = await post(JSON.stringify({ text: 'a', tags }));
    expect((json as { errors: unknown[] }).errors).toHaveLength(20);
  });
});
