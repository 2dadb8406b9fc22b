import { writeFileSync } from 'node:fs';
import { compileFunction } from 'node:vm';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WorkOS } from '@workos-inc/node';

import { clock } from '../../../functions/kernel/clock.ts';
import { openApiDocument } from '../../../lib/openapi/document.ts';
import { renderNodeCall, SDK_CALLS } from '../../../functions/faces/reference/examples/node-sdk.ts';
import {
  type Examples,
  type OperationExample,
  readExamples,
} from '../../../functions/faces/reference/examples/recorded.ts';
import { UNEXECUTED_IDS, whyUnexecuted } from '../../../functions/faces/reference/examples/unexecuted.ts';
import { listOperations } from '../../../functions/faces/reference/navigation/navigation.ts';
import { listEventTypes } from '../../../functions/faces/reference/page/events.ts';
import { areas } from '../../../functions/registry.ts';
import { operations } from '../../contract/described.ts';
import type { Api } from '../../contract/samples/sample.ts';
import { openTarget, type Target } from '../../contract/target.ts';
import { type Served, serveTarget } from './serve.ts';
import { describeShape, makeExample, Normalizer, prepare, makeTarget } from './examples.ts';

/** Set this variable to write the examples again, after an operation has changed: `npm test -- reference/examples`. */
const IS_WRITING = process.env.GATEHOUSE_WRITE_EXAMPLES === '1';
const FILE = new URL('../../../functions/faces/reference/examples/recorded.json', import.meta.url);
const SLOW = 240_000;

const document = openApiDocument(areas);
const described = new Map(listOperations(document).map((own) => [own.id, own]));

let target: Target;
let api: Api;
let served: Served;
let recorded: Examples;

beforeAll(async () => {
  target = await openTarget();
  api = target.apiWith(target.keys.here);
  served = await serveTarget(target);
  recorded = IS_WRITING ? { operations: {}, events: {}, executed: new Set() } : await readExamples();
}, SLOW);
afterAll(async () => {
  served.close();
  await target.stop();
});

/** The responses of the calls that did not succeed. */
const rejected = new Map<string, string>();

async function record(): Promise<Omit<Examples, 'executed'>> {
  const examples: Record<string, OperationExample> = {};
  for (const own of operations) {
    const prepared = await prepare(own, api, target.keys.here);
    if (prepared === undefined) continue;
    // Lists of events leave out the last seconds, in which there may be events or none.
    if (own.area.name === 'events') clock.advance(60_000);
    const { body } = prepared;
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await api.send(own.operation.method, makeTarget(prepared), sent);
    if (response.status < 300 && (response.json !== undefined || response.text === '')) {
      examples[own.operation.id] = makeExample(prepared, response);
    } else rejected.set(own.operation.id, `${response.status} ${response.text.slice(0, 300)}`);
  }
  const events: Record<string, unknown> = {};
  // The list leaves out the last seconds.
  clock.advance(60_000);
  for (const name of listEventTypes(document).keys()) {
    const { json, status, text } = await api.send('GET', `/events?limit=1&events=${name}`);
    if (status !== 200) throw new Error(`GET /events responded with ${status}: ${text}`);
    const [event] = (json as { data: unknown[] }).data;
    if (event !== undefined) events[name] = new Normalizer().value(event);
  }
  return { operations: examples, events };
}

describe('the examples of the reference', () => {
  test(
    'are what the service responds: each recorded call has the same status and members when it is made again',
    async () => {
      const made = await record();
      if (IS_WRITING) {
        writeFileSync(FILE, `${JSON.stringify(made)}\n`);
        recorded = { ...made, executed: recorded.executed };
      }
      const compare = (examples: Pick<Examples, 'operations'>) =>
        Object.fromEntries(
          Object.entries(examples.operations).map(([id, { status, response, body }]) => [
            id,
            { status, response: describeShape(response), body: describeShape(body) },
          ]),
        );
      expect(Object.keys(made.operations).toSorted()).toEqual(Object.keys(recorded.operations).toSorted());
      expect(compare(made)).toEqual(compare(recorded));
      expect(Object.keys(made.events).toSorted()).toEqual(Object.keys(recorded.events).toSorted());
    },
    SLOW,
  );

  test('contain no key, token or address of this machine', () => {
    const text = JSON.stringify(recorded);
    expect(text).not.toContain(target.keys.here);
    expect(text.match(/[A-Za-z0-9_-]{60,}/g) ?? []).toEqual([]);
    expect(text).not.toMatch(/localhost:|127\.0\.0\.1:/);
  });

  test('exist for every operation, except those of which the page says why no test executes their call', () => {
    const all = [...described.values()];
    const lacking = all.filter((own) => recorded.operations[own.id] === undefined && whyUnexecuted(own) === undefined);
    const excused = all.filter((own) => recorded.operations[own.id] !== undefined && whyUnexecuted(own) !== undefined);
    expect(
      lacking.map(
        ({ id }) =>
          `${id}: ${rejected.get(id) ?? 'record it (GATEHOUSE_WRITE_EXAMPLES=1), or add its call to own-examples.ts'}`,
      ),
    ).toEqual([]);
    expect(excused.map(({ id }) => id)).toEqual([]);
    expect(UNEXECUTED_IDS.filter((id) => !described.has(id))).toEqual([]);
  });

  test(
    'with the official SDK for Node send the request of their operation',
    async () => {
      const { port } = new URL(served.url);
      const workos = new WorkOS(target.keys.here, { apiHostname: '127.0.0.1', port: Number(port), https: false });
      const failed: string[] = [];
      for (const own of operations.filter(({ operation }) => Object.hasOwn(SDK_CALLS, operation.id))) {
        const prepared = await prepare(own, api, target.keys.here);
        const { id, method } = own.operation;
        const code = prepared && renderNodeCall(id, prepared);
        if (prepared === undefined || code === undefined) {
          failed.push(`${id}: no sample`);
          continue;
        }
        served.requests.length = 0;
        const run = compileFunction(`return (async () => { ${code} return result; })()`, ['workos']) as (
          own: WorkOS,
        ) => Promise<unknown>;
        const error = await run(workos).then(() => undefined, String);
        const [path] = makeTarget(prepared).split('?');
        const isSent = served.requests.some((request) => request.split('?', 1)[0] === `${method} ${path}`);
        if (error !== undefined || !isSent) failed.push(`${id}: ${code} ${error ?? served.requests.join()}`);
      }
      expect(failed).toEqual([]);
    },
    SLOW,
  );
});
