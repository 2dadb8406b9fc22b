import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, idle, reset, sdk } from '../../support/service.ts';

interface Organization {
  id: string;
  name: string;
  external_id: string | null;
  domains: { id: string; domain: string; state: string }[];
}

const create = async (body: object): Promise<Organization> => {
  const { status, body: organization } = await call<Organization>('POST', '/organizations', body);
  expect(status).toBe(201);
  return organization;
};

beforeEach(() => reset());

describe('an organization', () => {
  test('is created, read, listed, updated and deleted through the official SDK', async () => {
    const { organizations } = sdk();
    const created = await organizations.createOrganization({
      name: 'Acme',
      metadata: { tier: 'gold' },
      externalId: 'a-1',
    });
    expect(created).toMatchObject({ name: 'Acme', metadata: { tier: 'gold' }, externalId: 'a-1', domains: [] });
    expect(await organizations.getOrganization(created.id)).toEqual(created);
    expect(await organizations.getOrganizationByExternalId('a-1')).toEqual(created);
    const updated = await organizations.updateOrganization({ organization: created.id, name: 'Acme Inc' });
    expect(updated).toMatchObject({ name: 'Acme Inc', metadata: { tier: 'gold' }, externalId: 'a-1' });
    await organizations.deleteOrganization(created.id);
    await expect(organizations.getOrganization(created.id)).rejects.toMatchObject({ status: 404 });
  });

  test('keeps members that an update does not name, and clears those that are null', async () => {
    const { id } = await create({ name: 'Acme', external_id: 'a-1', metadata: { a: '1' } });
    const { body: kept } = await call<Organization>('PUT', `/organizations/${id}`, {});
    expect(kept).toMatchObject({ name: 'Acme', external_id: 'a-1', metadata: { a: '1' } });
    const { body: cleared } = await call('PUT', `/organizations/${id}`, { external_id: null, metadata: null });
    expect(cleared).toMatchObject({ name: 'Acme', external_id: null, metadata: {} });
    expect((await call('GET', '/organizations/external_id/a-1')).status).toBe(404);
  });

  test('releases its unique values at once when it is deleted', async () => {
    const domain_data = [{ domain: 'acme.example', state: 'verified' }];
    const { id } = await create({ name: 'Acme', external_id: 'a-1', domain_data });
    expect((await call('DELETE', `/organizations/${id}`)).status).toBe(202);
    await create({ name: 'Acme again', external_id: 'a-1', domain_data });
  });

  test.each([
    ['external_id', { external_id: 'a-1' }, 400, 'external_id_already_used'],
    [
      'verified domain',
      { domain_data: [{ domain: 'ACME.example.', state: 'verified' }] },
      409,
      'domain_already_claimed',
    ],
  ])('has a unique %s', async (_what, member, status, code) => {
    await create({ name: 'First', ...member });
    const rejected = await call('POST', '/organizations', { name: 'Second', ...member });
    expect(rejected).toMatchObject({ status, body: { code } });
    const { id } = await create({ name: 'Third' });
    expect(await call('PUT', `/organizations/${id}`, member)).toMatchObject({ status, body: { code } });
  });

  test('is not given a pending domain that another organization has verified, at its creation or later', async () => {
    const { id: holder } = await create({
      name: 'First',
      domain_data: [{ domain: 'acme.example', state: 'verified' }],
    });
    const pending = { domain_data: [{ domain: 'acme.example', state: 'pending' }] };
    const taken = { status: 409, body: { code: 'domain_already_claimed' } };
    expect(await call('POST', '/organizations', { name: 'Second', ...pending })).toMatchObject(taken);
    const { id } = await create({ name: 'Third' });
    expect(await call('PUT', `/organizations/${id}`, pending)).toMatchObject(taken);
    expect((await call('PUT', `/organizations/${holder}`, pending)).status).toBe(200);
    expect((await call('PUT', `/organizations/${id}`, pending)).status).toBe(200);
  });

  test('is not given a held domain by a place behind other domains of its request', async () => {
    await create({ name: 'First', domain_data: [{ domain: 'held.example', state: 'verified' }] });
    const domain_data = ['a', 'b', 'held'].map((name) => ({ domain: `${name}.example`, state: 'pending' }));
    const taken = { status: 409, body: { code: 'domain_already_claimed' } };
    expect(await call('POST', '/organizations', { name: 'Second', domain_data })).toMatchObject(taken);
    const { id } = await create({ name: 'Third' });
    expect(await call('PUT', `/organizations/${id}`, { domain_data })).toMatchObject(taken);
    const kept = { domain_data: domain_data.slice(0, 2) };
    expect((await call('PUT', `/organizations/${id}`, kept)).status).toBe(200);
    expect(await call('PUT', `/organizations/${id}`, { domain_data })).toMatchObject(taken);
  });

  test('has a unique stripe_customer_id', async () => {
    const [first, second] = [await create({ name: 'First' }), await create({ name: 'Second' })];
    const stripe_customer_id = 'cus_1';
    expect((await call('PUT', `/organizations/${first.id}`, { stripe_customer_id })).status).toBe(200);
    expect(await call('PUT', `/organizations/${second.id}`, { stripe_customer_id })).toMatchObject({
      status: 400,
      body: { code: 'stripe_customer_id_already_used' },
    });
    expect((await call('PUT', `/organizations/${second.id}`, { external_id: 'x' })).status).toBe(200);
    expect(await call('PUT', `/organizations/${first.id}`, { external_id: 'x' })).toMatchObject({
      status: 400,
      body: { code: 'external_id_already_used' },
    });
  });

  test('is created by exactly one of twenty parallel calls with one external_id', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, at) => call('POST', '/organizations', { name: `Org ${at}`, external_id: 'one' })),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 400 || status === 503)).toHaveLength(19);
  });

  test('loses no update when parallel calls change different members', async () => {
    const { id } = await create({ name: 'Acme' });
    const changes = [{ name: 'New' }, { external_id: 'e' }, { metadata: { k: 'v' } }, { stripe_customer_id: 'cus_9' }];
    const responses = await Promise.all(changes.map((change) => call('PUT', `/organizations/${id}`, change)));
    for (const [at, { status }] of responses.entries()) {
      if (status === 503) expect((await call('PUT', `/organizations/${id}`, changes[at])).status).toBe(200);
      else expect(status).toBe(200);
    }
    const { body } = await call('GET', `/organizations/${id}`);
    expect(body).toMatchObject({ name: 'New', external_id: 'e', metadata: { k: 'v' }, stripe_customer_id: 'cus_9' });
  });

  test.each([
    [{ a: 1 }, 'metadata.a'],
    [{ ['k'.repeat(41)]: 'v' }, 'metadata'],
    [{ a: 'v'.repeat(601) }, 'metadata.a'],
    [Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, 'v'])), 'metadata'],
  ])('rejects metadata beyond its bounds and names the member', async (metadata, field) => {
    const { status, body } = await call<{ code: string; errors: { field: string }[] }>('POST', '/organizations', {
      name: 'Acme',
      metadata,
    });
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_metadata' });
    expect(body.errors[0]?.field.startsWith(field)).toBe(true);
  });
});

