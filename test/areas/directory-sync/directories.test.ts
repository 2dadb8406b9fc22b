import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, idle, reset, sdk } from '../../support/service.ts';
import { eventsNamed, newDirectory, newToken, type DirectoryDetails } from './directories.ts';

beforeEach(() => reset());

describe('a directory', () => {
  test('is created for an organization, returned by the operations and the SDK, and deleted with one event', async () => {
    const made = await newDirectory({ name: 'Acme people', type: 'okta scim v2.0' });
    expect(made).toMatchObject({
      object: 'directory',
      name: 'Acme people',
      type: 'okta scim v2.0',
      state: 'validating',
      inactive_users: 'delete',
      provisioning: 'domain',
      metadata: { users: { active: 0, inactive: 0 }, groups: 0 },
      tokens: [],
    });
    expect(made.scim_url).toMatch(new RegExp(`/scim/v2\\.0/${made.external_key}$`));
    const presented = await sdk().directorySync.getDirectory(made.id);
    expect(presented).toMatchObject({ id: made.id, name: 'Acme people', organizationId: made.organization_id });
    expect((await call('DELETE', `/directories/${made.id}`)).status).toBe(202);
    expect((await call('GET', `/directories/${made.id}`)).status).toBe(404);
    expect((await call('DELETE', `/directories/${made.id}`)).status).toBe(404);
    await idle();
    expect(await eventsNamed('dsync.deleted')).toEqual([
      expect.objectContaining({ object: 'directory', id: made.id, state: 'deleting' }),
    ]);
  });

  test('is found by its organization, by words of its name and by a verified domain', async () => {
    const acme = await newDirectory({ name: 'Acme people' }, { domain: 'acme.example' });
    const other = await newDirectory({ name: 'Other staff' });
    await idle();
    const found = async (query: string): Promise<string[]> => {
      const { body } = await call<{ data: { id: string }[] }>('GET', `/directories?${query}`);
      return body.data.map(({ id }) => id);
    };
    expect(await found('')).toEqual([other.id, acme.id]);
    expect(await found('order=asc&limit=1')).toEqual([acme.id]);
    expect(await found(`organization_id=${acme.organization_id}`)).toEqual([acme.id]);
    expect(await found('search=peop')).toEqual([acme.id]);
    expect(await found('domain=acme.example')).toEqual([acme.id]);
    expect(await found('domain=elsewhere.example')).toEqual([]);
    expect(await found(`search=staff&organization_id=${acme.organization_id}`)).toEqual([]);
  });

  test('is activated by an update of its state, with one event', async () => {
    const { id, organization_id } = await newDirectory();
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await call<DirectoryDetails>('PATCH', `/x/directories/${id}`, { state: 'linked' });
      expect([status, body.state]).toEqual([200, 'linked']);
    }
    await idle();
    expect(await eventsNamed('dsync.activated')).toMatchObject([{ id, organization_id, state: 'active' }]);
  });

  test('keeps members that an update does not name, and disables custom attributes that are null', async () => {
    const { id } = await newDirectory({ custom_attributes: { floor: 'urn:acme:2.0:User:floor' } });
    const changed = await call<DirectoryDetails>('PATCH', `/x/directories/${id}`, {
      name: 'Renamed',
      inactive_users: 'keep',
      custom_attributes: { job_title: null },
      group_roles: [{ group: 'Admins', role_slug: 'admin' }],
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      name: 'Renamed',
      inactive_users: 'keep',
      provisioning: 'domain',
      custom_attributes: { floor: 'urn:acme:2.0:User:floor', job_title: null },
      group_roles: [{ group: 'Admins', role_slug: 'admin' }],
    });
    expect((await call<DirectoryDetails>('GET', `/x/directories/${id}`)).body).toEqual(changed.body);
    await idle();
    expect((await call<{ data: unknown[] }>('GET', '/directories?search=renamed')).body.data).toHaveLength(1);
  });

  test('rejects an invalid path of a custom attribute', async () => {
    const { id } = await newDirectory();
    const { status, body } = await call<{ errors: { field: string }[] }>('PATCH', `/x/directories/${id}`, {
      custom_attributes: { floor: 'emails[' },
    });
    expect(status).toBe(422);
    expect(body.errors.map(({ field }) => field)).toEqual(['custom_attributes.floor']);
  });

  test('requires an organization of the environment', async () => {
    const body = { organization_id: 'org_01ARZ3NDEKTSV4RRFFQ69G5FAV', name: 'Acme' };
    expect((await call('POST', '/x/directories', body)).status).toBe(404);
  });
});

