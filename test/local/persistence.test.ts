import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from '@jest/globals';

import { newFolder, runCommand, startError, startTrial, type Trial } from './trial/start.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const write = async (trial: Trial, text: string): Promise<string> => {
  const { status, body } = await trial.call('POST', '/x/trial/notes', { text });
  expect(status).toBe(201);
  return body.id;
};

const listTexts = (trial: Trial, worker: string): Set<string> => new Set(trial.seen(worker).map(({ text }) => text));

describe('a data folder', () => {
  test('keeps records, credentials, messages and the clock across a stop', async () => {
    const dataFolder = newFolder();
    const first = await startTrial({ dataFolder });
    const id = await write(first, 'someone@example.com');
    await first.idle();
    await first.local('POST', 'clock', { advance_seconds: 86_400 });
    await first.stop();
    const second = await startTrial({ dataFolder });
    expect([second.apiKey, second.clientId]).toEqual([first.apiKey, first.clientId]);
    expect((await second.call('GET', `/x/trial/notes/${id}`)).body).toMatchObject({ text: 'someone@example.com' });
    expect((await second.local('GET', 'messages')).data).toHaveLength(1);
    expect(Date.parse((await second.local('GET', 'clock')).now)).toBeGreaterThan(Date.now() + 86_000_000);
    await second.idle();
    expect(second.seen('relay')).toHaveLength(1);
    await second.local('POST', 'reset');
    expect((await second.call('GET', `/x/trial/notes/${id}`)).status).toBe(404);
    await second.stop();
    const third = await startTrial({ dataFolder });
    expect(third.apiKey).toBe(first.apiKey);
    expect((await third.call('GET', '/x/trial/notes')).body.data).toEqual([]);
    await third.stop();
  });

  test('continues work after kill -9, and loses no event', async () => {
    const dataFolder = newFolder();
    const first = await startTrial({ dataFolder });
    const steps = 30;
    await first.call('POST', '/x/trial/notes', { text: 'work', silent: true, work: { steps, pause: 20 } });
    while (first.seen('work').length < 5) await new Promise((resolve) => setImmediate(resolve));
    // `npm run soak -- long-tests` covers the other stages at which the process may die.
    await first.local('POST', 'faults', { target: 'bus', kind: 'unavailable' });
    await write(first, 'held up');
    await first.kill();
    const before = first.seen('work').map(({ step }) => step ?? 0);
    expect(Math.max(...before)).toBeLessThan(steps - 1);
    const second = await startTrial({ dataFolder });
    await second.idle();
    const all = second.seen('work').map(({ step }) => step ?? 0);
    expect(Math.min(...all.slice(before.length))).toBeGreaterThanOrEqual(Math.max(...before) - 1);
    expect(new Set(all).size).toBe(steps);
    expect([...listTexts(second, 'deliver')]).toEqual(['held up']);
    await second.stop();
  });

  test('is readable only by its owner', async () => {
    const dataFolder = join(newFolder(), 'data');
    mkdirSync(dataFolder, { mode: 0o755 });
    const trial = await startTrial({ dataFolder });
    await write(trial, 'x');
    const files = readdirSync(dataFolder).filter((file) => file !== 'trial.log');
    expect(files).toEqual(expect.arrayContaining(['table.sqlite', 'keys.sqlite', 'fauxqs.db', 'running.json']));
    for (const file of files) {
      expect([file, statSync(join(dataFolder, file)).mode & 0o077]).toEqual([file, 0]);
    }
    await trial.stop();
  });
});

/** The credentials that a started command printed, as JSON or as variables for a `.env` file. */
function readCredentials(out: string): { api_key: string | undefined; client_id: string | undefined } {
  if (out.startsWith('{')) {
    const { api_key, client_id } = JSON.parse(out) as Record<string, string>;
    return { api_key, client_id };
  }
  const find = (name: string) => new RegExp(`${name}=(\\S+)`).exec(out)?.[1];
  return { api_key: find('GATEHOUSE_API_KEY'), client_id: find('GATEHOUSE_CLIENT_ID') };
}

