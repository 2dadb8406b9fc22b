import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { openApiDocument } from '../../../functions/kernel/openapi/document.ts';
import { readExamples } from '../../../functions/reference/examples/recorded.ts';
import { listOperations } from '../../../functions/reference/navigation/navigation.ts';
import { isKeyed } from '../../../functions/reference/page/schema.ts';
import { areas } from '../../../functions/registry.ts';
import { operations } from '../../contract/described.ts';
import { openTarget, type Target } from '../../contract/target.ts';
import { makeTarget, prepare } from './examples.ts';
import { runLanguage } from './languages.ts';
import { type Served, serveTarget } from './serve.ts';

const SLOW = 600_000;
const described = new Map(listOperations(openApiDocument(areas)).map((own) => [own.id, own]));

let target: Target;
let served: Served;

beforeAll(async () => {
  target = await openTarget();
  served = await serveTarget(target);
}, SLOW);
afterAll(async () => {
  served.close();
  await target.stop();
});

test.each(['node', 'python', 'go', 'java'] as const)(
  'every example of the reference in %s is executed as it is shown',
  async (language) => {
    const examples = await readExamples();
    const api = target.apiWith(target.keys.here);
    const calls = [];
    for (const own of operations.filter(({ operation }) => examples.operations[operation.id] !== undefined)) {
      const prepared = await prepare(own, api);
      const { id, method } = own.operation;
      if (prepared === undefined) throw new Error(`${id} has no sample any more`);
      const request = {
        method,
        url: served.url + makeTarget(prepared),
        body: prepared.body,
        isKeyed: isKeyed(described.get(id)?.operation ?? {}),
      };
      calls.push({ id, request });
    }
    const result = await runLanguage(language, calls, { GATEHOUSE_API_KEY: target.keys.here });
    if ('skipped' in result) return process.stderr.write(`\nSKIPPED examples in ${language}: ${result.skipped}\n\n`);
    expect(result.failed).toEqual([]);
    expect(result.executed).toBe(calls.length);
  },
  SLOW,
);