describe('an imported external key of a directory', () => {
  test('is unique in the stage, and can be used again after the directory is deleted', async () => {
    const made = await newDirectory({ external_key: 'UWuccu6o1E0GqkYs' });
    expect(made.external_key).toBe('UWuccu6o1E0GqkYs');
    const again = { organization_id: made.organization_id, name: 'Second', external_key: 'UWuccu6o1E0GqkYs' };
    expect(await call('POST', '/x/directories', again)).toMatchObject({
      status: 409,
      body: { code: 'external_key_taken' },
    });
    await call('DELETE', `/directories/${made.id}`);
    expect((await call('POST', '/x/directories', again)).status).toBe(201);
  });

  test('must not look like a generated one', async () => {
    const { external_key: generated, organization_id } = await newDirectory();
    for (const external_key of [generated, generated.toUpperCase(), 'a/b', '..', 'ab', 'x'.repeat(129)]) {
      const { status } = await call('POST', '/x/directories', { organization_id, name: 'Second', external_key });
      expect([external_key, status]).toEqual([external_key, 422]);
    }
  });
});

describe('the tokens of a directory', () => {
  test('are shown only once, at most five exist, and their events contain only four characters', async () => {
    const { id, organization_id } = await newDirectory();
    const first = await newToken(id);
    expect(first.value).toMatch(/^scim_[0-9A-Za-z]{50}$/);
    for (let at = 1; at < 5; at += 1) await newToken(id);
    expect(await call('POST', `/x/directories/${id}/tokens`, {})).toMatchObject({
      status: 409,
      body: { code: 'directory_token_limit_exceeded' },
    });
    const { body } = await call<DirectoryDetails>('GET', `/x/directories/${id}`);
    expect(body.tokens).toHaveLength(5);
    expect(JSON.stringify(body)).not.toContain(first.value);
    expect((await call('DELETE', `/x/directories/${id}/tokens/${first.id}`)).status).toBe(204);
    expect((await call('DELETE', `/x/directories/${id}/tokens/${first.id}`)).status).toBe(404);
    await idle();
    const created = await eventsNamed('dsync.token.created');
    expect(created).toHaveLength(5);
    expect(JSON.stringify(created)).not.toContain(first.value.slice(0, -5));
    expect(await eventsNamed('dsync.token.revoked')).toEqual([
      {
        object: 'directory_token',
        id: first.id,
        directory_id: id,
        organization_id,
        token_suffix: first.value.slice(-4),
        created_at: first.created_at,
      },
    ]);
  });

  test('are never more than five, even if six are created at once', async () => {
    const { id } = await newDirectory();
    const all = await Promise.all(Array.from({ length: 6 }, () => call('POST', `/x/directories/${id}/tokens`, {})));
    expect(all.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 409]);
  });

  test('can be imported, each value only once', async () => {
    const value = 'imported-token-of-another-service-1';
    const { id } = await newDirectory();
    expect((await newToken(id, { value })).value).toBe(value);
    const { id: second } = await newDirectory();
    expect(await call('POST', `/x/directories/${second}/tokens`, { value })).toMatchObject({
      status: 409,
      body: { code: 'directory_token_taken' },
    });
  });
});
