import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';

import { http } from '../../../functions/sign-in/directory-sync/handler.ts';
import { clock } from '../../../functions/kernel/clock.ts';
import { type CallResponse, call } from '../../kernel/http/calls.ts';
import { recordResponse } from '../../support/declarations/record.ts';
import { reset, service } from '../../support/service.ts';
import { environment } from '../../support/users.ts';
import { newProvider, type Provider } from './scim.ts';

/**
 * Each instance of the function has rate limits of its own, in buckets that are refilled with time. On a busy machine a bucket would be
 * refilled faster than requests arrive over HTTP, so these tests call an instance in this process and stop its clock.
 */
let ours: Provider;
let theirs: Provider;
let headers: Record<string, string>;

beforeEach(async () => {
  await reset({ calm: true });
  await environment();
  ours = await newProvider();
  theirs = await newProvider();
  headers = { authorization: `Bearer ${(await service()).apiKey}` };
  jest.spyOn(Date, 'now').mockReturnValue(Date.now());
});
afterEach(() => {
  jest.restoreAllMocks();
  clock.reset();
});

async function send(path: string, sent: Record<string, string>): Promise<CallResponse> {
  const response = await call(http, 'GET', path, { headers: sent });
  recordResponse('GET', path.split('?', 1)[0] ?? path, response.status, response.json);
  return response;
}

const ask = ({ directory, token }: Provider): Promise<CallResponse> =>
  send(`/scim/v2.0/${directory.external_key}/ServiceProviderConfig`, { authorization: `Bearer ${token}` });

/** The statuses of calls one after the other, each once with their number. */
async function count(calls: number, work: () => Promise<CallResponse>): Promise<Record<number, number>> {
  const counted: Record<number, number> = {};
  for (let at = 0; at < calls; at += 1) {
    const { status } = await work();
    counted[status] = (counted[status] ?? 0) + 1;
  }
  return counted;
}

test('a provider may send 600 requests at once and 100 a second; more get 429 with Retry-After and do not affect other directories', async () => {
  expect(await count(603, () => ask(ours))).toEqual({ 200: 600, 429: 3 });
  const { text, ...limited } = await ask(ours);
  expect(limited).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
  expect(JSON.parse(text)).toMatchObject({ status: '429' });
  expect((await ask(theirs)).status).toBe(200);
  clock.advance(1_000);
  expect(await count(101, () => ask(ours))).toEqual({ 200: 100, 429: 1 });
});

test('an environment may list directory users 200 times at once and 50 times a second; more get the 429 of the contract', async () => {
  const path = `/directory_users?directory=${ours.directory.id}`;
  expect(await count(201, () => send(path, headers))).toEqual({ 200: 200, 429: 1 });
  expect(await send(path, headers)).toMatchObject({ status: 429, json: 'Ratelimited' });
  clock.advance(1_000);
  expect(await count(51, () => send(path, headers))).toEqual({ 200: 50, 429: 1 });
});
