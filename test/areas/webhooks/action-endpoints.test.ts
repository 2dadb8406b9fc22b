import { beforeEach, describe, expect, test } from '@jest/globals';

import { type Receiver, receiver } from '../../support/receiver.ts';
import { call, reset } from '../../support/service.ts';
import { eventsNamed } from '../sso/support.ts';
import {
  contextIn,
  decide,
  type Endpoint,
  EMAIL,
  endpoint,
  listExecutions,
  makeUser,
  signIn,
} from './action-endpoint.ts';

let asked: Receiver;

beforeEach(async () => {
  await reset();
  asked = await receiver('/actions');
});

describe('an action endpoint', () => {
  test('exists once for each type of an environment, and is read, listed and changed', async () => {
    const made = await endpoint(asked, 'authentication');
    const other = await endpoint(asked, 'user_registration', undefined, { on_failure: 'allow', timeout_ms: 750 });
    const body = { type: 'authentication', endpoint_url: asked.url };
    expect(await call('POST', '/x/actions/endpoints', body)).toMatchObject({
      status: 409,
      body: { code: 'action_endpoint_exists' },
    });
    expect((await call('GET', `/x/actions/endpoints/${made.id}`)).body).toEqual(made);
    const { body: listed } = await call<{ data: Endpoint[] }>('GET', '/x/actions/endpoints');
    expect(listed.data).toEqual([other, made]);
    expect(other).toMatchObject({ on_failure: 'allow', timeout_ms: 750, next_secret: null });
    const changed = await call('PATCH', `/x/actions/endpoints/${made.id}`, { endpoint_url: `${asked.url}/2` });
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { ...made, endpoint_url: `${asked.url}/2`, updated_at: expect.anything() },
    ]);
  });

  test('exists once for each type although 12 callers create it at the same time', async () => {
    const body = { type: 'authentication', endpoint_url: asked.url };
    const responses = await Promise.all(Array.from({ length: 12 }, () => call('POST', '/x/actions/endpoints', body)));
    const created = responses.filter(({ status }) => status === 201);
    expect(created).toHaveLength(1);
    expect(responses.every(({ status }) => [201, 409, 503].includes(status))).toBe(true);
    const { body: listed } = await call<{ data: unknown[] }>('GET', '/x/actions/endpoints');
    expect(listed.data).toHaveLength(1);
  });

  test.each([
    'http://169.254.169.254/latest',
    'ftp://example.com',
    'https://user:pass@example.com/',
    'https://example.com/#a',
  ])('cannot be at %s', async (endpoint_url) => {
    const rejected = { status: 422, body: { code: 'invalid_url' } };
    expect(await call('POST', '/x/actions/endpoints', { type: 'authentication', endpoint_url })).toMatchObject(
      rejected,
    );
    const { id } = await endpoint(asked, 'authentication');
    expect(await call('PATCH', `/x/actions/endpoints/${id}`, { endpoint_url })).toMatchObject(rejected);
  });

  test('accepts responses signed with either secret during a rotation, and only with the next one afterwards', async () => {
    await makeUser();
    const made = await endpoint(asked, 'authentication');
    const path = `/x/actions/endpoints/${made.id}`;
    expect((await call('POST', `${path}/promote_secret`, {})).body).toMatchObject({ code: 'no_rotation' });
    const { body: rotating } = await call<Endpoint>('POST', `${path}/rotate_secret`, {});
    expect([rotating.secret, rotating.next_secret]).toEqual([made.secret, expect.stringMatching(/^whsec_/)]);
    expect((await call('POST', `${path}/rotate_secret`, {})).body).toMatchObject({ code: 'rotation_in_progress' });
    const next = rotating.next_secret ?? '';
    for (const secret of [made.secret, next]) {
      decide(asked, made, { verdict: 'Allow' }, secret);
      expect((await signIn()).status).toBe(200);
      expect(await contextIn(asked.requests.at(-1), made)).toMatchObject({ user: { email: EMAIL } });
    }
    expect((await call<Endpoint>('POST', `${path}/promote_secret`, {})).body).toMatchObject({
      secret: next,
      next_secret: null,
      next_secret_at: null,
    });
    expect((await signIn()).status).toBe(200);
    decide(asked, made, { verdict: 'Allow' });
    expect((await signIn()).body).toMatchObject({ error: 'access_denied' });
  });

  test.each(['authentication', 'user_registration'] as const)(
    'for %s returns its verdict to a test call, which stores nothing',
    async (type) => {
      const made = await endpoint(asked, type, { verdict: 'Deny', errorMessage: 'No.' });
      const tested = await call('POST', `/x/actions/endpoints/${made.id}/test`, {});
      expect([tested.status, tested.body]).toMatchObject([
        200,
        { object: 'action_test', type, verdict: 'Deny', failure: null, error_message: 'No.', http_status: 200 },
      ]);
      expect(await contextIn(asked.requests[0], made)).toMatchObject({ object: `${type}_action_context` });
      expect(await listExecutions(made)).toEqual([]);
      expect(await eventsNamed(`action.${type}.denied`)).toEqual([]);
    },
  );
});
