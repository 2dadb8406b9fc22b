import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';

import { ACCOUNT, completeWorld, shellOf, startFakeAws, type World } from './fake-aws.ts';

const given = { ...process.env };

let aws: Awaited<ReturnType<typeof startFakeAws>>;
let world: World;

beforeAll(async () => {
  world = {} as World;
  aws = await startFakeAws(world);
  Object.assign(process.env, shellOf(aws.url));
});
afterAll(() => {
  process.env = given;
  aws.close();
});

describe('npm run doctor', () => {
  const run = (...args: string[]) =>
    new Promise<{ code: number; output: string }>((resolve) => {
      const all = ['bin/run.mjs', 'bin/doctor.ts', ...args];
      execFile(process.execPath, all, { env: process.env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
      );
    });
  const deploy = (stage: string, outputs: Record<string, string>) => {
    Object.assign(world, completeWorld(aws.url));
    for (const part of ['data', 'service', 'workers', 'schedules'])
      world.stacks[`gatehouse-${stage}-${part}`] = { status: 'CREATE_COMPLETE', outputs };
  };

  test('ends with 0 for a stage that lacks nothing', async () => {
    deploy('dev', { ApiUrl: aws.url });
    const { code, output } = await run('--stage', 'dev');
    expect(output).toContain(`Stage dev in the account ${ACCOUNT}, eu-west-1`);
    expect([code, output]).toEqual([0, expect.stringContaining('Nothing is missing.')]);
  });

  test('ends with 1 where something is missing', async () => {
    deploy('dev', { ApiUrl: aws.url });
    world.executions = 10;
    const { code, output } = await run('--stage', 'dev');
    expect(output).toMatch(/^missing +lambda-quota +Lambda runs only 10/m);
    expect([code, output]).toEqual([1, expect.not.stringContaining('Nothing is missing.')]);
  });

  test('prints its usage, and which credentials it needs', async () => {
    expect(await run()).toMatchObject({ code: 1, output: expect.stringContaining('usage: npm run doctor') });
    world.denied = ['sts'];
    expect(await run('--stage', 'dev')).toEqual({
      code: 1,
      output: expect.stringContaining('AWS_PROFILE, AWS_REGION'),
    });
  });
});
