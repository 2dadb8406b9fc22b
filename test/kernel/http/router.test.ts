import { describe, expect, test } from '@jest/globals';

import { apiKey } from '../../../functions/kernel/authentication/api-key.ts';
import { Router } from '../../../functions/kernel/http/router.ts';
import { type Method, type Operation, operation } from '../../../functions/kernel/operation.ts';

const of = (method: Method, path: string, freeText?: string): Operation => ({
  ...operation({
    id: `${method} ${path}`,
    method,
    path,
    summary: '',
    auth: apiKey,
    responses: { 204: null },
    errors: [],
    emits: [],
    idempotency: 'none',
    handle: async () => ({ status: 204 as const }),
  }),
  ...(freeText === undefined ? {} : { freeText }),
});

const router = new Router([
  of('GET', '/organizations'),
  of('POST', '/organizations'),
  of('GET', '/organizations/{id}'),
  of('PUT', '/organizations/{organization_id}'),
  of('GET', '/organizations/external_id/{external_id}'),
  of('GET', '/organizations/{organization_id}/it_contacts/{contact_id}'),
  of('GET', '/organizations/external_id'),
  of('GET', '/hosted/oauth2/complete'),
]);

const find = (method: string, path: string) => {
  const route = router.find(method, path);
  return route.kind === 'found' ? { id: route.operation.id, params: route.params } : route;
};

describe('routes', () => {
  test('are found by method and path, with their own parameter names', () => {
    expect(find('GET', '/organizations')).toEqual({ id: 'GET /organizations', params: {} });
    expect(find('GET', '/organizations/org_1')).toEqual({ id: 'GET /organizations/{id}', params: { id: 'org_1' } });
    expect(find('PUT', '/organizations/org_1')).toMatchObject({ params: { organization_id: 'org_1' } });
    expect(find('GET', '/organizations/org_1/it_contacts/c_2')).toMatchObject({
      params: { organization_id: 'org_1', contact_id: 'c_2' },
    });
  });

  test('prefer a literal segment to a parameter, and fall back if the literal does not match', () => {
    expect(find('GET', '/organizations/external_id')).toMatchObject({ id: 'GET /organizations/external_id' });
    expect(find('PUT', '/organizations/external_id')).toMatchObject({ params: { organization_id: 'external_id' } });
    expect(find('GET', '/organizations/external_id/it_contacts')).toMatchObject({
      params: { external_id: 'it_contacts' },
    });
    expect(find('GET', '/organizations/external_id/it_contacts/c')).toMatchObject({
      params: { organization_id: 'external_id', contact_id: 'c' },
    });
  });

  test('use the path as the gateway decoded it: an encoded percent sign is decoded only once', () => {
    expect(find('GET', '/organizations/a%20b')).toMatchObject({ params: { id: 'a%20b' } });
    expect(find('GET', '/organizations/50%')).toMatchObject({ params: { id: '50%' } });
    expect(find('GET', '/organizations/..')).toMatchObject({ params: { id: '..' } });
    expect(find('GET', '/organizations/a/b')).toEqual({ kind: 'none' });
  });

  test('can contain free text with slashes, before the segments that end the path', () => {
    const free = new Router([
      of('GET', '/kv/name/{name}', 'name'),
      of('GET', '/kv/{id}/metadata'),
      of('PUT', '/actions/{action}/schemas', 'action'),
    ]);
    const findParams = (method: string, path: string) => {
      const route = free.find(method, path);
      return route.kind === 'found' ? route.params : route.kind;
    };
    expect(findParams('GET', '/kv/name/db/prod/password')).toEqual({ name: 'db/prod/password' });
    expect(findParams('GET', '/kv/name//db/')).toEqual({ name: '/db/' });
    expect(findParams('GET', '/kv/name/metadata')).toEqual({ name: 'metadata' });
    expect(findParams('GET', '/kv/name/')).toBe('none');
    expect(findParams('GET', '/kv/secret_1/metadata')).toEqual({ id: 'secret_1' });
    expect(findParams('PUT', '/actions/a/schemas/schemas')).toEqual({ action: 'a/schemas' });
    expect(findParams('GET', '/actions/a/b/schemas')).toBe('method');
    expect(() => new Router([of('GET', '/a/{b}/{c}', 'b')])).toThrow('no parameter can follow');
  });

  test('reject empty segments and a slash at the end', () => {
    expect(find('GET', '/organizations/')).toEqual({ kind: 'none' });
    expect(find('GET', '/organizations//')).toEqual({ kind: 'none' });
    expect(find('GET', '//organizations')).toEqual({ kind: 'none' });
    expect(find('GET', '/')).toEqual({ kind: 'none' });
  });

  test('list the allowed methods of a path, each once', () => {
    expect(find('DELETE', '/organizations')).toEqual({ kind: 'method', allowed: ['GET', 'POST'] });
    expect(find('DELETE', '/organizations/external_id')).toEqual({ kind: 'method', allowed: ['GET', 'PUT'] });
    expect(find('DELETE', '/nothing')).toEqual({ kind: 'none' });
  });

  test('are also found under the path spelling that existing clients use', () => {
    expect(find('GET', '/authkit/oauth2/complete')).toMatchObject({ id: 'GET /hosted/oauth2/complete' });
  });

  test('are rejected if two are the same except for parameter names', () => {
    expect(() => new Router([of('GET', '/a/{b}'), of('GET', '/a/{c}')])).toThrow('declared twice');
  });
});
