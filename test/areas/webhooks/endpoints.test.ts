import { beforeEach, describe, expect, test } from '@jest/globals';

import { advance, call, reset } from '../../support/service.ts';

interface Endpoint {
  id: string;
  secret: string;
  status: string;
  endpoint_url: string;
  events: string[];
}
interface Details extends Endpoint {
  next_secret: string | null;
  next_secret_at: string | null;
  disabled_reason: string | null;
}

beforeEach(() => reset());

const events = ['organization.created', 'organization.deleted'];
const create = (endpoint_url: string, names: unknown = events) =>
  call<Endpoint>('POST', '/webhook_endpoints', { endpoint_url, events: names });

describe('a webhook endpoint', () => {
  test('is created, listed, updated and deleted, and shows its secret', async () => {
    const { status, body: made } = await create('https://hooks.example.com/in');
    expect(status).toBe(201);
    expect(made).toMatchObject({
      object: 'webhook_endpoint',
      status: 'enabled',
      events,
      endpoint_url: 'https://hooks.example.com/in',
    });
    expect(made.id).toMatch(/^we_[0-9A-Z]{26}$/);
    expect(made.secret).toMatch(/^whsec_/);
    expect(Buffer.from(made.secret.slice(6), 'base64')).toHaveLength(32);
    expect((await call('GET', '/webhook_endpoints')).body).toEqual({
      object: 'list',
      data: [made],
      list_metadata: { before: null, after: null },
    });
    const change = { status: 'disabled', events: ['user.created', 'user.created'] };
    const { body: changed } = await call<Endpoint>('PATCH', `/webhook_endpoints/${made.id}`, change);
    expect(changed).toMatchObject({ id: made.id, secret: made.secret, status: 'disabled', events: ['user.created'] });
    expect((await call('DELETE', `/webhook_endpoints/${made.id}`)).status).toBe(204);
    expect((await call<{ data: unknown[] }>('GET', '/webhook_endpoints')).body.data).toEqual([]);
  });

  test('is listed without delay, in pages in both orders', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 7; at += 1) ids.push((await create(`https://hooks.example.com/${at}`)).body.id);
    for (const order of ['asc', 'desc']) {
      const seen: string[] = [];
      let after: string | null = null;
      do {
        const cursor: string = after === null ? '' : `&after=${after}`;
        const { body } = await call<{ data: Endpoint[]; list_metadata: { after: string | null } }>(
          'GET',
          `/webhook_endpoints?order=${order}&limit=3${cursor}`,
        );
        seen.push(...body.data.map(({ id }) => id));
        ({ after } = body.list_metadata);
      } while (after !== null);
      expect(seen).toEqual(order === 'asc' ? ids : [...ids].reverse());
    }
  });

  test.each([
    ['http to the world', 'http://93.184.216.34/'],
    ['a private address', 'https://10.0.0.1/'],
    ['instance metadata', 'http://169.254.169.254/latest/meta-data'],
    ['a decimal spelling of a private address', 'https://167772161/'],
    ['an IPv4-mapped private address', 'https://[::ffff:10.0.0.1]/'],
    ['credentials in the URL', 'https://user:pass@hooks.example.com/'],
    ['a fragment', 'https://hooks.example.com/#part'],
    ['another scheme', 'file:///etc/passwd'],
    ['no URL at all', 'not a url'],
  ])('rejects %s as invalid_url, in a creation and an update', async (_, url) => {
    expect(await create(url)).toMatchObject({ status: 422, body: { code: 'invalid_url' } });
    const { body } = await create('https://hooks.example.com/in');
    expect(await call('PATCH', `/webhook_endpoints/${body.id}`, { endpoint_url: url })).toMatchObject({
      status: 422,
      body: { code: 'invalid_url' },
    });
  });

  test.each([
    ['an unknown event', { endpoint_url: 'https://a.example.com', events: ['nothing.happened'] }, 'events.0'],
    [
      'an event that is only pulled',
      { endpoint_url: 'https://a.example.com', events: ['vault.data.read'] },
      'events.0',
    ],
    ['no events', { endpoint_url: 'https://a.example.com', events: [] }, 'events'],
    ['a missing URL', { events }, 'endpoint_url'],
  ])('rejects %s and names the member', async (_, body, field) => {
    expect(await call('POST', '/webhook_endpoints', body)).toMatchObject({
      status: 422,
      body: { code: 'invalid_request_parameters', errors: [{ field }] },
    });
  });

  test('cannot have the URL of another endpoint, which is free again after that one was changed or deleted', async () => {
    const { body: one } = await create('https://hooks.example.com/in');
    expect(await create('https://HOOKS.example.com:443/in')).toMatchObject({
      status: 409,
      body: { code: 'duplicate_endpoint' },
    });
    const { body: other } = await create('https://hooks.example.com/other');
    const move = (id: string, endpoint_url: string) => call('PATCH', `/webhook_endpoints/${id}`, { endpoint_url });
    expect(await move(other.id, one.endpoint_url)).toMatchObject({ status: 409, body: { code: 'duplicate_endpoint' } });
    expect((await move(one.id, 'https://hooks.example.com/moved')).status).toBe(200);
    expect((await move(other.id, one.endpoint_url)).status).toBe(200);
    expect((await call('DELETE', `/webhook_endpoints/${other.id}`)).status).toBe(204);
    expect((await create(one.endpoint_url)).status).toBe(201);
  });

  test('gets the same 404 for an unknown id, a deleted one and one of another environment', async () => {
    const id = 'we_01JX0000000000000000000000';
    for (const [method, path, body] of [
      ['PATCH', `/webhook_endpoints/${id}`, {}],
      ['DELETE', `/webhook_endpoints/${id}`, undefined],
      ['GET', `/x/webhook_endpoints/${id}`, undefined],
      ['GET', `/x/webhook_endpoints/${id}/deliveries`, undefined],
      ['POST', `/x/webhook_endpoints/${id}/rotate_secret`, {}],
      ['POST', `/x/webhook_endpoints/${id}/promote_secret`, undefined],
      ['GET', `/x/webhook_endpoints/${id}/deliveries/webhook_delivery_01JX0000000000000000000000`, undefined],
      ['POST', `/x/webhook_endpoints/${id}/deliveries/webhook_delivery_01JX0000000000000000000000/resend`, undefined],
    ] as const) {
      expect(await call(method, path, body)).toMatchObject({
        status: 404,
        body: { code: 'entity_not_found' },
      });
    }
  });

  test('is limited to a hundred in an environment', async () => {
    for (let at = 0; at < 100; at += 10) {
      await Promise.all(Array.from({ length: 10 }, (_, one) => create(`https://hooks.example.com/${at + one}`)));
    }
    expect(await create('https://hooks.example.com/more')).toMatchObject({
      status: 422,
      body: { code: 'too_many_endpoints' },
    });
  });
});

