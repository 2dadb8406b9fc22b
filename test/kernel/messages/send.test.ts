import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as z from 'zod';

import { newEnvironment } from '../../../functions/kernel/authentication/api-key.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { clock } from '../../../functions/kernel/clock.ts';
import { composeMessage } from '../../../functions/kernel/messages/compose.ts';
import { findUnsent, messages } from '../../../functions/kernel/messages/entity.ts';
import { template } from '../../../functions/kernel/messages/template.ts';
import { itContactInvitation } from '../../../functions/kernel/messages/templates/it-contact-invitation.ts';
import { removeOwned } from '../../../functions/kernel/storage/cascade.ts';
import { environments } from '../../../functions/kernel/storage/environment.ts';
import { Unit } from '../../../functions/kernel/storage/unit.ts';
import type { Write } from '../../../functions/kernel/storage/write.ts';
import { sendSms } from '../../../functions/outbound/messages/channels.ts';
import { retry } from '../../../functions/outbound/messages/handler.ts';
import type { Providers } from './providers.ts';
import { conflictOnce, deliverItem, startSending } from './sending.ts';

let environmentId: string;
let environmentWrite: Write;
const ADDRESS = 'grace.hopper@navy.example';
const TOKEN = 'canary-3f9a';

let providers: Providers;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ providers, stop } = await startSending());
  // All tests of this file send to one address.
  const limits = { 'mail.invitation.daily': { limit: 1_000 } };
  const { record, write } = newEnvironment('Acme', undefined, undefined, { limits });
  [environmentId, environmentWrite] = [record.id, write];
  await commit(environmentWrite);
});
afterAll(() => stop());

let printed: string[];
beforeEach(() => {
  printed = [];
  providers.handed.length = 0;
  providers.rejections.length = 0;
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => (printed.push(String(text)), true));
});
afterEach(async () => {
  jest.restoreAllMocks();
  clock.reset();
  for (const { environmentId: of, id } of await findUnsent(100))
    await messages.entity().delete({ environmentId: of, id }).go();
});

async function commit(...writes: Write[]) {
  const unit = new Unit(environmentId, systemActor);
  unit.stage(writes);
  return unit.commit();
}

type Options = Partial<Parameters<typeof composeMessage<typeof itContactInvitation.values>>[0]>;

const invite = (options: Options = {}): Promise<Write> =>
  composeMessage({
    environmentId,
    channel: 'email',
    to: ADDRESS,
    template: itContactInvitation,
    values: {
      organizationName: 'Foo Corp',
      intents: ['sso'],
      setupUrl: `https://auth.example.com/setup?token=${TOKEN}`,
      expiresAt: '2030-01-01T00:00:00.000Z',
    },
    ...options,
  });

const idOf = (write: Write): string => write.params.Item?.id as string;

/**
 * Writes a message to the table.
 * @returns its id
 */
async function queued(options: Options = {}): Promise<string> {
  const write = await invite(options);
  await commit(write);
  return idOf(write);
}

const deliver = (id: string, of = environmentId): Promise<boolean> => deliverItem(of, id);

const computeState = async (id: string) => (await messages.get(environmentId, id))?.state;

