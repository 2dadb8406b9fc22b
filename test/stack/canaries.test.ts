import { afterAll, describe, expect, test } from '@jest/globals';
import * as z from 'zod';

import { area } from '../../functions/kernel/area.ts';
import { httpEntry } from '../../functions/kernel/http/entry.ts';
import { messages } from '../../functions/kernel/http/error-response.ts';
import { queueEntry } from '../../functions/kernel/http/worker.ts';
import { sendLinesTo } from '../../functions/kernel/log.ts';
import { operation } from '../../functions/kernel/operation.ts';
import { forgetSettings } from '../../functions/kernel/settings.ts';
import { synthesizeTemplates, type TemplateJson } from '../../lib/stack/limits.ts';
import { topology } from '../../lib/topology/index.ts';
import { call } from '../kernel/http/calls.ts';
import { type AlarmProperties, isActive, Metrics } from './alarm-evaluation.ts';
import { listCanaries, listUnwatched } from './canary-check.ts';

const stage = { stage: 'prod', mailFrom: 'no-reply@example.com', alarmEmail: 'ops@example.com' };
const templates = synthesizeTemplates(topology, stage);
const service = templates.service as TemplateJson;
const workers = templates.workers as TemplateJson;
const canaries = [service, workers].flatMap(listCanaries);

describe('the deployment of a function', () => {
  test('has an alarm of its own metric and a call before traffic, for each function with an alias', () => {
    const withAlias = topology.functions.filter(({ source }) => source.kind !== 'schedule');
    expect(canaries.map(({ functionName }) => functionName).toSorted()).toEqual(
      withAlias.map(({ name }) => `gatehouse-prod-${name}`).toSorted(),
    );
    expect(listUnwatched([service, workers])).toEqual([]);
  });

  test.each([
    [
      'shares an alarm',
      (groups: Json[]) => Object.assign(groups[1] ?? {}, { AlarmConfiguration: groups[0]?.AlarmConfiguration }),
    ],
    ['has no alarm', (groups: Json[]) => delete groups[1]?.AlarmConfiguration],
    [
      'has the alarm of another function',
      (groups: Json[]) => {
        const [one, other] = groups.map(({ AlarmConfiguration }) => AlarmConfiguration);
        Object.assign(groups[0] ?? {}, { AlarmConfiguration: other });
        Object.assign(groups[1] ?? {}, { AlarmConfiguration: one });
      },
    ],
  ])('that %s is found', (_, plant) => {
    const planted = structuredClone(service);
    plant(
      Object.values(planted.Resources).flatMap(({ Type, Properties }) =>
        Type === 'AWS::CodeDeploy::DeploymentGroup' && Properties !== undefined ? [Properties] : [],
      ),
    );
    expect(listUnwatched([planted, workers])).not.toEqual([]);
  });

  test('notifies no one, and has no count in the alarms that do', () => {
    const alarms = Object.values(service.Resources).filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm');
    const own = new Set(canaries.flatMap(({ alarms: each }) => each.map(({ properties }) => properties)));
    for (const { Properties } of alarms)
      expect(own.has(Properties as unknown as AlarmProperties)).toBe(Properties?.AlarmActions === undefined);
  });
});

type Json = Record<string, unknown>;

const NEW = '8';
const SMALL = 'gatehouse-prod-pipes-http';
const WORKER = 'gatehouse-prod-webhooks-deliver';
/** Calls of the API in a minute, of which a tenth reach the new versions. */
const CALLS = 1_000;

/** The newest version of a function, and the ids of its template, as texts. */
const resolve = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value).includes('"Version"') ? NEW : JSON.stringify(value);

/** An operation without a table, which fails or not. */
const makeHandler = (fails: boolean) =>
  httpEntry(
    area({
      name: 'canary',
      group: 'any',
      summary: 'A function of a canary',
      errorForm: messages,
      workers: [],
      needs: [],
      operations: [
        operation({
          id: 'canary.read',
          method: 'GET',
          path: '/canary',
          summary: 'Read',
          auth: {
            security: [],
            authenticate: async () => ({
              environmentId: 'environment_canary',
              actor: { id: 'x', source: 'api', name: 'x' },
              proof: 'x',
            }),
          },
          responses: { 200: z.object({}) },
          errors: [],
          emits: [],
          idempotency: 'none',
          handle: async () => {
            if (fails) throw new Error('broken');
            return { status: 200, body: {} };
          },
        }),
      ],
    }),
  );

