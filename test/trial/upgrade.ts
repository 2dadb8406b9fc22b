import { join } from 'node:path';

import type { Stack } from './assembly.ts';
import { deploy, uploadAssets } from './deploy.ts';
import { nextRelease, RELEASE_HEADER } from './release.ts';
import { until } from '../soak/scenario.ts';
import type { DeployedStage } from './stage.ts';
import { must, type Steps } from './steps.ts';

/** Number of clients that send requests while a deployment runs. */
const CALLERS = 2;
/** Number of calls before the deployment begins, and after it has ended. */
const CALLS_AROUND = 12;
const CALLS_LIMIT_MS = 60_000;

/** The responses during a parallel action. */
interface Traffic {
  calls: number;
  /** The calls to which the next release responded. */
  next: number;
  failures: string[];
}

/**
 * A second deployment with changed bundles and a third with the former ones, during calls of which none may fail.
 * @param stacks those that have functions, in the order of their deployment
 */
export const upgradeAndRollback = (
  steps: Steps,
  stage: DeployedStage,
  { stacks, python, folder }: { stacks: readonly Stack[]; python: string; folder: string },
) =>
  steps.flow('upgrade and rollback', async (step) => {
    const { aws, connection } = stage;
    const next = stacks.map((stack) => nextRelease(stack, join(folder, 'next')));
    await step('the next bundles are uploaded', async () => {
      for (const stack of next) await uploadAssets(aws, python, stack);
    });
    const before = await step('the alias and its version', () => liveVersion(stage));
    const upgraded = await step('the next release is deployed under calls', () =>
      underCalls(stage, () => deployAll(next)),
    );
    await step(`none of the calls failed`, () => must(upgraded.failures.length === 0, upgraded.failures));
    await step('the alias has moved', async () => must((await liveVersion(stage)) !== before, before));
    const body = { name: 'Made by the next release' };
    const made = await step('the next release responds', async () => {
      const response = await connection.send<{ id: string }>({ method: 'POST', path: '/organizations', body });
      must(response.headers[RELEASE_HEADER] === '2', response.headers);
      return response.body;
    });
    const rolledBack = await step('the former release is deployed under calls', () =>
      underCalls(stage, () => deployAll(stacks)),
    );
    await step(`none of the calls failed then`, () => must(rolledBack.failures.length === 0, rolledBack.failures));
    await step('the former release responds, and reads what the next one wrote', async () => {
      const response = await connection.send({ method: 'GET', path: `/organizations/${made.id}` });
      must(response.status === 200 && response.headers[RELEASE_HEADER] === undefined, response.headers);
    });
    await step('calls were made before and after the alias moved', () => {
      const seen = [upgraded, rolledBack].map(({ calls, next: newer }) => [calls, newer]);
      must(
        [upgraded, rolledBack].every(({ calls, next: newer }) => newer > 0 && calls > newer),
        seen,
      );
    });

    async function deployAll(all: readonly Stack[]): Promise<void> {
      for (const stack of all) await deploy(aws, 'UpdateStack', stack);
    }
  });

/** The version behind the alias of one area's function. */
async function liveVersion({ aws, stage }: DeployedStage): Promise<string> {
  const path = `/2015-03-31/functions/gatehouse-${stage}-organizations-http/aliases/live`;
  const { FunctionVersion } = await aws.rest<{ FunctionVersion: string }>('lambda', 'GET', path);
  return FunctionVersion;
}

async function underCalls({ connection }: DeployedStage, work: () => Promise<void>): Promise<Traffic> {
  const traffic: Traffic = { calls: 0, next: 0, failures: [] };
  let isOver = false;
  const call = async (method: string, path: string, status: number, body?: object): Promise<string> => {
    const response = await connection.send<{ id?: string }>({ method, path, body });
    traffic.calls += 1;
    if (response.headers[RELEASE_HEADER] !== undefined) traffic.next += 1;
    if (response.status !== status) {
      traffic.failures.push(`${method} ${path}: ${response.status} ${JSON.stringify(response.body).slice(0, 200)}`);
    }
    return response.body?.id ?? '';
  };
  const more = (): Promise<unknown> => {
    const wanted = traffic.calls + CALLS_AROUND;
    return until(
      'calls',
      CALLS_LIMIT_MS,
      () => traffic.calls,
      (calls) => calls >= wanted,
    );
  };
  const caller = async (): Promise<void> => {
    while (!isOver) {
      const id = await call('POST', '/organizations', 201, { name: 'Meanwhile' });
      await call('GET', `/organizations/${id}`, 200);
      await call('GET', '/user_management/users?limit=1', 200);
    }
  };
  const callers = Array.from({ length: CALLERS }, caller);
  try {
    await more();
    await work();
    await more();
  } finally {
    isOver = true;
    const ended = await Promise.allSettled(callers);
    for (const end of ended) if (end.status === 'rejected') traffic.failures.push(String(end.reason));
  }
  return traffic;
}
