import { beforeEach, describe, expect, test } from '@jest/globals';

import { flagRows } from '../../../functions/access/feature-flags/flag/entity.ts';
import { newId } from '../../../functions/kernel/ids.ts';
import { call, reset, sdk } from '../../support/service.ts';
import { commitRows } from '../../support/user-rows.ts';
import { environment } from '../../support/users.ts';
import { otherEnvironment } from '../authentication/inside.ts';
import { type Flag, flagEvents, newFlag, addNewMember, newOrganization, slugs } from './support.ts';

beforeEach(() => reset());

describe('a feature flag', () => {
  test('is created, read, changed and deleted, with an event for each change and none for a repetition', async () => {
    const owner = { email: 'ada@example.com', first_name: 'Ada', last_name: null };
    const flag = await newFlag('beta', { name: 'Beta 🚀', owner, tags: ['a', 'b', 'a'] });
    expect(flag).toMatchObject({ name: 'Beta 🚀', owner, tags: ['a', 'b'], enabled: false, default_value: false });
    const flags = sdk().featureFlags;
    expect(await flags.getFeatureFlag('beta')).toMatchObject({ id: flag.id, slug: 'beta', defaultValue: false });
    expect(await flags.enableFeatureFlag('beta')).toMatchObject({ enabled: true });
    await flags.enableFeatureFlag('beta');
    expect(await flags.disableFeatureFlag('beta')).toMatchObject({ enabled: false });
    await flags.disableFeatureFlag('beta');
    const path = '/x/feature-flags/beta';
    expect((await call('PATCH', path, { name: 'Two', default_value: true, owner: null })).body).toMatchObject({
      name: 'Two',
      default_value: true,
      owner: null,
    });
    await call('PATCH', path, { name: 'Two', default_value: true });
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('DELETE', path)).status).toBe(404);
    await expect(flags.getFeatureFlag('beta')).rejects.toMatchObject({ status: 404 });
    expect((await flagEvents()).map(({ event, former }) => [event, former])).toEqual([
      ['flag.created', undefined],
      ['flag.updated', { data: { enabled: false } }],
      ['flag.updated', { data: { enabled: true } }],
      ['flag.updated', { data: { name: 'Beta 🚀', owner } }],
      ['flag.rule_updated', { data: { default_value: false }, context: { access_type: 'none' } }],
      ['flag.deleted', undefined],
    ]);
  });

  test('has a unique slug in the environment, also if several are created at the same time', async () => {
    const both = await Promise.all(['beta', 'beta'].map((slug) => call('POST', '/x/feature-flags', { slug })));
    expect(both.map(({ status, body }) => [status, body.code]).sort()).toEqual([
      [201, undefined],
      [409, 'flag_slug_conflict'],
    ]);
    expect(await slugs('/feature-flags')).toEqual(['beta']);
  });

  test('rejects and names members that are empty, malformed or too long, or have too many items', async () => {
    const rejected: [object, string][] = [
      [{ slug: 'Beta' }, 'slug'],
      [{ slug: 'a/b' }, 'slug'],
      [{ slug: 'a'.repeat(65) }, 'slug'],
      [{ slug: 'a', name: '' }, 'name'],
      [{ slug: 'a', description: 'x'.repeat(65_536) }, 'description'],
      [{ slug: 'a', owner: { email: 'nobody' } }, 'owner.email'],
      [{ slug: 'a', tags: Array.from({ length: 21 }, (_, at) => `t${at}`) }, 'tags'],
    ];
    for (const [body, field] of rejected) {
      const { status, body: error } = await call<{ errors: { field: string }[] }>('POST', '/x/feature-flags', body);
      expect([status, error.errors[0]?.field]).toEqual([422, field]);
    }
    expect((await call('POST', '/x/feature-flags', { slug: 'odd', name: '\uFFFF' })).status).toBe(201);
    expect(await slugs('/feature-flags')).toEqual(['odd']);
  });

  test('that is missing has a 404 that names the value to check: the slug of a path, or the id that a cursor is', async () => {
    expect((await call('GET', '/feature-flags/unknown')).body).toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('Check the slug'),
    });
    expect((await call('GET', '/feature-flags?after=flag_01J00000000000000000000000')).body).toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('Check the id'),
    });
  });

  test('is listed in pages, newest first, with the cursors of the order', async () => {
    for (const slug of ['a', 'b', 'c']) await newFlag(slug);
    const page = (query: string) =>
      call<{ data: Flag[]; list_metadata: { before: string; after: string } }>('GET', `/feature-flags?limit=2${query}`);
    const { body: first } = await page('');
    expect(first.data.map(({ slug }) => slug)).toEqual(['c', 'b']);
    const { body: rest } = await page(`&before=${first.list_metadata.before}`);
    expect(rest.data.map(({ slug }) => slug)).toEqual(['a']);
    const listed = await sdk().featureFlags.listFeatureFlags();
    expect((await listed.autoPagination()).map(({ slug }) => slug)).toEqual(['c', 'b', 'a']);
    expect((await page('&before=flag_01J00000000000000000000000')).status).toBe(404);
    const { before } = first.list_metadata;
    expect(await page(`&before=${before}&after=${before}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request_parameters' },
    });
  });
});

test('an environment has at most 500 feature flags', async () => {
  const environmentId = await environment();
  const rows = Array.from({ length: 499 }, (_, at) => {
    const members = { slug: `flag-${at}`, name: 'Flag', tags: [], enabled: false, defaultValue: false };
    return flagRows.create({ environmentId, id: newId('flag'), ...members }).write;
  });
  while (rows.length > 0) await commitRows(environmentId, rows.splice(0, 50));
  await newFlag('last');
  const { status, body } = await call('POST', '/x/feature-flags', { slug: 'one-too-many' });
  expect([status, body.message]).toEqual([422, expect.stringContaining('500')]);
  await call('DELETE', '/x/feature-flags/flag-7');
  expect((await newFlag('one-too-many')).slug).toBe('one-too-many');
});

test('flags of another environment are unknown', async () => {
  await newFlag('beta', { enabled: true, default_value: true });
  const options = { apiKey: (await otherEnvironment()).apiKey };
  for (const [method, path] of [
    ['GET', '/feature-flags/beta'],
    ['PUT', '/feature-flags/beta/enable'],
    ['PUT', '/feature-flags/beta/disable'],
    ['GET', `/user_management/users/${await addNewMember()}/feature-flags`],
    ['PATCH', '/x/feature-flags/beta'],
    ['DELETE', '/x/feature-flags/beta'],
    ['GET', `/organizations/${await newOrganization()}/feature-flags`],
  ] as const) {
    const sent = method === 'PATCH' ? {} : undefined;
    expect([path, (await call(method, path, sent, options)).status]).toEqual([path, 404]);
  }
  expect(await slugs('/feature-flags')).toEqual(['beta']);
});