/** Runs work as a version of a function, whose lines of metrics are recorded. */
async function asVersion(metrics: Metrics, minute: number, name: string, work: () => Promise<unknown>): Promise<void> {
  Object.assign(process.env, {
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: NEW,
    GATEHOUSE_LOG_LEVEL: 'error',
  });
  forgetSettings();
  sendLinesTo((line) => metrics.addLine(line, minute));
  await work();
  const dimensions = { FunctionName: name, Resource: `${name}:live`, ExecutedVersion: NEW };
  metrics.add({ namespace: 'AWS/Lambda', name: 'Invocations', dimensions }, minute, 1);
}
afterAll(() => {
  for (const name of ['AWS_LAMBDA_FUNCTION_NAME', 'AWS_LAMBDA_FUNCTION_VERSION', 'GATEHOUSE_LOG_LEVEL'])
    delete process.env[name];
  forgetSettings();
  sendLinesTo((line) => void process.stdout.write(`${line}\n`));
});

/** The functions whose new versions are rolled back at the end of a minute. */
const listRolledBack = (metrics: Metrics, minute: number): string[] =>
  canaries.flatMap(({ functionName, alarms }) =>
    alarms.some(({ properties }) => isActive(properties, metrics, minute, resolve)) ? [functionName] : [],
  );

describe('over recorded metrics', () => {
  const [broken, works] = [makeHandler(true), makeHandler(false)];
  const api = canaries.map(({ functionName }) => functionName).filter((name) => name.endsWith('-http'));

  /** Records the calls of the new versions in some minutes. @param share that of the failing function in all calls */
  async function record(minutes: number, share: number, failing: string): Promise<Metrics> {
    const metrics = new Metrics();
    const others = api.filter((name) => name !== failing);
    for (let minute = 0; minute < minutes; minute += 1) {
      for (let at = 0; at < (CALLS * share) / 10; at += 1)
        await asVersion(metrics, minute, failing, () => call(broken, 'GET', '/canary'));
      for (let at = 0; at < (CALLS * (1 - share)) / 10; at += 1)
        await asVersion(metrics, minute, others[at % others.length] ?? '', () => call(works, 'GET', '/canary'));
      const ofApi = { ApiId: '{"Ref":"Api"}' };
      metrics.add({ namespace: 'AWS/ApiGateway', name: 'Count', dimensions: ofApi }, minute, CALLS);
      metrics.add({ namespace: 'AWS/ApiGateway', name: '5xx', dimensions: ofApi }, minute, (CALLS * share) / 10);
    }
    return metrics;
  }

  test('a function with 2 % of the traffic that fails is the only one that is rolled back, though the API as a whole shows nothing', async () => {
    const metrics = await record(2, 0.02, SMALL);
    expect(listRolledBack(metrics, 0)).toEqual([]);
    expect(listRolledBack(metrics, 1)).toEqual([SMALL]);
    const [, apiFaults] = Object.entries(service.Resources).find(([id]) => id.startsWith('ApiFaultsAlarm')) ?? [];
    const isApiActive = () => isActive(apiFaults?.Properties as unknown as AlarmProperties, metrics, 1, resolve);
    expect(isApiActive()).toBe(false);
    for (const minute of [0, 1])
      metrics.add({ namespace: 'AWS/ApiGateway', name: '5xx', dimensions: { ApiId: '{"Ref":"Api"}' } }, minute, 20);
    expect(isApiActive()).toBe(true);
  });

  test('a worker that fails to process its messages is the only one that is rolled back', async () => {
    const metrics = new Metrics();
    const deliver = queueEntry('webhooks-deliver', () => Promise.reject(new Error('broken')));
    const record = { messageId: '1', body: '{}', attributes: { ApproximateReceiveCount: '1' } };
    for (const minute of [0, 1])
      await asVersion(metrics, minute, WORKER, () => deliver({ Records: [record] } as never, {} as never));
    expect(listRolledBack(metrics, 1)).toEqual([WORKER]);
  });

  test('faults of the former version, and one bad minute, roll nothing back', async () => {
    const metrics = await record(1, 0.02, SMALL);
    expect(listRolledBack(metrics, 4)).toEqual([]);
    for (const minute of [0, 1, 2])
      metrics.add(
        { namespace: 'Gatehouse', name: 'faults', dimensions: { function: 'gatehouse-prod-vault-http', version: '7' } },
        minute,
        100,
      );
    expect(listRolledBack(metrics, 2)).toEqual([]);
  });

  test('time-outs, which leave no line, roll a version back', () => {
    const metrics = new Metrics();
    const dimensions = { FunctionName: SMALL, Resource: `${SMALL}:live`, ExecutedVersion: NEW };
    for (const minute of [0, 3]) {
      metrics.add({ namespace: 'AWS/Lambda', name: 'Errors', dimensions }, minute, 1);
      metrics.add({ namespace: 'AWS/Lambda', name: 'Invocations', dimensions }, minute, 50);
    }
    expect(listRolledBack(metrics, 2)).toEqual([]);
    expect(listRolledBack(metrics, 3)).toEqual([SMALL]);
  });
});
