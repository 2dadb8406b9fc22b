import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';

import { newEnvironment } from '../../../functions/kernel/authentication/api-key.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { clock } from '../../../functions/kernel/clock.ts';
import { composeMessage } from '../../../functions/kernel/messages/compose.ts';
import { messages, recipientHash } from '../../../functions/kernel/messages/entity.ts';
import { existingAccountMail } from '../../../functions/kernel/messages/templates/existing-account.ts';
import { removeEnvironment, removeOwned } from '../../../functions/kernel/storage/cascade.ts';
import { environments } from '../../../functions/kernel/storage/environment.ts';
import { ownerKey } from '../../../functions/kernel/storage/record.ts';
import { Unit } from '../../../functions/kernel/storage/unit.ts';
import { feedback, send } from '../../../functions/outbound/messages/handler.ts';
import { addresses, findAddress, listSuppressions } from '../../../functions/outbound/messages/suppression/entity.ts';
import type { Providers } from './providers.ts';
import { startSending } from './sending.ts';

// Tests of the worker that records reports of SES, with reports that the local service cannot cause.
let here: string;
let there: string;
let providers: Providers;
let stop: () => Promise<void>;
let printed: string[];

beforeAll(async () => {
  ({ providers, stop } = await startSending({ GATEHOUSE_MAIL_SET: 'gatehouse-test-mail' }));
});
afterAll(() => stop());
beforeEach(async () => {
  printed = [];
  providers.handed.length = 0;
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => (printed.push(String(text)), true));
  [here, there] = [await environment(), await environment()];
});
afterEach(() => {
  jest.restoreAllMocks();
  clock.reset();
});

async function environment(): Promise<string> {
  const { record, write } = newEnvironment('Acme');
  await commit(record.id, write);
  return record.id;
}

async function commit(environmentId: string, ...writes: Parameters<Unit['stage']>[0][]): Promise<void> {
  const unit = new Unit(environmentId, systemActor);
  for (const write of writes) unit.stage(write);
  expect(await unit.commit()).toEqual({ kind: 'committed' });
}

const ADDRESS = 'grace.hopper@navy.example';

async function queued(environmentId: string, to = ADDRESS): Promise<string> {
  const write = await composeMessage({
    environmentId,
    channel: 'email',
    to,
    template: existingAccountMail,
    values: {},
  });
  await commit(environmentId, write);
  return write.params.Item?.id as string;
}

const item = (body: unknown) =>
  ({
    Records: [{ messageId: 'item', body: JSON.stringify(body), attributes: { ApproximateReceiveCount: '1' } }],
  }) as never;

async function deliver(environmentId: string, id: string): Promise<void> {
  await send(item({ environment_id: environmentId, id }), {} as never);
}

/** A mail that SES has accepted. @returns the ids of the row and of SES */
async function sent(environmentId = here, to = ADDRESS): Promise<{ id: string; providerId: string }> {
  const id = await queued(environmentId, to);
  await deliver(environmentId, id);
  const providerId = (await messages.get(environmentId, id))?.providerId;
  if (providerId === undefined) throw new Error('SES took no mail');
  return { id, providerId };
}

interface Feedback {
  environmentId?: string;
  id: string;
  providerId: string;
  to?: string;
  detail?: object;
}

const bounced = (bounceType: string, bounceSubType = 'General', status = '5.1.1') => ({
  eventType: 'Bounce',
  bounce: { bounceType, bounceSubType, bouncedRecipients: [{ emailAddress: 'x@x.example', action: 'failed', status }] },
});
const complained = (complaintFeedbackType?: string) => ({
  eventType: 'Complaint',
  complaint: { complainedRecipients: [], ...(complaintFeedbackType && { complaintFeedbackType }) },
});

const eventOf = ({ environmentId = here, id, providerId, to = ADDRESS, detail = bounced('Permanent') }: Feedback) => ({
  version: '0',
  id: 'event',
  source: 'aws.ses',
  'detail-type': 'Email Bounced',
  detail: {
    ...detail,
    mail: {
      messageId: providerId,
      destination: [to],
      headers: [{ name: 'Subject', value: 'Set up' }],
      tags: {
        'ses:configuration-set': ['gatehouse-test-mail'],
        gatehouse_environment: [environmentId],
        gatehouse_message: [id],
      },
    },
  },
});

/**
 * Delivers a report once.
 * @returns true if the queue may delete it
 */
