import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { beforeAll, describe, expect, test } from '@jest/globals';

import { newFolder, run, startTrial } from './trial/start.ts';

/** Runs a command of `bin/` to its end. */
async function command(name: string, ...args: readonly string[]) {
  const { child, output: error } = await run(fileURLToPath(new URL(`../../bin/${name}.ts`, import.meta.url)), args);
  const code = child.exitCode ?? (await new Promise<number | null>((resolve) => child.once('exit', resolve)));
  return { code, ...error };
}

/** The data folder of a service that ended by SIGKILL, so it still names the service's address and variables. */
let dataFolder: string;
beforeAll(async () => {
  dataFolder = newFolder();
  const trial = await startTrial({ dataFolder });
  await trial.kill();
});

describe('A command', () => {
  test.each([
    ['keys', 'list'],
    ['environments', 'list'],
    ['events', 'index'],
  ])('reports that the local service has ended: %s %s', async (...args) => {
    const { code, err } = await command(...args, '--data', dataFolder);
    expect([code, err.trim().split('\n')]).toEqual([1, [expect.stringMatching(/does not respond\. Start it with/)]]);
  });

  test('reports an error of AWS with its message', async () => {
    const error = { __type: 'AccessDeniedException', message: 'ada is not authorized to perform: dynamodb:Query' };
    const rejectingServer = createServer((request, response) => {
      request.resume();
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(error));
    });
    await new Promise<void>((resolve) => rejectingServer.listen(0, '127.0.0.1', resolve));
    const running = JSON.parse(readFileSync(join(dataFolder, 'running.json'), 'utf8')) as {
      environment: Record<string, string>;
    };
    const { port } = rejectingServer.address() as AddressInfo;
    running.environment.AWS_ENDPOINT_URL_DYNAMODB = `http://127.0.0.1:${port}`;
    const elsewhere = newFolder();
    writeFileSync(join(elsewhere, 'running.json'), JSON.stringify(running));
    const { code, err } = await command('environments', 'list', '--data', elsewhere);
    expect([code, err]).toEqual([1, `${error.__type}: ${error.message}\n`]);
    rejectingServer.close();
  });

  test.each(['keys', 'environments', 'operators', 'events', 'import', 'authorization', 'radar'])(
    'shows its usage if the local service does not run: %s',
    async (name) => {
      const [helped, bare, wrong] = await Promise.all([
        command(name, '--help'),
        command(name),
        command(name, '--nonsense'),
      ]);
      expect([helped.code, helped.err]).toEqual([0, '']);
      expect(helped.out).toMatch(/^usage: npm run .*--stage NAME.*--data FOLDER/s);
      expect(bare).toMatchObject({ code: 1, err: helped.out });
      expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining(helped.out) });
    },
  );

  test('of operators prints a link into the console, and names an operator that does not exist; a fence needs a writer epoch', async () => {
    const folder = newFolder();
    const trial = await startTrial({ dataFolder: folder });
    const invited = await command('operators', 'invite', 'ada@acme.example', '--role', 'support', '--data', folder);
    expect([invited.code, invited.out]).toEqual([0, expect.stringMatching(/^http.*\/console\/link\/console_\w+\n$/)]);
    const granted = await command('operators', 'grant', 'eve@acme.example', '--role', 'viewer', '--data', folder);
    expect(granted).toMatchObject({ code: 1, err: 'There is no operator eve@acme.example.\n' });
    const approval = ['approve', 'proposal_x', '--environment', 'environment_x', '--data', folder];
    const approved = await command('operators', ...approval);
    expect([approved.code, approved.err]).toEqual([1, expect.stringContaining('There is no proposal proposal_x')]);
    expect((await command('operators', 'list', '--data', folder)).code).toBe(0);
    const fenced = await command('environments', 'fence', 'all', '--data', folder);
    expect([fenced.code, fenced.err]).toEqual([1, expect.stringContaining('has the writer epoch 0')]);
    await trial.kill();
  });

  test('names the data folder on which no service runs', async () => {
    const { code, err } = await command('keys', 'list', '--data', '/nowhere');
    expect([code, err]).toEqual([1, expect.stringMatching(/^No local Gatehouse runs on the data folder \/nowhere\./)]);
  });
});