describe('a message', () => {
  test('is sent once, however often the queue delivers its item', async () => {
    const id = await queued();
    expect(await deliver(id)).toBe(true);
    expect(await deliver(id)).toBe(true);
    expect(providers.handed).toHaveLength(1);
    const { body } = providers.handed[0] as { body: Record<string, unknown> };
    expect(body).toMatchObject({
      FromEmailAddress: '"Acme" <no-reply@gatehouse.example>',
      Destination: { ToAddresses: [ADDRESS] },
      Content: { Simple: { Subject: { Data: 'Set up single sign-on for Foo Corp', Charset: 'UTF-8' } } },
    });
    expect(JSON.stringify(body)).toContain(TOKEN);
    expect(await messages.get(environmentId, id)).toMatchObject({ state: 'sent', providerId: 'ses-1', attempts: 1 });
  });

  test('is sent once by ten workers at the same time', async () => {
    const id = await queued();
    await Promise.all(Array.from({ length: 10 }, () => deliver(id)));
    expect(providers.handed).toHaveLength(1);
    expect(await deliver(id)).toBe(true);
    expect(providers.handed).toHaveLength(1);
  });

  test('is not sent if its transaction fails', async () => {
    const write = await invite();
    expect(await commit(write, environmentWrite)).toEqual({ kind: 'conflict' });
    expect(await deliver(idOf(write))).toBe(true);
    expect(providers.handed).toHaveLength(0);
  });

  test('has neither address nor content in plain text in its row or in a log line', async () => {
    const write = await invite();
    await commit(write);
    const row =
      Buffer.from(JSON.stringify(write.params.Item)).toString() +
      Buffer.from(write.params.Item?.sealed as Uint8Array).toString('latin1');
    for (const secret of [ADDRESS, 'grace', TOKEN, 'Foo Corp']) expect(row).not.toContain(secret);
    providers.rejections.push({
      status: 400,
      code: 'MessageRejected',
      message: `Address is on the suppression list: ${ADDRESS}`,
    });
    await deliver(idOf(write));
    const other = await queued();
    providers.rejections.push({ status: 429, code: 'TooManyRequestsException', message: ADDRESS });
    await deliver(other);
    clock.advance(61_000);
    await deliver(other);
    expect(printed.join('')).toContain('message sent');
    expect(printed.join('')).toContain('message given up');
    for (const secret of ['grace', TOKEN, 'Foo Corp']) expect(printed.join('')).not.toContain(secret);
    const sent = await messages.get(environmentId, other);
    expect(sent?.sealed).toBeUndefined();
  });

  test.each([
    [429, 'TooManyRequestsException'],
    [400, 'LimitExceededException'],
    [400, 'SendingPausedException'],
    [400, 'MailFromDomainNotVerifiedException'],
    [
      400,
      'MessageRejected',
      'Email address is not verified. The following identities failed the check in region EU-WEST-1',
    ],
    [500, 'InternalFailure'],
    [503, 'ServiceUnavailable'],
  ])('returns to the queue after %i %s, and is then sent', async (status, code, message = '') => {
    const id = await queued();
    providers.rejections.push({ status, code, message });
    expect(await deliver(id)).toBe(false);
    expect(await computeState(id)).toBe('queued');
    clock.advance(180_000);
    expect(await deliver(id)).toBe(true);
    expect(await computeState(id)).toBe('sent');
    expect(providers.handed).toHaveLength(1);
  });

  test.each([
    ['MessageRejected', 'Email address is not verified', 1],
    ['SendingPausedException', '', 1],
    ['TooManyRequestsException', '', 0],
    ['BadRequestException', 'Local address contains control or whitespace', 0],
  ])('counts failures that need an operator for the alarm: %s %s', async (code, message, times) => {
    const id = await queued();
    printed.length = 0;
    providers.rejections.push({ status: 400, code, message });
    await deliver(id);
    const metrics = printed.filter((line) => line.includes('"_aws"') && line.includes('messages_undelivered'));
    expect(metrics).toHaveLength(times);
    clock.advance(180_000);
    await deliver(id);
  });

  test('with an unknown result is not retried by the client, but sent again by the queue with the same content', async () => {
    const id = await queued();
    providers.rejections.push({ status: 0, code: '' });
    expect(await deliver(id)).toBe(false);
    expect(providers.handed).toHaveLength(1);
    expect(await computeState(id)).toBe('queued');
    clock.advance(180_000);
    expect(await deliver(id)).toBe(true);
    expect(providers.handed[1]?.body).toEqual(providers.handed[0]?.body);
    expect(await deliver(id)).toBe(true);
    expect(providers.handed).toHaveLength(2);
  });

  test.each([['MessageRejected'], ['BadRequestException']])(
    'fails finally, with its state recorded, after %s',
    async (code) => {
      const id = await queued();
      providers.rejections.push({ status: 400, code });
      expect(await deliver(id)).toBe(true);
      const record = await messages.get(environmentId, id);
      expect(record).toMatchObject({ state: 'failed', failure: 'rejected' });
      expect(record?.sealed).toBeUndefined();
      expect(await deliver(id)).toBe(true);
      expect(providers.handed).toHaveLength(0);
    },
  );

  test('is not sent after the time in which it is useful', async () => {
    const id = await queued({ usefulSeconds: 600 });
    clock.advance(601_000);
    expect(await deliver(id)).toBe(true);
    expect(providers.handed).toHaveLength(0);
    expect(await messages.get(environmentId, id)).toMatchObject({ state: 'failed', failure: 'expired' });
  });

  test('of an environment that was deleted is not sent', async () => {
    const gone = newEnvironment('Gone');
    await commit(environments.create({ ...gone.record, deletedAt: clock.timestamp() }).write);
    const write = await invite({ environmentId: gone.record.id });
    await commit(write);
    expect(await deliver(idOf(write), gone.record.id)).toBe(true);
    expect(providers.handed).toHaveLength(0);
  });

  test('cannot be sent from the row of another message, since its content is encrypted for its own row', async () => {
    const [one, other] = [await invite(), await invite()];
    (other.params.Item as { sealed: unknown }).sealed = one.params.Item?.sealed;
    await commit(other);
    expect(await deliver(idOf(other))).toBe(true);
    expect(providers.handed).toHaveLength(0);
    expect(await messages.get(environmentId, idOf(other))).toMatchObject({ state: 'failed', failure: 'unreadable' });
  });

  test('is erased with its owner', async () => {
    const id = await queued({ owner: 'organization#org_1' });
    expect(await removeOwned(environmentId, 'organization#org_1')).toBe(1);
    expect(await deliver(id)).toBe(true);
    expect(providers.handed).toHaveLength(0);
  });

  test('that is composed twice with one deduplication id is stored once', async () => {
    expect(await commit(await invite({ deduplicationId: 'endpoint-disabled#we_1' }))).toEqual({ kind: 'committed' });
    expect(await commit(await invite({ deduplicationId: 'endpoint-disabled#we_1' }))).toEqual({ kind: 'conflict' });
    clock.advance(7 * 86_400_000 + 1_000);
    expect(await commit(await invite({ deduplicationId: 'endpoint-disabled#we_1' }))).toEqual({ kind: 'committed' });
  });

  test('to an invalid address is rejected before any write', async () => {
    await expect(invite({ to: 'ada@example.com\r\nBcc: eve@example.com' })).rejects.toThrow(TypeError);
    await expect(invite({ channel: 'sms', to: '+49301234567' })).rejects.toThrow(/not sent by sms/);
  });
});

