import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Context } from 'aws-lambda';

import { findCheapestRead } from '../../../functions/kernel/http/cheapest-read.ts';
import { PING } from '../../../functions/kernel/http/ping.ts';
import { tableClient } from '../../../functions/kernel/storage/client.ts';
import { areas } from '../../../functions/registry.ts';
import { topology } from '../../../lib/topology/index.ts';
import { openTarget, type Target } from '../../contract/target.ts';

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.stop());

type Handler = (event: unknown, context: Context) => Promise<{ statusCode?: number } | undefined>;

async function load({ file, export: name }: { file: string; export: string }): Promise<Handler> {
  return ((await import(`../../../${file}`)) as Record<string, Handler>)[name] as Handler;
}

const versioned = topology.functions.filter(({ source }) => source.kind !== 'schedule');

describe('the call of a deployment before traffic', () => {
  test.each(versioned)('$name responds to it, and writes nothing', async ({ entry, source }) => {
    const handler = await load(entry);
    const spy = jest.spyOn(tableClient(), 'send');
    const response = await handler(PING, {} as Context);
    const sent = spy.mock.calls.map(([command]) => (command as object).constructor.name);
    spy.mockRestore();
    expect(sent.filter((name) => !['GetCommand', 'BatchGetCommand', 'QueryCommand'].includes(name))).toEqual([]);
    if (source.kind === 'http') expect(response?.statusCode).toBeLessThan(500);
    else expect([response, sent]).toEqual([undefined, []]);
  });

  test('reads the table in most areas, and fails there if the table does not respond', async () => {
    const reading = areas.filter(({ operations }) => (findCheapestRead(operations)?.auth.security.length ?? 0) > 0);
    expect(reading.length).toBeGreaterThan(15);
    const spy = jest.spyOn(tableClient(), 'send').mockRejectedValue(new Error('no table') as never);
    const organizations = topology.functions.find(({ name }) => name === 'organizations-http');
    const handler = await load(organizations?.entry ?? { file: '', export: '' });
    await expect(handler(PING, {} as Context)).rejects.toThrow('no table');
    spy.mockRestore();
  });
});
