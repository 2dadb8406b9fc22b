import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, describe, expect, test } from '@jest/globals';

import { callAws } from '../../lib/local/aws-call.ts';
import { startTableEngine, type TableEngine } from '../../lib/local/table/engine.ts';

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const start = async (ports: readonly number[]): Promise<TableEngine> => {
  const engine = await startTableEngine(
    undefined,
    () => undefined,
    (attempt) => ports[attempt - 1] ?? 0,
  );
  stops.push(engine.stop);
  return engine;
};

const parsePort = (server: Server): number => (server.address() as AddressInfo).port;

/** A port that was free just before. */
async function once(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = parsePort(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('a table engine whose port is in use', () => {
  test('is started on another port, and its requests never reach the other engine', async () => {
    const [first, free] = [await start([await once()]), await once()];
    const taken = Number(new URL(first.url).port);
    const second = await start([taken, taken, free]);
    expect(second.url).toBe(`http://127.0.0.1:${free}`);
    await callAws(second, 'CreateTable', {
      TableName: 'of-the-second',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    });
    expect(await callAws(first, 'ListTables', {})).toEqual({ TableNames: [] });
  });
});
