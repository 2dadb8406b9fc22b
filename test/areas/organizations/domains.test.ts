import { beforeEach, describe, expect, test } from '@jest/globals';

import { nameServer } from '../../support/name-server.ts';
import { receiver } from '../../support/receiver.ts';
import { advance, call, idle, reset } from '../../support/service.ts';

interface Domain {
  id: string;
  organization_id: string;
  domain: string;
  state: string;
  verification_prefix: string;
  verification_token: string;
}

const DAY_SECONDS = 86_400;

const organization = async (name: string): Promise<string> =>
  (await call<{ id: string }>('POST', '/organizations', { name })).body.id;

const add = async (organization_id: string, domain: string): Promise<Domain> => {
  const { status, body } = await call<Domain>('POST', '/organization_domains', { organization_id, domain });
  expect(status).toBe(201);
  return body;
};

const read = async (id: string): Promise<Domain> => (await call<Domain>('GET', `/organization_domains/${id}`)).body;

const readEvents = async (...names: string[]): Promise<{ event: string; data: Record<string, unknown> }[]> => {
  await idle();
  const path = `/events?events=${names.join(',')}&order=asc&limit=100`;
  return (await call<{ data: { event: string; data: Record<string, unknown> }[] }>('GET', path)).body.data;
};

beforeEach(async () => {
  await reset();
  (await nameServer()).clear();
});

describe('a domain', () => {
  test('is pending with a verification token, is shown by its organization, and can be removed', async () => {
    const id = await organization('Acme');
    const domain = await add(id, 'Acme.EXAMPLE');
    expect(domain).toMatchObject({ domain: 'acme.example', state: 'pending', verification_strategy: 'dns' });
    expect((await call('GET', `/organizations/${id}`)).body).toMatchObject({ domains: [domain] });
    expect((await call('DELETE', `/organization_domains/${domain.id}`)).status).toBe(204);
    expect((await call('GET', `/organizations/${id}`)).body).toMatchObject({ domains: [] });
    expect((await call('GET', `/organization_domains/${domain.id}`)).status).toBe(404);
  });

  test('cannot be added twice to one organization', async () => {
    const id = await organization('Acme');
    const domain = await add(id, 'acme.example');
    const again = await call('POST', '/organization_domains', { organization_id: id, domain: 'acme.example' });
    expect(again).toMatchObject({
      status: 409,
      body: {
        code: 'domain_already_exists',
        message: `This organization has the domain already, as ${domain.id} with the state pending. Verify it with POST /organization_domains/${domain.id}/verify.`,
      },
    });
  });

  test('is rejected if another organization has verified it', async () => {
    await call('POST', '/organizations', { name: 'A', domain_data: [{ domain: 'a.example', state: 'verified' }] });
    const organization_id = await organization('B');
    expect(await call('POST', '/organization_domains', { organization_id, domain: 'a.example' })).toMatchObject({
      status: 409,
      body: { code: 'domain_already_exists' },
    });
  });

  test.each(['localhost', 'http://acme.example', 'acme', '-a.example', 'a..example', '127.0.0.1', 'a.example/x', ''])(
    'is rejected when it is not a domain name: %p',
    async (domain) => {
      const organization_id = await organization('Acme');
      const { status, body } = await call('POST', '/organization_domains', { organization_id, domain });
      expect(status).toBe(422);
      expect(body).toMatchObject({ errors: [{ field: 'domain' }] });
    },
  );

  test.each(['at its prefix', 'at the domain itself'])('is verified by a TXT record %s', async (where) => {
    const dns = await nameServer();
    const hooks = await receiver();
    const events = ['organization_domain.verified'];
    await call('POST', '/webhook_endpoints', { endpoint_url: hooks.url, events });
    const {
      id,
      verification_prefix: prefix,
      verification_token: token,
    } = await add(await organization('A'), 'a.example');
    expect(await call('POST', `/organization_domains/${id}/verify`)).toMatchObject({
      status: 201,
      body: { state: 'pending' },
    });
    if (where === 'at its prefix') dns.text(`${prefix}.a.example`, token);
    else dns.text('a.example', `${prefix}=${token}`);
    expect(await call('POST', `/organization_domains/${id}/verify`)).toMatchObject({
      status: 201,
      body: { state: 'verified' },
    });
    expect(await call('POST', `/organization_domains/${id}/verify`)).toMatchObject({
      status: 400,
      body: { code: 'domain_already_verified' },
    });
    expect(await readEvents('organization_domain.verified')).toMatchObject([{ data: { id, state: 'verified' } }]);
    expect(JSON.parse((await hooks.until(1))[0]?.body ?? '')).toMatchObject({ event: events[0], data: { id } });
  });

  test('is not verified by another domain’s token', async () => {
    const dns = await nameServer();
    const [mine, theirs] = [
      await add(await organization('A'), 'a.example'),
      await add(await organization('B'), 'a.example'),
    ];
    dns.text('a.example', `${theirs.verification_prefix}=${theirs.verification_token}`);
    await call('POST', `/organization_domains/${mine.id}/verify`);
    expect(await read(mine.id)).toMatchObject({ state: 'pending' });
  });

  test('is verified in the background after its record appears', async () => {
    const dns = await nameServer();
    const {
      id,
      verification_prefix: prefix,
      verification_token: token,
    } = await add(await organization('A'), 'a.example');
    dns.text(`${prefix}.a.example`, token);
    await idle();
    await advance(6 * 60);
    await idle();
    expect(await read(id)).toMatchObject({ state: 'verified' });
  });

  test('fails after thirty days, and can be verified again', async () => {
    const { id } = await add(await organization('A'), 'a.example');
    await idle();
    for (let half = 0; half < 2; half += 1) {
      await advance(15.5 * DAY_SECONDS);
      await idle();
    }
    expect(await read(id)).toMatchObject({ state: 'failed' });
    expect(await readEvents('organization_domain.verification_failed')).toMatchObject([
      { data: { reason: 'domain_verification_period_expired', organization_domain: { id, state: 'failed' } } },
    ]);
    expect(await call('POST', `/organization_domains/${id}/verify`)).toMatchObject({
      status: 201,
      body: { state: 'pending' },
    });
  });

  test('is looked up every five minutes again after a failed verification was started again', async () => {
    const dns = await nameServer();
    const {
      id,
      verification_prefix: prefix,
      verification_token: token,
    } = await add(await organization('A'), 'a.example');
    await idle();
    await advance(31 * DAY_SECONDS);
    await idle();
    expect(await read(id)).toMatchObject({ state: 'failed' });
    await call('POST', `/organization_domains/${id}/verify`);
    await idle();
    await advance(6 * 60);
    await idle();
    expect(await read(id)).toMatchObject({ state: 'pending' });
    dns.text(`${prefix}.a.example`, token);
    await advance(6 * 60);
    await idle();
    expect(await read(id)).toMatchObject({ state: 'verified' });
  });

  test('fails in the background if another organization has verified the same domain in the meantime', async () => {
    const dns = await nameServer();
    const winner = await add(await organization('A'), 'a.example');
    dns.text('a.example', `${winner.verification_prefix}=${winner.verification_token}`);
    // The index by name does not show the other domain yet.
    const late = await add(await organization('B'), 'a.example');
    await call('POST', `/organization_domains/${winner.id}/verify`);
    await idle();
    await advance(6 * 60);
    await idle();
    expect(await read(late.id)).toMatchObject({ state: 'failed' });
  });

  test('fails for all others after one organization has verified it', async () => {
    const dns = await nameServer();
    const winner = await add(await organization('A'), 'a.example');
    const loser = await add(await organization('B'), 'a.example');
    dns.text('a.example', `${winner.verification_prefix}=${winner.verification_token}`);
    await idle();
    await call('POST', `/organization_domains/${winner.id}/verify`);
    await idle();
    expect(await read(loser.id)).toMatchObject({ state: 'failed' });
    expect(await readEvents('organization_domain.verification_failed')).toMatchObject([
      { data: { reason: 'domain_verified_by_other_organization' } },
    ]);
    dns.text('a.example', `${loser.verification_prefix}=${loser.verification_token}`);
    expect(await call('POST', `/organization_domains/${loser.id}/verify`)).toMatchObject({
      status: 400,
      body: { code: 'domain_already_verified' },
    });
  });
});

