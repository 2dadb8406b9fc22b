import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { startTrial, type Trial } from './trial/start.ts';

let trial: Trial;
beforeAll(async () => {
  trial = await startTrial();
});
beforeEach(() => trial.local('POST', 'reset'));

const write = async (text: string, more: object = {}): Promise<string> => {
  const { status, body } = await trial.call('POST', '/x/trial/notes', { text, ...more });
  expect(status).toBe(201);
  return body.id;
};

const texts = (worker: string, of: string) => trial.seen(worker).filter(({ text }) => text === of);

describe('a committed event', () => {
  test('is delivered through stream, bus and queue once, and only to its own worker', async () => {
    await write('through');
    await trial.idle();
    for (const worker of ['relay', 'dispatch', 'deliver']) expect(texts(worker, 'through')).toHaveLength(1);
    expect(trial.seen('other')).toEqual([]);
  });

  test('reaches its worker within moments', async () => {
    const waits: number[] = [];
    for (let at = 0; at < 25; at += 1) {
      await write(`moment ${at}`);
      const committed = performance.timeOrigin + performance.now();
      await trial.idle();
      waits.push((texts('dispatch', `moment ${at}`)[0]?.at ?? Infinity) - committed);
    }
    waits.sort((one, other) => one - other);
    console.log(`responded -> worker: median ${waits[12]?.toFixed(1)} ms, slowest ${waits.at(-1)?.toFixed(1)} ms`);
    expect(waits.at(-1)).toBeLessThan(30_000);
  });

  test.each(['relay', 'dispatch'])('is retried if %s fails', async (worker) => {
    const text = `fail in ${worker} ${Date.now()}`;
    await write(text);
    await trial.idle();
    expect(texts(worker, text).length).toBeGreaterThan(1);
    expect(texts('deliver', text).length).toBeGreaterThan(0);
  });

  test('whose worker fails is logged, with the worker and the reason', async () => {
    let printed = '';
    const listen = (chunk: Buffer) => void (printed += chunk.toString());
    trial.process.stderr.on('data', listen);
    await write(`fail in dispatch ${Date.now()}`);
    await trial.idle();
    trial.process.stderr.off('data', listen);
    expect(printed).toMatch(/^worker trial-dispatch failed with \S+ Error: .+$/m);
  });

  test('is not lost while the bus rejects events', async () => {
    await trial.local('POST', 'faults', { target: 'bus', kind: 'refuse', count: 4 });
    await write('refused at first');
    await trial.idle();
    expect(texts('deliver', 'refused at first')).toHaveLength(1);
  });
});

describe('work that a transaction stages for a worker', () => {
  const makeSteps = (text: string) => texts('work', text).map(({ step }) => step ?? -1);

  test('executes each step once, even if it is delivered twice', async () => {
    await write('stepwise', { work: { steps: 6, pause: 5 } });
    await trial.idle();
    // Two deliveries of the same work may begin the same step; the one that is a step behind leaves the rest to the other.
    const done = makeSteps('stepwise');
    expect([...new Set(done)].sort()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(done.length).toBeLessThanOrEqual(7);
  });

  test('continues at the step that failed', async () => {
    const text = `resumed ${Date.now()}`;
    await write(text, { work: { steps: 5, pause: 5, fails: 3 } });
    await trial.idle();
    const done = makeSteps(text);
    expect([...new Set(done)].sort()).toEqual([0, 1, 2, 3, 4]);
    expect(done.filter((step) => step === 0).length).toBeLessThanOrEqual(2);
    expect(done.filter((step) => step === 3).length).toBeGreaterThan(1);
  });

  test('is not delivered to workers of events', async () => {
    await write('unheard', { work: { steps: 1, pause: 0 } });
    await trial.idle();
    expect(makeSteps('unheard')).toContain(0);
    expect(texts('hear', 'unheard')).toHaveLength(1);
    expect(texts('hear', '')).toEqual([]);
  });

  test('is not started if its transaction fails', async () => {
    const rejected = await trial.call('POST', '/x/trial/notes', { text: '', work: { steps: 1, pause: 0 } });
    expect(rejected.status).toBe(422);
    await trial.idle();
    expect(makeSteps('')).toEqual([]);
  });
});

describe('a message of a queue', () => {
  test('that fails becomes visible again after its visibility time-out', async () => {
    const text = `fail in deliver ${Date.now()}`;
    await write(text);
    await trial.idle();
    expect(texts('deliver', text)).toHaveLength(1);
    await trial.local('POST', 'clock', { advance_seconds: 181 });
    await trial.idle();
    expect(texts('deliver', text).map(({ receives }) => receives)).toEqual([1, 2]);
  });

  test('that always fails goes to the dead letters after the maximum number of receives', async () => {
    await write('fail always');
    for (let at = 0; at < 7; at += 1) {
      await trial.idle();
      await trial.local('POST', 'clock', { advance_seconds: 181 });
    }
    await trial.idle();
    expect(texts('deliver', 'fail always')).toHaveLength(5);
  });

  test('waits while as many workers run as the topology allows', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, at) => write(`pause ${at}`)));
    await trial.idle();
    const runs = trial.seen('deliver').filter(({ text }) => text.startsWith('pause'));
    expect(new Set(runs.map(({ text }) => text)).size).toBe(30);
    expect(Math.max(...runs.map(({ most }) => most ?? 0))).toBeLessThanOrEqual(2);
  });
});

