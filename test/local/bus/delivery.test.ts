import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { AwsError } from '../../../lib/local/aws-json.ts';
import { fails, folder, startProcess, until } from '../aws.ts';
import { findClient, dispatch, entry, put, rule, start } from './start.ts';

describe('PutEvents', () => {
  test('delivers the whole envelope once for each matching rule', async () => {
    const ofOrganizations = (type: string) => type.startsWith('organization.');
    const rules = [
      rule(dispatch, ofOrganizations),
      rule(`${dispatch}2`, ofOrganizations),
      rule(dispatch, (type) => type === 'organization.created'),
      rule(dispatch, (type) => type === 'organization.deleted'),
    ];
    const { client, bus, delivered } = await start({ rules });
    const response = await put(
      client,
      entry({ a: 1 }, { Resources: ['org_1'], Time: new Date('2025-05-05T05:05:05Z') }),
      entry({ a: 3 }, { DetailType: 'x' }),
    );
    expect(response.FailedEntryCount).toBe(0);
    expect(await bus.idle()).toBe(true);
    expect(delivered.map(({ arn }) => arn).toSorted()).toEqual([dispatch, dispatch, `${dispatch}2`]);
    for (const { event } of delivered) {
      expect(event).toEqual({
        version: '0',
        id: response.Entries?.[0]?.EventId,
        'detail-type': 'organization.created',
        source: 'gatehouse',
        account: '000000000000',
        time: '2025-05-05T05:05:05Z',
        region: 'us-east-1',
        resources: ['org_1'],
        detail: { a: 1 },
      });
    }
  });

  test('accepts valid entries and reports an error for each of the others', async () => {
    const { client, bus, delivered } = await start();
    const response = await put(
      client,
      entry({ n: 0 }),
      entry({}, { Detail: '{"a":' }),
      entry({}, { Detail: '[1]' }),
      entry({}, { Source: undefined }),
      entry({}, { DetailType: undefined }),
      entry({}, { Detail: undefined }),
      entry({}, { EventBusName: 'none' }),
      entry({ n: 1 }, { EventBusName: 'arn:aws:events:us-east-1:000000000000:event-bus/main' }),
    );
    expect(response.FailedEntryCount).toBe(6);
    expect(response.Entries?.map(({ ErrorCode }) => ErrorCode)).toEqual([
      undefined,
      'MalformedDetail',
      'MalformedDetail',
      'InvalidArgument',
      'InvalidArgument',
      'InvalidArgument',
      'InvalidArgument',
      undefined,
    ]);
    expect(response.Entries?.[3]?.ErrorMessage).toBe(
      'Parameter Source is not valid. Reason: Source is a required argument.',
    );
    expect(await bus.idle()).toBe(true);
    expect(delivered.map(({ event }) => event.detail)).toEqual([{ n: 0 }, { n: 1 }]);
  });

  test('accepts ten entries and 256 KB, and rejects a larger call', async () => {
    const { client, bus, delivered } = await start();
    const overhead = 'gatehouse'.length + 'organization.created'.length + '{"a":""}'.length;
    const sized = (bytes: number) => entry({ a: 'x'.repeat(bytes - overhead) });
    await fails(put(client, sized(256 * 1024 - 50), sized(51)), 'ValidationException');
    await fails(put(client, ...Array.from({ length: 11 }, () => entry())), 'ValidationException');
    await put(client, sized(256 * 1024 - 50), sized(50));
    await put(client, ...Array.from({ length: 10 }, () => entry()));
    expect(await bus.idle()).toBe(true);
    expect(delivered).toHaveLength(12);
  });

  test('fails with injected faults; the client retries and the event arrives once', async () => {
    const failures = [new AwsError('InternalException', 'Not now.', 500)];
    const faults = (name: string) => {
      const failure = name === 'PutEvents' ? failures.pop() : undefined;
      if (failure) throw failure;
    };
    const { client, bus, delivered } = await start({ faults });
    await put(client, entry());
    expect(await bus.idle()).toBe(true);
    expect(delivered).toHaveLength(1);
  });
});

