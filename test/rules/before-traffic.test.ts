import { expect, test } from '@jest/globals';

import { checkVersion } from '../../functions/stage/stage/before-traffic.ts';
import { makeDeploymentCalls } from '../../functions/stage/stage/deployment-calls.ts';

const event = { DeploymentId: 'd-1', LifecycleEventHookExecutionId: 'e-1' };

/** Runs the hook against clients that respond as CodeDeploy and Lambda do. @param results errors of the function, one for each call */
async function run(...results: (string | undefined)[]) {
  const invoked: object[] = [];
  const reported: object[] = [];
  const waits: number[] = [];
  const calls = makeDeploymentCalls(
    {
      listDeploymentTargets: async () => ({ targetIds: ['t-1'] }),
      getDeploymentTarget: async ({ targetId }) => ({
        deploymentTarget: {
          lambdaTarget: { lambdaFunctionInfo: { functionName: `gatehouse-prod-${targetId}`, targetVersion: '8' } },
        },
      }),
      putLifecycleEventHookExecutionStatus: async (status) => reported.push(status),
    },
    {
      invoke: async (input) => {
        const error = results[invoked.length];
        invoked.push(input);
        return error === undefined ? {} : { FunctionError: 'Unhandled', Payload: Buffer.from(error) };
      },
    },
  );
  const error = await checkVersion(event, calls, async (milliseconds) => waits.push(milliseconds));
  return { error, invoked, reported, waits };
}

const report = (status: string) => ({ deploymentId: 'd-1', lifecycleEventHookExecutionId: 'e-1', status });

test('a new version is called by its number before traffic, and reported as good', async () => {
  const { invoked, reported } = await run(undefined);
  expect(invoked).toEqual([
    { FunctionName: 'gatehouse-prod-t-1', Qualifier: '8', Payload: JSON.stringify({ gatehouse: 'ping' }) },
  ]);
  expect(reported).toEqual([report('Succeeded')]);
});

test('a version that fails once is called again', async () => {
  const { error, waits, reported } = await run('throttled', undefined);
  expect([error, waits.length, reported]).toEqual([undefined, 1, [report('Succeeded')]]);
});

test('a version that keeps failing stops its deployment, with the error of the function', async () => {
  const { error, invoked, reported } = await run('one', 'two', 'no module');
  expect([error, invoked.length, reported]).toEqual(['Unhandled: no module', 3, [report('Failed')]]);
});

test('a deployment whose version cannot be found is stopped', async () => {
  const reported: string[] = [];
  const error = await checkVersion(
    event,
    {
      findVersion: () => Promise.reject(new Error('AccessDenied')),
      invoke: async () => undefined,
      report: async (_, status) => reported.push(status),
    },
    async () => undefined,
  );
  expect([error, reported]).toEqual(['Error: AccessDenied', ['Failed']]);
});