describe('the rotation of a secret', () => {
  const rotate = (id: string, body?: object) => call<Details>('POST', `/x/webhook_endpoints/${id}/rotate_secret`, body);
  const promote = (id: string) => call<Details>('POST', `/x/webhook_endpoints/${id}/promote_secret`);

  test('results in both secrets during the overlap, and only the new one afterwards', async () => {
    const { body: made } = await create('https://hooks.example.com/in');
    const { status, body: rotating } = await rotate(made.id);
    expect(status).toBe(200);
    expect(rotating.secret).toBe(made.secret);
    expect(rotating.next_secret).toMatch(/^whsec_/);
    expect(await rotate(made.id)).toMatchObject({ status: 409, body: { code: 'rotation_in_progress' } });
    const { body: promoted } = await promote(made.id);
    expect(promoted).toMatchObject({ secret: rotating.next_secret, next_secret: null, next_secret_at: null });
    expect(await promote(made.id)).toMatchObject({ status: 409, body: { code: 'no_rotation' } });
  });

  test('is completed automatically at the end of the overlap', async () => {
    const { body: made } = await create('https://hooks.example.com/in');
    const { body: rotating } = await rotate(made.id, { overlap_hours: 1 });
    await advance(3_601);
    expect((await call('GET', `/x/webhook_endpoints/${made.id}`)).body).toMatchObject({
      secret: rotating.next_secret,
      next_secret: null,
    });
    const { body: again } = await rotate(made.id, { overlap_hours: 1 });
    expect(again.secret).toBe(rotating.next_secret);
  });

  test('replaces the secret at once without an overlap', async () => {
    const { body: made } = await create('https://hooks.example.com/in');
    const { body } = await rotate(made.id, { overlap_hours: 0 });
    expect(body).toMatchObject({ next_secret: null });
    expect(body.secret).not.toBe(made.secret);
  });
});