describe('captured messages', () => {
  test('are listed as mail and SMS, newest first, with links and code, by recipient', async () => {
    await write('someone@example.com');
    await trial.idle();
    await write('+15555550100');
    await trial.idle();
    const { data } = await trial.local('GET', 'messages');
    expect(data).toEqual([
      expect.objectContaining({ channel: 'sms', to: '+15555550100', subject: null, html: null, code: '123456' }),
      expect.objectContaining({
        channel: 'email',
        to: 'someone@example.com',
        subject: 'Welcome',
        links: ['https://app.example/accept?token=111111&x=2'],
        code: '654321',
        id: expect.stringMatching(/^message_/),
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      }),
    ]);
    const one = await trial.local('GET', 'messages?to=SomeOne%40example.com');
    expect(one.data).toHaveLength(1);
  });
});

describe('the local clock', () => {
  test('runs a schedule once when it is advanced past its time', async () => {
    const before = trial.seen('tick').length;
    const { now } = await trial.local('GET', 'clock');
    const advanced = await trial.local('POST', 'clock', { advance_seconds: 3_600 });
    expect(Date.parse(advanced.now) - Date.parse(now)).toBeGreaterThanOrEqual(3_600_000);
    await trial.idle();
    expect(trial.seen('tick').length).toBe(before + 1);
  });

  test('removes the rows that expire when it is advanced, and no others', async () => {
    const short = await write('short', { expires_in: 60 });
    const long = await write('long', { expires_in: 600 });
    await trial.local('POST', 'clock', { advance_seconds: 120 });
    const readStatus = async (id: string) => (await trial.call('GET', `/x/trial/notes/${id}`)).status;
    const deadline = Date.now() + 30_000;
    while ((await readStatus(short)) === 200 && Date.now() < deadline) continue;
    expect([await readStatus(short), await readStatus(long)]).toEqual([404, 200]);
  });

  test.each([{}, { advance_seconds: -1 }, { advance_seconds: '5' }, { advance_seconds: 1, more: 1 }])(
    'rejects %j',
    async (body) => {
      expect((await trial.call('POST', '/_local/clock', body)).status).toBe(422);
    },
  );
});

describe('a reset', () => {
  test('deletes everything except the key, and is quick', async () => {
    await write('someone@example.com');
    await trial.local('POST', 'clock', { advance_seconds: 86_400 });
    await trial.local('POST', 'faults', { target: 'mail', kind: 'refuse' });
    const times: number[] = [];
    for (let at = 0; at < 10; at += 1) times.push((await trial.local('POST', 'reset')).milliseconds);
    console.log(`reset: ${times.join(', ')} ms`);
    expect((await trial.call('GET', '/x/trial/notes')).body.data).toEqual([]);
    expect((await trial.local('GET', 'messages')).data).toEqual([]);
    expect((await trial.local('GET', 'faults')).data).toEqual([]);
    expect(Math.abs(Date.parse((await trial.local('GET', 'clock')).now) - Date.now())).toBeLessThan(5_000);
  });

  test('activates the faults that it names, once and again', async () => {
    const list = async () => (await trial.call('GET', '/x/trial/notes')).body.data.map(({ text }) => text);
    const faults = [{ target: 'table', kind: 'stale_lists', delay_ms: 60_000 }];
    for (const text of ['first', 'second']) {
      await trial.local('POST', 'reset', { faults });
      expect((await trial.local('GET', 'faults')).data).toMatchObject(faults);
      await write(text);
      expect(await list()).toEqual([]);
      await trial.idle();
      expect(await list()).toEqual([text]);
    }
    expect((await trial.call('POST', '/_local/reset', { faults: [{ target: 'moon' }] })).status).toBe(422);
  });

  test('keeps work in progress from changing later data', async () => {
    const slow = trial.call('POST', '/x/trial/notes', { text: 'late', pause: 5_000 });
    for (let at = 0; at < 20; at += 1) await write(`pause-${at}@example.com`);
    await trial.local('POST', 'reset');
    expect((await slow).status).toBe(503);
    // The wait is longer than the abandoned work still runs.
    await write('after', { pause: 1_200 });
    await trial.idle();
    expect((await trial.call('GET', '/x/trial/notes?limit=100')).body.data).toMatchObject([{ text: 'after' }]);
    expect((await trial.local('GET', 'messages')).data).toEqual([]);
    expect(texts('deliver', 'after')).toHaveLength(1);
  });
});
