import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';

import { beforeEach, describe, expect, test } from '@jest/globals';

import { GUIDES } from '../../../functions/faces/reference/guides/list.ts';
import { idle, reset, sdk, service } from '../../support/service.ts';
import { NEEDS, receiveDelivery, type Values } from './guide-needs.ts';

/** A block of code of a guide that is marked to be run. */
interface Block {
  guide: string;
  language: string;
  /** The need of the code, one of `NEEDS`: `webhook` if it receives a delivery. */
  needs: string | undefined;
  code: string;
}

const FUNCTIONS = new URL('../../../functions/', import.meta.url);
const FOLDER = new URL('faces/reference/guides/', FUNCTIONS);
const BLOCK = /^```(sh|js|ts) run(?: (\w+))?\n([\s\S]*?)^```$/gm;

const readBlocks = (guide: string, file: URL): Block[] =>
  [...readFileSync(file, 'utf8').matchAll(BLOCK)].map(([, language = '', needs, code = '']) => ({
    guide,
    language,
    needs,
    code,
  }));

const readmes = globSync('*/{modules/,}*/README.md', { cwd: FUNCTIONS });
const blocks = [
  ...GUIDES.flatMap(({ name }) => readBlocks(name, new URL(`${name}.md`, FOLDER))),
  ...readmes.flatMap((file) => readBlocks(basename(dirname(file)), new URL(file, FUNCTIONS))),
];

beforeEach(() => reset({ calm: true }));

/** Runs a block in a shell, in a folder with a file of users. @returns its output */
async function runShell(code: string, values: Values): Promise<{ status: number | null; output: string }> {
  const { url, apiKey } = await service();
  const cwd = mkdtempSync(join(tmpdir(), 'gatehouse-guide-'));
  writeFileSync(join(cwd, 'users.csv'), 'user_name,email\nada,ada@example.com\n');
  const env = { ...process.env, ...values, GATEHOUSE_URL: url, GATEHOUSE_API_KEY: apiKey } as NodeJS.ProcessEnv;
  try {
    return await new Promise((resolve, reject) => {
      const quiet = code.replaceAll('curl ', 'curl --silent --fail-with-body ');
      const child = spawn('bash', ['-eo', 'pipefail', '-c', quiet], { env, cwd });
      let output = '';
      child.stdout.on('data', (part: Buffer) => (output += part.toString()));
      child.once('error', reject).once('close', (status) => resolve({ status, output }));
    });
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

type Run = (values: Values) => Promise<unknown>;

/** Runs a block as the body of an asynchronous function that has these values. @returns what it logs */
async function runScript(code: string, values: Values): Promise<unknown[][]> {
  const logged: unknown[][] = [];
  const console = { log: (...given: unknown[]) => logged.push(given) };
  const all: Values = { ...values, console };
  // A function has no imports of its own.
  const crypto = await import('node:crypto');
  const body = code.replace(/import (\{[^}]*\}) from 'node:crypto';/, 'const $1 = crypto;');
  const names = [...Object.keys(all), 'crypto'];
  const run = compileFunction(`const { ${names.join(', ')} } = values; return (async () => {\n${body}\n})();`, [
    'values',
  ]) as Run;
  await run({ ...all, crypto });
  return logged;
}

describe('the code in the guides of the reference', () => {
  test('is marked to be run in every guide that has a call', () => {
    const files = readdirSync(FOLDER).filter((file) => file.endsWith('.md'));
    expect(files.map((file) => file.replace('.md', '')).toSorted()).toEqual(GUIDES.map(({ name }) => name).toSorted());
    expect(blocks.length).toBeGreaterThanOrEqual(20);
  });

  test.each(blocks.map((block): [string, Block] => [`${block.guide}: ${block.code.split('\n', 1)[0]}`, block]))(
    'runs as it is shown: %s',
    async (_, { language, needs, code, guide }) => {
      const given = needs === undefined ? {} : await NEEDS[needs]?.();
      if (given === undefined) throw new Error(`No values are made for the need ${needs}`);
      if (language === 'sh') {
        const { status, output } = await runShell(code, given);
        expect([status, output.slice(0, 1)]).toEqual([0, '{']);
        return;
      }
      const workos = sdk();
      const { clientId } = await service();
      const logged = await runScript(code, { workos, clientId, ...given });
      expect(logged).toEqual(guide === 'errors' ? [[404, expect.stringMatching(/^req_/)]] : []);
      await idle();
    },
  );

  test('rejects a webhook whose body was changed, as the guide says', async () => {
    const workos = sdk();
    const given = await receiveDelivery(workos);
    for (const { code } of blocks.filter(({ needs }) => needs === 'webhook')) {
      const body = given.body?.replace('Acme', 'Eve');
      await expect(runScript(code, { workos, ...given, body })).rejects.toThrow();
    }
  });

  test('rejects a webhook whose header is missing, malformed or old with the error of the guide', async () => {
    const workos = sdk();
    const given = await receiveDelivery(workos);
    const [, t = '', v1 = ''] = /^t=(\d+), v1=(\w+)$/.exec(String(given.headers?.['workos-signature'])) ?? [];
    const old = String(Number(t) - 181_000);
    const signedLongAgo = createHmac('sha256', given.secret).update(`${old}.${given.body}`).digest('hex');
    const own = blocks.find(({ code }) => code.includes('createHmac'))?.code ?? '';
    await runScript(own, { workos, ...given });
    for (const header of [
      undefined,
      '',
      'v1=',
      `t=${t}, v1=ab`,
      `t=${t}, v1=${v1}0`,
      `t=${old}, v1=${signedLongAgo}`,
    ]) {
      const headers = { 'workos-signature': header };
      await expect(runScript(own, { workos, ...given, headers })).rejects.toThrow('Not signed by Gatehouse');
    }
  });
});
