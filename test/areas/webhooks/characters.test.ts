import { beforeEach, describe, expect, test } from '@jest/globals';

import { type Receiver, receiver } from '../../support/receiver.ts';
import { call, idle, reset, sdk } from '../../support/service.ts';
import { deliveries, type Endpoint, subscribe } from './steps.ts';

let hooks: Receiver;
let endpoint: Endpoint;
beforeEach(async () => {
  await reset();
  hooks = await receiver();
  endpoint = await subscribe(hooks.url, ['organization.created']);
});

/** Text of 72 KB: 40 values of 600 characters that take three bytes each in UTF-8. */
const long = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`k${at}`, '語'.repeat(600)]));

describe('an event is delivered and verified by the official SDK when its text has', () => {
  test.each([
    ['an emoji', 'Ann 😀', {}],
    ['the noncharacter U+FFFE', 'Ann \ufffe', {}],
    ['the noncharacter U+FFFF', 'Ann \uffff', {}],
    ['a noncharacter beyond the basic plane', 'Ann \u{1fffe}', {}],
    ['quotes, backslashes and controls', 'Ann "\\u\u0001\u2028\u007f\u0085', {}],
    ['more than 64 KiB', 'Ann', long],
    ['more than 64 KiB, emoji and noncharacters', 'Ann 😀\ufffe\uffff', long],
    ['so many emoji that it grows beyond what travels', 'Ann', { one: '😀'.repeat(300), two: '😀'.repeat(300) }],
  ])('%s', async (_, name, metadata) => {
    const { status, body } = await call<{ id: string }>('POST', '/organizations', { name, metadata });
    expect(status).toBe(201);
    await idle();
    const [received] = hooks.requests;
    const event = await sdk().webhooks.constructEvent({
      payload: JSON.parse(received?.body ?? '{}') as Record<string, unknown>,
      sigHeader: String(received?.headers['gatehouse-signature']),
      secret: endpoint.secret,
    });
    expect(event.data).toMatchObject({ id: body.id, name, metadata });
    expect((await deliveries(endpoint)).map(({ state }) => state)).toEqual(['succeeded']);
  });
});

test('an event with former and new values of 180 KB each is delivered with both', async () => {
  const updates = await subscribe(new URL('/updates', hooks.url).href, ['organization.updated']);
  const makeMetadata = (text: string) =>
    Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, text.repeat(600)]));
  const [former, next] = [makeMetadata('\u0001'), makeMetadata('\u0002')];
  const { body } = await call<{ id: string }>('POST', '/organizations', { name: 'Ann', metadata: former });
  expect((await call('PUT', `/organizations/${body.id}`, { metadata: next })).status).toBe(200);
  await idle();
  const received = hooks.requests.find(({ path }) => path === '/updates');
  expect(JSON.parse(received?.body ?? '{}')).toMatchObject({
    data: { metadata: next },
    context: { previous_attributes: { metadata: former } },
  });
  expect((await deliveries(updates)).map(({ state }) => state)).toEqual(['succeeded']);
});