describe('delivery', () => {
  test('starts at once after the call', async () => {
    let arrived = 0;
    const { client, bus } = await start({ deliver: async () => void (arrived = performance.now()) });
    const lags: number[] = [];
    for (let at = 0; at < 50; at += 1) {
      await put(client, entry());
      const response = performance.now();
      expect(await bus.idle()).toBe(true);
      lags.push(arrived - response);
    }
    expect(lags.toSorted((a, b) => a - b)[25]).toBeLessThan(250);
  });

  test('is retried at growing intervals until the target accepts it', async () => {
    const tries: number[] = [];
    const deliver = async () => {
      tries.push(clock.now);
      if (tries.length < 5) throw new Error('busy');
    };
    const { client, bus, clock, delivered } = await start({ deliver });
    const started = clock.now;
    await put(client, entry());
    for (const [index, pause] of [100, 200, 400, 800].entries()) {
      await until(() => tries.length === index + 1);
      clock.now += pause - 1;
      bus.wake();
      expect(tries).toHaveLength(index + 1);
      clock.now += 1;
      bus.wake();
    }
    expect(await bus.idle()).toBe(true);
    expect(tries.map((at) => at - started)).toEqual([0, 100, 300, 700, 1500]);
    expect(delivered).toHaveLength(1);
    expect(bus.deadLetters()).toEqual([]);
  });

  test('is retried by its own timer', async () => {
    const started = Date.now();
    let tries = 0;
    const deliver = async () => {
      if ((tries += 1) === 1) throw new Error('busy');
    };
    const { client, bus, clock } = await start({ deliver });
    const first = clock.now;
    Object.defineProperty(clock, 'now', { get: () => first + Date.now() - started });
    await put(client, entry());
    expect(await bus.idle()).toBe(true);
    expect(tries).toBe(2);
  });

  test('is attempted once more after 24 hours, then fails, and stays a dead letter after a restart', async () => {
    const dataFolder = folder();
    let tries = 0;
    const deliver = async () => {
      tries += 1;
      throw new Error('broken');
    };
    const { client, bus, clock } = await start({ dataFolder, deliver });
    await put(client, entry({ n: 1 }));
    await until(() => tries === 1);
    expect(await bus.idle(50)).toBe(false);
    expect([bus.pending(), bus.deadLetters()]).toEqual([1, []]);
    clock.now += 86_400_000;
    bus.wake();
    expect(await bus.idle()).toBe(true);
    const ruleArn = 'arn:aws:events:us-east-1:000000000000:rule/main/rule';
    const letter = { ruleArn, targetArn: dispatch, attempts: 2, lastError: 'broken', event: { detail: { n: 1 } } };
    expect(bus.deadLetters()).toMatchObject([letter]);
    await bus.close();
    const after = await start({ dataFolder });
    expect(after.bus.deadLetters()).toMatchObject([letter]);
    after.bus.reset();
    expect(after.bus.deadLetters()).toEqual([]);
  });

  test('runs ten calls to a target at a time, and other targets do not wait', async () => {
    const slow = `${dispatch}-slow`;
    const held: (() => void)[] = [];
    let most = 0;
    let running = 0;
    const deliver = async (arn: string) => {
      if (arn !== slow) return;
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => held.push(resolve));
      running -= 1;
    };
    const { client, bus, delivered } = await start({ deliver, rules: [rule(slow), rule()] });
    for (let at = 0; at < 5; at += 1) await put(client, ...Array.from({ length: 10 }, () => entry()));
    await until(() => delivered.filter(({ arn }) => arn === dispatch).length === 50);
    expect(delivered).toHaveLength(50);
    expect(most).toBe(10);
    await until(() => {
      held.splice(0).forEach((release) => release());
      return bus.pending() === 0;
    });
    expect(most).toBe(10);
    expect(new Set(delivered.map(({ arn, event }) => arn + event.id)).size).toBe(100);
  });

  test('deletes pending events at a reset, and delivers later ones', async () => {
    let fail = true;
    const deliver = async () => {
      if (fail) throw new Error('broken');
    };
    const { client, bus, clock, delivered } = await start({ dataFolder: folder(), deliver });
    for (let at = 0; at < 30; at += 1) await put(client, ...Array.from({ length: 10 }, () => entry({ old: true })));
    expect(bus.pending()).toBe(300);
    const started = performance.now();
    bus.reset();
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(bus.pending()).toBe(0);
    fail = false;
    await put(client, entry({ old: false }));
    clock.now += 60_000;
    bus.wake();
    expect(await bus.idle()).toBe(true);
    expect(delivered.map(({ event }) => event.detail)).toEqual([{ old: false }]);
  });

  test('of every acknowledged event survives a kill -9', async () => {
    const dataFolder = folder();
    const url = new URL('../../../lib/local/bus/server.ts', import.meta.url).href;
    const code = `import { startBus } from '${url}';
      const deliver = () => new Promise(() => {});
      const bus = await startBus({ name: 'main', rules: [{ name: 'rule', targetArn: '${dispatch}', matches: () => true }], dataFolder: process.argv[1], now: Date.now, deliver });
      console.log(bus.url);`;
    const running = await startProcess(code, dataFolder);
    const before = findClient(running.url);
    const accepted: (string | undefined)[] = [];
    const load = (async () => {
      for (;;) {
        const { Entries } = await put(before, entry(), entry());
        accepted.push(...(Entries ?? []).map(({ EventId }) => EventId));
      }
    })();
    // The process may end before its exit is observed.
    load.catch(() => undefined);
    await until(() => accepted.length >= 100);
    running.child.kill('SIGKILL');
    await once(running.child, 'exit');
    await expect(load).rejects.toThrow();
    // The clock of this run differs from that of the last one, which must not delay events.
    const { bus, delivered } = await start({ dataFolder });
    expect(await bus.idle()).toBe(true);
    const ids = new Set<string | undefined>(delivered.map(({ event }) => event.id));
    expect(accepted.filter((id) => !ids.has(id))).toEqual([]);
  });
});
