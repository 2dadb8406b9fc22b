import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, reset } from '../../support/service.ts';
import { otherEnvironment } from '../authentication/inside.ts';
import { evaluated, newFlag, addNewMember, newOrganization, onForOrganization, target } from './support.ts';

beforeEach(() => reset());

const POLL = '/sdk/feature-flags';

const poll = (etag?: string, query = '') =>
  call('GET', `${POLL}${query}`, undefined, etag === undefined ? {} : { headers: { 'if-none-match': etag } });

describe('the runtime client of the official SDK', () => {
  test('evaluates flags as the lists do, before and after each change', async () => {
    const acme = await newOrganization();
    const ada = await addNewMember(acme);
    await newFlag('beta', { enabled: true });
    await newFlag('everyone', { enabled: true, default_value: true });
    await newFlag('off', { default_value: true });
    await newFlag('constructor', { enabled: true });
    await target('off', acme);
    const changes = [
      () => target('beta', acme),
      () => target('constructor', acme),
      () => call('PUT', '/feature-flags/everyone/disable'),
      () => target('beta', acme, 'DELETE'),
      () => call('PUT', '/feature-flags/off/enable'),
      () => call('DELETE', '/x/feature-flags/constructor'),
    ];
    expect(await evaluated({ organizationId: acme })).toEqual(['everyone']);
    for (const change of changes) {
      await change();
      expect(await evaluated({ organizationId: acme })).toEqual(await onForOrganization(acme));
    }
    await target('beta', ada);
    expect(await evaluated({ userId: ada })).toEqual(['beta', 'off']);
    expect(await evaluated({ organizationId: acme })).toEqual(['off']);
  });
});

describe('the poll of the runtime client', () => {
  test('returns the targets as rules in version 2, and rejects other versions', async () => {
    const acme = await newOrganization();
    const ada = await addNewMember();
    const { id } = await newFlag('beta', { enabled: true });
    await target('beta', acme);
    await target('beta', ada);
    const rule = (target_type: string, value: string) => ({
      id: `${id}:${target_type}`,
      kind: 'conditions',
      value: true,
      conditions: [{ target_type, operator: 'one_of', values: [value] }],
    });
    expect((await poll(undefined, '?payload_version=2')).body).toEqual({
      version: 2,
      flags: {
        beta: {
          slug: 'beta',
          enabled: true,
          default_value: false,
          off_value: false,
          rules: [rule('user', ada), rule('organization', acme)],
        },
      },
    });
    expect((await poll()).body).toMatchObject({
      beta: { targets: { users: [{ id: ada, enabled: true }], organizations: [{ id: acme, enabled: true }] } },
    });
    expect((await poll(undefined, '?payload_version=3')).status).toBe(422);
  });

  test('returns 304 until a flag or a target changes', async () => {
    const acme = await newOrganization();
    const other = await newOrganization();
    await newFlag('beta', { enabled: true });
    const changes = [
      () => target('beta', acme),
      () => target('beta', other),
      () => call('PATCH', '/x/feature-flags/beta', { default_value: true }),
      () => target('beta', acme, 'DELETE'),
      () => call('DELETE', '/x/feature-flags/beta'),
    ];
    const seen = new Set<string>();
    for (const change of changes) {
      const { status, headers } = await poll();
      expect([status, seen.has(headers.etag ?? '')]).toEqual([200, false]);
      seen.add(headers.etag ?? '');
      expect(await poll(headers.etag)).toMatchObject({ status: 304, body: undefined });
      expect((await poll(headers.etag, '?payload_version=2')).status).toBe(200);
      await change();
      expect((await poll(headers.etag)).status).toBe(200);
    }
    expect((await poll()).body).toEqual({});
  });

  test('requires an API key of the environment, and its ETag has no effect in another environment', async () => {
    await newFlag('beta');
    const { etag } = (await poll()).headers;
    const { apiKey } = await otherEnvironment();
    await call('POST', '/x/feature-flags', { slug: 'theirs' }, { apiKey });
    const theirs = await call('GET', POLL, undefined, { apiKey, headers: { 'if-none-match': etag ?? '' } });
    expect([theirs.status, Object.keys(theirs.body)]).toEqual([200, ['theirs']]);
    expect((await call('GET', POLL, undefined, { apiKey: null })).status).toBe(401);
  });
});
