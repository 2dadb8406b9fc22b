/**
 * Another instance of a function on the service's table, with empty caches. `instances.ts` forks it, and it responds to
 * requests that arrive by IPC, as Lambda invokes a handler.
 */
import { globSync } from 'node:fs';

import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';

import type { HttpHandler } from '../../functions/kernel/http/entry.ts';

/** A call to the instance, and its number. */
export interface Asked {
  at: number;
  event: APIGatewayProxyEventV2;
}

/** The result of a call. */
export interface InstanceResponse {
  at: number;
  status: number;
  body: unknown;
}

const area = process.argv[2] ?? '';
const functions = new URL('../../functions/', import.meta.url);
const [file = ''] = globSync(`*/${area}/handler.ts`, { cwd: functions });
const { http } = (await import(new URL(file, functions).href)) as {
  http: HttpHandler;
};

async function respond({ at, event }: Asked): Promise<void> {
  const { statusCode = 500, body } = await http(event, {} as Context);
  const message: InstanceResponse = { at, status: statusCode, body: body === undefined ? undefined : JSON.parse(body) };
  process.send?.(message);
}

process.on('message', (asked: Asked) => {
  respond(asked).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
// The channel closes when the test ends for any reason.
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