describe('the list of organizations', () => {
  test('contains over 250 organizations once each, in both orders, through the SDK', async () => {
    const total = 260;
    for (let at = 0; at < total; at += 20) {
      await Promise.all(Array.from({ length: 20 }, (_, of) => create({ name: `Org ${at + of}` })));
    }
    await idle();
    for (const order of ['asc', 'desc'] as const) {
      const page = await sdk().organizations.listOrganizations({ order });
      const ids = (await page.autoPagination()).map(({ id }) => id);
      expect(new Set(ids).size).toBe(total);
      expect(ids).toEqual(order === 'asc' ? ids.toSorted() : ids.toSorted().reverse());
    }
  });

  test('finds names by prefixes of words, ignoring case and accents', async () => {
    await create({ name: 'Société Économique de Lyon' });
    await create({ name: 'Lyon Bakery' });
    const found = async (search: string) => {
      const { body } = await call<{ data: Organization[] }>(
        'GET',
        `/organizations?search=${encodeURIComponent(search)}`,
      );
      return body.data.map(({ name }) => name);
    };
    expect(await found('econ')).toEqual(['Société Économique de Lyon']);
    expect(await found('LYON')).toHaveLength(2);
    expect(await found('lyon bak')).toEqual(['Lyon Bakery']);
    expect(await found('akery')).toEqual([]);
  });

  test('does not find a former name', async () => {
    const { id } = await create({ name: 'Former Name' });
    await call('PUT', `/organizations/${id}`, { name: 'Present Name' });
    expect((await call<{ data: unknown[] }>('GET', '/organizations?search=former')).body.data).toEqual([]);
    expect((await call<{ data: unknown[] }>('GET', '/organizations?search=present')).body.data).toHaveLength(1);
  });

  test('can be filtered by domains, in pages', async () => {
    const names = ['a.example', 'b.example', 'c.example'];
    for (const domain of names) await create({ name: domain, domain_data: [{ domain, state: 'pending' }] });
    await idle();
    const path = '/organizations?domains=a.example,c.example,none.example&limit=1';
    const first = await call<{ data: Organization[]; list_metadata: { after: string } }>('GET', path);
    expect(first.body.data.map(({ name }) => name)).toEqual(['c.example']);
    const second = await call<{ data: Organization[] }>('GET', `${path}&after=${first.body.list_metadata.after}`);
    expect(second.body).toMatchObject({ data: [{ name: 'a.example' }], list_metadata: { after: null } });
  });
});