describe('a message that the relay or the queue lost', () => {
  test('is sent by the scheduled worker after the queue’s own attempts, and only once', async () => {
    const ids = [await queued(), await queued(), await queued()];
    await retry({}, {} as never);
    expect(providers.handed).toHaveLength(0);
    clock.advance(15 * 60_000);
    await retry({}, {} as never);
    expect(providers.handed).toHaveLength(3);
    for (const id of ids) expect(await computeState(id)).toBe('sent');
    clock.advance(15 * 60_000);
    await retry({}, {} as never);
    expect(providers.handed).toHaveLength(3);
  });

  test('is retried at growing intervals, and does not delay other messages', async () => {
    const failing = await queued();
    for (const minutes of [15, 15, 30, 45, 60, 60]) {
      clock.advance((minutes - 2) * 60_000);
      await retry({}, {} as never);
      expect(providers.rejections).toHaveLength(0);
      clock.advance(2 * 60_000 + 1_000);
      providers.rejections.push({ status: 503, code: 'ServiceUnavailable' });
      await retry({}, {} as never);
      expect(providers.rejections).toHaveLength(0);
    }
    const other = await queued();
    clock.advance(15 * 60_000 + 1_000);
    await retry({}, {} as never);
    expect(await computeState(other)).toBe('sent');
    expect(await computeState(failing)).toBe('queued');
    clock.advance(86_400_000);
    await retry({}, {} as never);
    expect(await messages.get(environmentId, failing)).toMatchObject({ state: 'failed', failure: 'expired' });
  });

  test('is recorded as sent although the first write of its state meets a conflict', async () => {
    const id = await queued();
    const countWrites = conflictOnce('ses-1');
    expect(await deliver(id)).toBe(true);
    expect(countWrites()).toBe(2);
    expect(await messages.get(environmentId, id)).toMatchObject({ state: 'sent', providerId: 'ses-1' });
    expect(await messages.get(environmentId, id)).not.toHaveProperty('claimedUntil');
  });

  test('whose worker crashed is sent after the lease has expired', async () => {
    const id = await queued();
    const found = await messages.get(environmentId, id);
    if (found === undefined) throw new Error('it was written');
    await commit(messages.revise(found, { claimedUntil: clock.now() + 60_000 }).write);
    expect(await deliver(id)).toBe(false);
    clock.advance(60_001);
    expect(await deliver(id)).toBe(true);
    expect(providers.handed).toHaveLength(1);
  });
});

describe('an SMS', () => {
  test('is sent through SNS', async () => {
    expect(await sendSms('+49301234567', 'Your code is 123456')).toBe('sns-1');
    expect(providers.handed[0]?.body).toMatchObject({
      Action: 'Publish',
      PhoneNumber: '+49301234567',
      Message: 'Your code is 123456',
      'MessageAttributes.entry.1.Value.StringValue': 'Transactional',
    });
  });

  test('is composed for its number', async () => {
    const code = template({
      name: 'test-code',
      cause: 'own_sign_in',
      values: z.object({ code: z.string() }),
      sms: ({ code: digits }) => `Your code is ${digits}`,
    });
    const write = await composeMessage({
      environmentId,
      channel: 'sms',
      to: '+49 30 1234567',
      template: code,
      values: { code: '123456' },
    });
    expect(write.params.Item).toMatchObject({ channel: 'sms', template: 'test-code' });
    // A message with a template of a newer release waits for a worker that has the template.
    await commit(write);
    expect(await deliver(idOf(write))).toBe(false);
    expect(await computeState(idOf(write))).toBe('queued');
  });
});