describe('the domains of an organization', () => {
  test('are replaced by domain_data: domains are kept, added, verified and removed, each with its event', async () => {
    const { body } = await call<{ id: string }>('POST', '/organizations', {
      name: 'Acme',
      domain_data: [
        { domain: 'keep.example', state: 'verified' },
        { domain: 'prove.example', state: 'pending' },
        { domain: 'drop.example', state: 'verified' },
      ],
    });
    const { body: updated } = await call<{ domains: Domain[] }>('PUT', `/organizations/${body.id}`, {
      domain_data: [
        { domain: 'keep.example', state: 'verified' },
        { domain: 'prove.example', state: 'verified' },
        { domain: 'new.example', state: 'pending' },
      ],
    });
    expect(updated.domains.map(({ domain, state }) => `${domain} ${state}`).toSorted()).toEqual([
      'keep.example verified',
      'new.example pending',
      'prove.example verified',
    ]);
    const events = await readEvents(
      'organization_domain.created',
      'organization_domain.updated',
      'organization_domain.deleted',
      'organization.created',
      'organization.updated',
    );
    expect(events.map(({ event }) => event).toSorted()).toEqual([
      'organization.created',
      'organization.updated',
      ...Array.from({ length: 4 }, () => 'organization_domain.created'),
      'organization_domain.deleted',
      'organization_domain.updated',
    ]);
  });

  test('can be changed fifteen at a time; a request with more changes nothing', async () => {
    const domain_data = Array.from({ length: 16 }, (_, at) => ({ domain: `d${at}.example`, state: 'pending' }));
    const id = await organization('Acme');
    const { status, body } = await call('PUT', `/organizations/${id}`, { domain_data });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: [{ field: 'domain_data' }] });
    expect((await call('GET', `/organizations/${id}`)).body).toMatchObject({ domains: [] });
    expect((await call('PUT', `/organizations/${id}`, { domain_data: domain_data.slice(1) })).status).toBe(200);
  });
});
