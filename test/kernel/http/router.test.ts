import { describe, expect, test } from '@jest/globals';

import { apiKey } from '../../../functions/kernel/authentication/api-key.ts';
import { Router } from '../../../functions/kernel/http/router.ts';
import { type Method, type Operation, operation } from '../../../functions/kernel/operation.ts';

const of = (method: Method, path: string): Operation =>
  operation({
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
  test('are found by method and path, with their own names for what stands in it', () => {
    expect(find('GET', '/organizations')).toEqual({ id: 'GET /organizations', params: {} });
    expect(find('GET', '/organizations/org_1')).toEqual({ id: 'GET /organizations/{id}', params: { id: 'org_1' } });
    expect(find('PUT', '/organizations/org_1')).toMatchObject({ params: { organization_id: 'org_1' } });
    expect(find('GET', '/organizations/org_1/it_contacts/c_2')).toMatchObject({
      params: { organization_id: 'org_1', contact_id: 'c_2' },
    });
  });

  test('prefer a literal segment to a named one, and fall back when the literal leads nowhere', () => {
    expect(find('GET', '/organizations/external_id')).toMatchObject({ id: 'GET /organizations/external_id' });
    expect(find('PUT', '/organizations/external_id')).toMatchObject({ params: { organization_id: 'external_id' } });
    expect(find('GET', '/organizations/external_id/it_contacts')).toMatchObject({
      params: { external_id: 'it_contacts' },
    });
    expect(find('GET', '/organizations/external_id/it_contacts/c')).toMatchObject({
      params: { organization_id: 'external_id', contact_id: 'c' },
    });
  });

  test('decode what stands in a path, and keep an encoded slash within its segment', () => {
    expect(find('GET', '/organizations/external_id/a%2Fb%20c')).toMatchObject({ params: { external_id: 'a/b c' } });
    expect(find('GET', '/organizations/external_id/a/b')).toEqual({ kind: 'none' });
    expect(find('GET', '/organizations/%2e%2e')).toMatchObject({ params: { id: '..' } });
  });

  test('do not depend on one slash at the end, and have no empty segments', () => {
    expect(find('GET', '/organizations/')).toMatchObject({ id: 'GET /organizations' });
    expect(find('GET', '/organizations//')).toEqual({ kind: 'none' });
    expect(find('GET', '//organizations')).toEqual({ kind: 'none' });
    expect(find('GET', '/')).toEqual({ kind: 'none' });
  });

  test('lead nowhere for what cannot be decoded', () => {
    expect(find('GET', '/organizations/%')).toEqual({ kind: 'none' });
    expect(find('GET', '/organizations/%ff')).toEqual({ kind: 'none' });
  });

  test('name the methods that a path takes instead, each once', () => {
    expect(find('DELETE', '/organizations')).toEqual({ kind: 'method', allowed: ['GET', 'POST'] });
    expect(find('DELETE', '/organizations/external_id')).toEqual({ kind: 'method', allowed: ['GET', 'PUT'] });
    expect(find('DELETE', '/nothing')).toEqual({ kind: 'none' });
  });

  test('are found under the spelling of existing clients', () => {
    expect(find('GET', '/authkit/oauth2/complete')).toMatchObject({ id: 'GET /hosted/oauth2/complete' });
  });

  test('are refused when two are the same, whatever they call their parameters', () => {
    expect(() => new Router([of('GET', '/a/{b}'), of('GET', '/a/{c}')])).toThrow('declared twice');
  });
});
