import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { compileFunction } from 'node:vm';

import { beforeEach, describe, expect, test } from '@jest/globals';
import type { WorkOS } from '@workos-inc/node';

import { GUIDES } from '../../../functions/reference/guides/list.ts';
import { receiver } from '../../support/receiver.ts';
import { call, idle, reset, sdk, service } from '../../support/service.ts';

/** A block of code of a guide that is marked to be run. */
interface Block {
  guide: string;
  language: string;
  /** The need of the code: `webhook` if it receives a delivery. */
  needs: string | undefined;
  code: string;
}

const FOLDER = new URL('../../../functions/reference/guides/', import.meta.url);
const BLOCK = /^```(sh|js) run(?: (\w+))?\n([\s\S]*?)^```$/gm;

const blocks = GUIDES.flatMap(({ name }): Block[] =>
  [...readFileSync(new URL(`${name}.md`, FOLDER), 'utf8').matchAll(BLOCK)].map(
    ([, language = '', needs, code = '']) => ({ guide: name, language, needs, code }),
  ),
);

beforeEach(() => reset({ calm: true }));

/** Runs a block in a shell. @returns its output */
async function runShell(code: string): Promise<{ status: number | null; output: string }> {
  const { url, apiKey } = await service();
  const env = { ...process.env, GATEHOUSE_URL: url, GATEHOUSE_API_KEY: apiKey };
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-ec', code.replaceAll('curl ', 'curl --silent --fail-with-body ')], { env });
    let output = '';
    child.stdout.on('data', (part: Buffer) => (output += part.toString()));
    child.once('error', reject).once('close', (status) => resolve({ status, output }));
  });
}

type Run = (values: Record<string, unknown>) => Promise<unknown>;

/** Runs a block as the body of an asynchronous function that has these values. @returns what it logs */
async function runScript(code: string, values: Record<string, unknown>): Promise<unknown[][]> {
  const logged: unknown[][] = [];
  const console = { log: (...given: unknown[]) => logged.push(given) };
  const all: Record<string, unknown> = { ...values, console };
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

/** A delivery that an endpoint received, and the secret of the endpoint. */
async function receiveDelivery(workos: WorkOS) {
  const hooks = await receiver();
  const { body } = await call<{ secret: string }>('POST', '/webhook_endpoints', {
    endpoint_url: hooks.url,
    events: ['organization.created'],
  });
  await workos.organizations.createOrganization({ name: 'Acme' });
  const [received] = await hooks.until(1);
  return { body: received?.body, headers: received?.headers, secret: body.secret };
}

describe('the code in the guides of the reference', () => {
  test('is marked to be run in every guide that has a call', () => {
    const files = readdirSync(FOLDER).filter((file) => file.endsWith('.md'));
    expect(files.map((file) => file.replace('.md', '')).toSorted()).toEqual(GUIDES.map(({ name }) => name).toSorted());
    expect(blocks.length).toBeGreaterThanOrEqual(13);
  });

  test.each(blocks.map((block): [string, Block] => [`${block.guide}: ${block.code.split('\n', 1)[0]}`, block]))(
    'runs as it is shown: %s',
    async (_, { language, needs, code, guide }) => {
      if (language === 'sh') {
        const { status, output } = await runShell(code);
        expect([status, output.slice(0, 1)]).toEqual([0, '{']);
        return;
      }
      const workos = sdk();
      const { clientId } = await service();
      const given = needs === 'webhook' ? await receiveDelivery(workos) : {};
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