describe('npm start', () => {
  test('reports in one line of JSON that it is ready, and writes nothing else to standard output', async () => {
    const { child, output } = await runCommand(['--ephemeral', '--port', '0', '--json']);
    const { url, ...rest } = JSON.parse(output.out) as Record<string, string>;
    expect(Object.keys(rest)).toEqual(['api_key', 'client_id']);
    const headers = { authorization: `Bearer ${rest.api_key}` };
    expect((await fetch(`${url}/organizations`, { headers })).status).toBe(200);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(output.out.split('\n')).toHaveLength(2);
  });

  test('prints variables for a .env file, has the same credentials at every ephemeral start, and can stop at the end of standard input', async () => {
    const [one, other] = await Promise.all([
      runCommand(['--ephemeral', '--port', '0', '--until-stdin-ends']),
      runCommand(['--ephemeral', '--port', '0', '--json', '--until-stdin-ends']),
    ]);
    for (const part of ['GATEHOUSE_API_KEY=sk_', 'GATEHOUSE_CLIENT_ID=client_', 'curl http', '/docs', '/_local']) {
      expect(one.output.out).toContain(part);
    }
    expect(readCredentials(one.output.out)).toEqual(readCredentials(other.output.out));
    const ended = [one, other].map(({ child }) => new Promise((resolve) => child.once('exit', resolve)));
    for (const { child } of [one, other]) child.stdin.end();
    expect(await Promise.all(ended)).toEqual([0, 0]);
  });

  test('stops cleanly at a Ctrl-C that the terminal, npm and the runner all pass on', async () => {
    const dataFolder = newFolder();
    const { child } = await runCommand(['--data', dataFolder, '--port', '0', '--json']);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    // The system may merge two equal signals, so three different ones are sent.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) child.kill(signal);
    expect(await ended).toBe(0);
    expect(readdirSync(dataFolder)).not.toContain('running.json');
  });

  test('reports a port that is in use', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { code, err, out } = await startError(['--ephemeral', '--port', String(port)]);
    expect([code, out]).toEqual([1, '']);
    expect(err).toBe(`Port ${port} is taken by another program. Stop it, or start this with --port and another.\n`);
    server.close();
  });

  test('reports the process that uses the data folder', async () => {
    const dataFolder = newFolder();
    const trial = await startTrial({ dataFolder });
    const { code, err } = await startError(['--data', dataFolder, '--port', '0']);
    expect(code).toBe(1);
    expect(err).toContain(`(process ${trial.process.pid}, ${trial.url}) runs on the data folder ${dataFolder}`);
    expect(err.trim().split('\n')).toHaveLength(1);
    await trial.stop();
  });

  const damagedFolder = (file: string): string => {
    const dataFolder = newFolder();
    writeFileSync(join(dataFolder, file), 'This is no database. '.repeat(500));
    return dataFolder;
  };

  test('reports a damaged data folder, and ends', async () => {
    const dataFolder = damagedFolder('table.sqlite');
    const { code, err } = await startError(['--data', dataFolder, '--port', '0']);
    expect(code).toBe(1);
    expect(err).toContain(dataFolder);
    expect(err).not.toMatch(/\n\s+at /);
  });

  test('names the data folder whichever of its files is damaged', () => {
    const files = ['local.sqlite', 'table.sqlite', 'keys.sqlite', 'bus.sqlite', 'fauxqs.db', 'lock.sqlite'];
    const folders = files.map(damagedFolder);
    // One process tries them all, since loading the service takes longer than a failed start.
    const script = `
      const { startLocal } = await import('./lib/local/start.ts');
      const { topology } = await import('./lib/topology/index.ts');
      const errors = [];
      for (const dataFolder of ${JSON.stringify(folders)}) {
        await startLocal({ port: 0, dataFolder, topology, load: async () => ({}) }).catch(({ name, message }) => errors.push({ name, message }));
      }
      process.stdout.write(JSON.stringify(errors));
      process.exit(0);`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(JSON.parse(stdout)).toEqual(
      folders.map((folder) => ({ name: 'StartError', message: expect.stringContaining(folder) })),
    );
  });

  test('reports a DynamoDB endpoint that does not respond', async () => {
    const { code, err } = await startError(['--ephemeral', '--port', '0'], {
      AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
    });
    expect(code).toBe(1);
    expect(err).toMatch(/^The DynamoDB in AWS_ENDPOINT_URL_DYNAMODB \(http:\/\/127\.0\.0\.1:1\) .*ECONNREFUSED.*\n$/);
  });

  test.each([
    ['--port', 'x'],
    ['--port', '70000'],
    ['--host', 'auth.example.com'],
    ['--host', 'localhost.example.com'],
    ['--data', ''],
    ['--nonsense'],
    ['stray'],
  ])('prints its usage for %s %s', async (...args) => {
    const { code, err } = await startError(args.filter((one) => typeof one === 'string'));
    expect(code).toBe(1);
    expect(err).not.toMatch(/\n\s+at /);
  });

  test('reports a data folder that another version wrote, and what to do', async () => {
    const dataFolder = newFolder();
    const trial = await startTrial({ dataFolder });
    await trial.stop();
    const database = new DatabaseSync(join(dataFolder, 'local.sqlite'));
    // The layout of the versions whose tables were written by a separate program.
    database.exec("UPDATE remembered SET value = '1' WHERE name = 'layout'");
    database.close();
    const { code, err } = await startError(['--data', dataFolder, '--port', '0']);
    expect(code).toBe(1);
    expect(err).toBe(
      `The data in ${dataFolder} was written by another version, which this one cannot read (layout 1, this is 3). ` +
        'Remove the folder, move it away, or start with another one (--data FOLDER).\n',
    );
  });
});