async function report(body: unknown): Promise<boolean> {
  const { batchItemFailures } = await feedback(item(body), {} as never);
  return batchItemFailures.length === 0;
}

const suppressed = async (environmentId = here) =>
  (await listSuppressions(environmentId, { scan: 'asc', limit: 100 })).records;
const readRow = (id: string, environmentId = here) => messages.get(environmentId, id);

describe('a sent mail', () => {
  test('has tags that identify its row, which is kept for complaints that arrive late', async () => {
    const from = clock.seconds();
    const { id } = await sent();
    const to = clock.seconds();
    expect(providers.handed[0]?.body).toMatchObject({
      ConfigurationSetName: 'gatehouse-test-mail',
      EmailTags: [
        { Name: 'gatehouse_environment', Value: here },
        { Name: 'gatehouse_message', Value: id },
      ],
    });
    const row = await readRow(id);
    expect(row?.expiresAt).toBeGreaterThanOrEqual(from + 30 * 86_400);
    expect(row?.expiresAt).toBeLessThanOrEqual(to + 30 * 86_400);
    expect(JSON.stringify(row)).not.toContain('grace');
  });
});

describe('an SES report', () => {
  test('of a permanent bounce suppresses the address in upper and lower case, and no further mail is sent', async () => {
    const first = await sent();
    expect(await report(eventOf(first))).toBe(true);
    expect(await readRow(first.id)).toMatchObject({ state: 'sent', bounce: 'permanent' });
    expect(await suppressed()).toMatchObject([{ email: ADDRESS, reason: 'bounce', messageId: first.id }]);
    providers.handed.length = 0;
    const next = await queued(here, 'Grace.Hopper@NAVY.example');
    await deliver(here, next);
    expect(providers.handed).toHaveLength(0);
    expect(await readRow(next)).toMatchObject({ state: 'failed', failure: 'suppressed' });
    expect(printed.filter((line) => line.includes('messages_undelivered'))).toEqual([]);
  });

  test.each(['Transient', 'Undetermined', 'SomethingNew'])('of a %s bounce suppresses nothing', async (type) => {
    const first = await sent();
    expect(await report(eventOf({ ...first, detail: bounced(type, 'MailboxFull', '4.2.2') }))).toBe(true);
    expect((await readRow(first.id))?.bounce).toBe(type === 'Transient' ? 'transient' : 'undetermined');
    expect(await suppressed()).toEqual([]);
    await sent();
    expect(providers.handed).toHaveLength(2);
  });

  test('that arrives twice, or at ten workers at once, has one effect', async () => {
    const first = await sent();
    await Promise.all(Array.from({ length: 10 }, () => report(eventOf(first))));
    await report(eventOf(first));
    expect(await suppressed()).toHaveLength(1);
    expect((await readRow(first.id))?.version).toBe(4);
  });

  test('of a complaint replaces a bounce and lasts two years, and no bounce replaces it', async () => {
    const [one, two] = [await sent(), await sent()];
    const started = clock.seconds();
    const expectLife = (expiresAt: number | undefined, days: number): void => {
      expect(expiresAt).toBeGreaterThanOrEqual(started + days * 86_400);
      expect(expiresAt).toBeLessThanOrEqual(clock.seconds() + days * 86_400);
    };
    await report(eventOf(one));
    expectLife((await suppressed())[0]?.expiresAt, 180);
    await report(eventOf({ ...one, detail: complained('abuse') }));
    await report(eventOf(two));
    const [found, ...others] = await suppressed();
    expect(others).toEqual([]);
    expect(found).toMatchObject({ reason: 'complaint', detail: 'abuse' });
    expectLife(found?.expiresAt, 730);
    const address = await findAddress(here, recipientHash(here, ADDRESS));
    expect(address).toMatchObject({ suppressionId: found?.id, expiresAt: found?.expiresAt });
  });

  test('that a mail is not spam suppresses nothing', async () => {
    const first = await sent();
    expect(await report(eventOf({ ...first, detail: complained('not-spam') }))).toBe(true);
    expect(await suppressed()).toEqual([]);
  });

  test('is stored without texts of other hosts and with known types only', async () => {
    const first = await sent();
    const odd = bounced('Permanent', '<b>5.7.1 call +1 900</b>', '550 see https://evil.example');
    expect(await report(eventOf({ ...first, detail: odd }))).toBe(true);
    expect((await suppressed())[0]).not.toHaveProperty('detail');
  });

  test('that arrives before the mail is marked as sent is retried', async () => {
    const id = await queued(here);
    const row = await readRow(id);
    if (row === undefined) throw new Error('it was written');
    await commit(here, messages.revise(row, { claimedUntil: clock.now() + 60_000 }).write);
    expect(await report(eventOf({ id, providerId: 'ses-1' }))).toBe(false);
    clock.advance(60_001);
    await deliver(here, id);
    const providerId = String((await readRow(id))?.providerId);
    expect(await report(eventOf({ id, providerId }))).toBe(true);
    expect(await suppressed()).toHaveLength(1);
  });

  test('that is invalid goes to the dead letters instead of being lost', async () => {
    const first = await sent();
    const { detail, ...rest } = eventOf(first);
    for (const body of [
      {},
      rest,
      { ...rest, source: 'evil', detail },
      { ...rest, detail: { mail: detail.mail } },
      1,
      null,
    ]) {
      expect(await report(body)).toBe(false);
    }
    expect(await suppressed()).toEqual([]);
  });

  test('causes no log line with an address', async () => {
    const first = await sent();
    await report(eventOf(first));
    await report(eventOf({ ...first, providerId: 'other' }));
    const next = await queued(here);
    await deliver(here, next);
    expect(printed.join('')).toContain('report of no mail that was sent');
    expect(printed.join('')).toContain('suppressed');
    expect(printed.join('')).not.toContain('grace');
  });
});

