import { globSync, readFileSync } from 'node:fs';

import { expect, test } from '@jest/globals';
import * as z from 'zod';

import { areas } from '../../functions/registry.ts';
import { operations } from './described.ts';

const root = new URL('../../', import.meta.url).pathname;

test('every operation that a file declares is served', () => {
  const served = new Set(areas.flatMap(({ operations }) => operations).map(({ id }) => id));
  const declared = globSync('functions/**/{operations,*-operations}.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(root + file, 'utf8').matchAll(/\boperation\(\{\s*id: '([^']+)'/g)].map(([, id = '']) => ({
      file,
      id,
    })),
  );
  expect(declared.length).toBeGreaterThan(200);
  const missing = declared
    .filter(({ id }) => !served.has(id))
    .map(({ file, id }) => `${id} is not served: add it to the list of operations at the end of ${file}`);
  expect(missing).toEqual([]);
});

test('a read declares no events, except reads of the vault, which are logged, and steps of a sign-in in a browser', () => {
  const emitting = operations.filter(({ operation: { method, emits } }) => method === 'GET' && emits.length > 0);
  expect(
    emitting
      .filter(({ operation }) => !operation.path.startsWith('/hosted/'))
      .map(({ operation }) => operation.id)
      .toSorted(),
  ).toEqual([
    'pipes.callback',
    'sessions.logout',
    'social.callback',
    'sso.continue',
    'sso.start',
    'vault.objects.describe',
    'vault.objects.list',
    'vault.objects.list_versions',
    'vault.objects.read',
    'vault.objects.read_by_name',
  ]);
});

test('responses with codes, links and tokens are not available to read-only keys', () => {
  expect(
    operations
      .filter(({ operation }) => operation.exposesCredential)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual([
    'GET /user_management/email_verification/{id}',
    'GET /user_management/invitations',
    'GET /user_management/invitations/{id}',
    'GET /user_management/magic_auth/{id}',
    'GET /user_management/password_reset/{id}',
    'GET /user_management/radar_challenges/{id}',
    'GET /vault/v1/kv/name/{name}',
    'GET /vault/v1/kv/{id}',
    'GET /webhook_endpoints',
    'GET /x/actions/endpoints',
    'GET /x/actions/endpoints/{id}',
    'GET /x/webhook_endpoints/{id}',
  ]);
});

test('a read-only key may not call a read whose response contains a secret', () => {
  const exposing = operations.filter(({ operation: { method, responses, exposesCredential } }) => {
    const schemas = Object.values(responses).filter((schema) => schema !== null);
    const text = JSON.stringify(schemas.map((schema) => z.toJSONSchema(schema, { unrepresentable: 'any' })));
    return method === 'GET' && exposesCredential !== true && text.includes('"format":"password"');
  });
  expect(exposing.map(({ name }) => name)).toEqual([
    // The PUT that creates the secret returns it, but the GET does not.
    'GET /x/organizations/{id}/audit_log_stream',
    // The caller has the token already.
    'GET /user_management/invitations/by_token/{token}',
  ]);
});
