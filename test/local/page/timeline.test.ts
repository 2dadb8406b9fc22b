import { beforeEach, describe, expect, test } from '@jest/globals';

import { MOST_TRACES } from '../../../lib/local/timeline/timeline.ts';
import { call, idle, reset, service } from '../../support/service.ts';
import { receiver } from '../../support/receiver.ts';
import { timeline, findTrace } from './visit.ts';

beforeEach(() => reset({ calm: true }));

describe('the timeline of the local service', () => {
  test('joins a request, its event and the delivery of the event by the request id', async () => {
    const hooks = await receiver();
    await call('POST', '/webhook_endpoints', { endpoint_url: hooks.url, events: ['organization.created'] });
    const headers = { 'x-request-id': 'req-of-this-test' };
    await call('POST', '/organizations', { name: 'Looms' }, { headers });
    await hooks.until(1);
    const { response, events, deliveries } = await findTrace('POST', '/organizations');
    expect(response).toMatchObject({ status: 201, requestId: 'req-of-this-test' });
    expect(events).toMatchObject([{ name: 'organization.created', data: { name: 'Looms' } }]);
    expect(deliveries).toMatchObject([
      { eventName: 'organization.created', url: hooks.url, state: 'succeeded', attempts: [{ number: 1, status: 200 }] },
    ]);
    expect(deliveries[0]?.eventId).toBe(events[0]?.id);
  });

  test('joins a mail to the request that caused it', async () => {
    await call('POST', '/user_management/magic_auth', { email: 'ada@example.com' });
    const { messages, events } = await findTrace('POST', '/user_management/magic_auth');
    expect(messages).toMatchObject([
      { channel: 'email', to: 'ada@example.com', code: expect.stringMatching(/^\d{6}$/) },
    ]);
    expect(events.map(({ name }) => name)).toContain('magic_auth.created');
  });

  test('joins a text message, which has no tags, to the request that caused it', async () => {
    const { body: factor } = await call<{ id: string }>('POST', '/auth/factors/enroll', {
      type: 'sms',
      phone_number: '+15005550006',
    });
    await call('POST', `/auth/factors/${factor.id}/challenge`, {});
    const { messages } = await findTrace('POST', `/auth/factors/${factor.id}/challenge`);
    expect(messages).toMatchObject([{ channel: 'sms', to: '+15005550006' }]);
    expect((await timeline()).filter((trace) => trace.messages.length > 0)).toHaveLength(1);
  });

  test('shows a failed delivery with each of its attempts', async () => {
    const hooks = await receiver();
    hooks.respondWith({ status: 500, body: 'out of order' });
    await call('POST', '/webhook_endpoints', { endpoint_url: hooks.url, events: ['organization.created'] });
    await call('POST', '/organizations', { name: 'Looms' });
    await hooks.until(1);
    const [delivery] = (await findTrace('POST', '/organizations')).deliveries;
    expect(delivery).toMatchObject({ state: 'pending', attempts: [{ status: 500, response: 'out of order' }] });
  });

  test('joins the events of background work to the request that left it to the background', async () => {
    await call('POST', '/authorization/permissions', { slug: 'looms:read', name: 'Read looms' });
    await call('POST', '/authorization/roles', { slug: 'weaver', name: 'Weaver' });
    await call('PUT', '/authorization/roles/weaver/permissions', { permissions: ['looms:read'] });
    await idle();
    await call('DELETE', '/authorization/permissions/looms:read');
    const { events } = await findTrace('DELETE', '/authorization/permissions/looms:read');
    expect(events.map(({ name }) => name)).toEqual(['permission.deleted', 'role.updated']);
  });

  test('names the error of a rejected request', async () => {
    await call('POST', '/organizations', {});
    const { response } = await findTrace('POST', '/organizations');
    expect(response?.error?.code).toBe('invalid_request_parameters');
  });

  test('hides tokens in paths, and leaves out documents and the reads of the page itself', async () => {
    const { url } = await service();
    const token = `invitation_token_${'x'.repeat(64)}`;
    await call('GET', `/user_management/invitations/by_token/${token}`);
    await fetch(`${url}/docs`);
    await call('GET', '/organizations', undefined, { headers: { 'x-gatehouse-page': '1' } });
    expect((await timeline()).map(({ request }) => request?.path)).toEqual([
      '/user_management/invitations/by_token/{token}',
    ]);
  });

  test('keeps the newest traces only, and none after a reset', async () => {
    for (let at = 0; at <= MOST_TRACES; at += 1) await call('GET', `/organizations/org_${at}`);
    const traces = await timeline();
    expect(traces).toHaveLength(MOST_TRACES);
    expect(traces[0]?.request?.path).toBe(`/organizations/org_${MOST_TRACES}`);
    expect(traces.at(-1)?.request?.path).toBe('/organizations/org_1');
    await reset({ calm: true });
    expect(await timeline()).toEqual([]);
  });
});