describe('a report', () => {
  test.each([
    ['of a mail of another environment', (feedback: Feedback) => ({ ...feedback, environmentId: there })],
    [
      'of a message that never existed',
      (feedback: Feedback) => ({ ...feedback, id: 'message_01KF0000000000000000000000' }),
    ],
    ['under an id that SES never gave', (feedback: Feedback) => ({ ...feedback, providerId: 'ses-999' })],
    ['of an address that was never mailed', (feedback: Feedback) => ({ ...feedback, to: 'victim@navy.example' })],
    [
      'of an environment that never existed',
      (feedback: Feedback) => ({ ...feedback, environmentId: 'environment_none' }),
    ],
    ['with an id that is no key', (feedback: Feedback) => ({ ...feedback, id: 'x'.repeat(2_000) })],
    ['without an address', (feedback: Feedback) => ({ ...feedback, to: '' })],
  ])('%s suppresses nothing', async (_, forge) => {
    const first = await sent();
    await sent(there, 'victim@navy.example');
    expect(await report(eventOf(forge(first)))).toBe(true);
    expect([...(await suppressed(here)), ...(await suppressed(there))]).toEqual([]);
    expect((await readRow(first.id))?.bounce).toBeUndefined();
  });

  test('of a mail of a deleted environment suppresses nothing', async () => {
    const first = await sent();
    const found = await environments.get(here, here);
    if (found === undefined) throw new Error('it was written');
    await commit(here, environments.revise(found, { deletedAt: clock.timestamp() }).write);
    expect(await report(eventOf(first))).toBe(true);
    expect(await suppressed()).toEqual([]);
  });

  test('suppresses the address only in its own environment', async () => {
    await report(eventOf(await sent()));
    await sent(there);
    expect(await suppressed(there)).toEqual([]);
    expect(providers.handed).toHaveLength(2);
  });
});

describe('a suppression', () => {
  test('has no effect after its expiry although its rows still exist, and the next bounce creates a new one', async () => {
    await report(eventOf(await sent()));
    const [first] = await suppressed();
    clock.advance(180 * 86_400_000 + 1_000);
    expect(await suppressed()).toEqual([]);
    expect(await addresses.get(here, recipientHash(here, ADDRESS))).toBeDefined();
    const again = await sent();
    await report(eventOf(again));
    const [second] = await suppressed();
    expect(second?.messageId).toBe(again.id);
    expect(second?.id).not.toBe(first?.id);
  });

  test('is erased with its environment, but not with the user who has the address', async () => {
    const [mine, theirs] = [await sent(), await sent(there)];
    await report(eventOf(mine));
    await report(eventOf({ ...theirs, environmentId: there }));
    expect(await removeOwned(here, ownerKey('user', 'user_1'))).toBe(0);
    expect(await removeEnvironment(here)).toBeGreaterThanOrEqual(2);
    expect(await suppressed(here)).toEqual([]);
    expect(await findAddress(here, recipientHash(here, ADDRESS))).toBeUndefined();
    expect(await suppressed(there)).toHaveLength(1);
  });
});
