import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type * as z from 'zod';

import { type Described, findTarget, operations, readBody } from './described.ts';
import { json } from './expectations.ts';
import type { Api } from './samples/sample.ts';
import { openTarget, type Target } from './target.ts';

let target: Target;
let here: Api;

beforeAll(async () => {
  target = await openTarget();
  here = target.apiWith(target.keys.here);
});
afterAll(() => target.stop());

type Members = Record<string, unknown>;

/** The members of an input, each of them the text where its schema accepts that. */
function fill(members: Members, schema: z.ZodType | undefined, text: string): Members {
  const names = Object.keys((schema as { shape?: object } | undefined)?.shape ?? {});
  return names.reduce((filled, name) => {
    const next = { ...filled, [name]: text };
    return schema?.safeParse(next).success === true ? next : filled;
  }, members);
}

/** Sends a request in which each text is the given one, as far as the operation accepts it. */
async function sendEverywhere(described: Described, text: string): Promise<number> {
  const { operation, parameters } = described;
  const params = Object.fromEntries(parameters.map((name) => [name, text]));
  const [path = '', given] = findTarget(described, params).split('?', 2);
  const query = fill(Object.fromEntries(new URLSearchParams(given)), operation.query, text) as Record<string, string>;
  const body = operation.body && fill((await readBody(described, here)) ?? {}, operation.body, text);
  const address = `${path}?${new URLSearchParams(query).toString()}`;
  return (await here.send(operation.method, address, json(body))).status;
}

test('no operation responds with 5xx if each of the texts in a request fits a key, and two together do not', async () => {
  // A part of a key has at most 1,024 bytes, and so has a sort key; a partition key has 2,048.
  const text = 'x'.repeat(1_020);
  const failed: string[] = [];
  for (const described of operations) {
    const status = await sendEverywhere(described, text);
    if (status >= 500) failed.push(`${described.name}: ${status}`);
  }
  expect(failed).toEqual([]);
}, 180_000);
