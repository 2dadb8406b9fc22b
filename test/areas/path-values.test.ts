import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, eventually, reset } from '../support/service.ts';

/** Texts that a path must contain unchanged although they have a meaning in a URL. */
const TEXTS = ['tenant/42', '/a//b/', '50%', 'a%20b', '%2F', 'a b', 'a+b', 'a#b', 'a&b=c', 'auth_factors', '...'];

const inPath = (text: string): string => encodeURIComponent(text);

beforeEach(() => reset());

describe('a value in a path that callers choose themselves', () => {
  test.each(TEXTS)('finds the user whose external id is %j', async (external_id) => {
    const { body } = await call<{ id: string }>('POST', '/user_management/users', {
      email: 'a@acme.example',
      external_id,
    });
    const found = await call<{ id: string }>('GET', `/user_management/users/external_id/${inPath(external_id)}`);
    expect([found.status, found.body.id]).toEqual([200, body.id]);
  });

  test.each(TEXTS)('finds the organization whose external id is %j', async (external_id) => {
    const { body } = await call<{ id: string }>('POST', '/organizations', { name: 'Acme', external_id });
    const found = await call<{ id: string }>('GET', `/organizations/external_id/${inPath(external_id)}`);
    expect([found.status, found.body.id]).toEqual([200, body.id]);
  });

  test.each([...TEXTS, 'db/prod/password', 'metadata', 'ü ✓/é'])(
    'finds the vault object with the name %j',
    async (name) => {
      const made = await call<{ id: string }>('POST', '/vault/v1/kv', { name, value: 'secret', key_context: {} });
      const found = await call<{ id: string }>('GET', `/vault/v1/kv/name/${inPath(name)}`);
      expect([made.status, found.status, found.body.id]).toEqual([201, 200, made.body.id]);
    },
  );

  test.each(['user/signed_in', 'a/schemas', '50%', 'a%20b', 'é+ü', '#1'])(
    'finds the schemas of the audit log action %j',
    async (action) => {
      const path = `/audit_logs/actions/${inPath(action)}/schemas`;
      expect((await call('POST', path, { targets: [{ type: 'team' }] })).status).toBe(201);
      await eventually(
        () => call<{ data: unknown[] }>('GET', path),
        ({ body }) => body.data.length === 1,
      );
    },
  );

  test.each(['a?b', '..', 'a/../b', './a'])(
    'is rejected when it is stored if it could not be part of a path: %j',
    async (text) => {
      const responses = [
        await call('POST', '/user_management/users', { email: 'a@acme.example', external_id: text }),
        await call('POST', '/organizations', { name: 'Acme', external_id: text }),
        await call('POST', '/vault/v1/kv', { name: text, value: 'secret', key_context: {} }),
      ];
      for (const { status, body } of responses) {
        expect([400, 422]).toContain(status);
        expect(JSON.stringify(body)).toContain('no path could look it up');
      }
    },
  );
});

describe('a path', () => {
  test('without an operation returns a 404 in the service’s own format', async () => {
    for (const path of ['/', '/nothing', '/organizations/', '/x/nothing/at/all', '/user_management']) {
      const { status, body } = await call('GET', path);
      expect([path, status, body]).toEqual([path, 404, expect.objectContaining({ code: 'not_found' })]);
    }
  });
});
