/**
 * `npm run clients [-- NAME …]`: runs flows of official clients in other languages, unmodified and at pinned versions,
 * against the service as `npm start` runs it, each against a fresh one. It ends with status 1 when a step fails. A client
 * whose language or registry is missing is skipped with the reason. `--verbose` prints every step.
 */
import { exitWithUsage, readOptions } from '../../bin/usage.ts';
import { startLocalProcess } from '../soak/local-process.ts';
import { authkit } from './authkit/client.ts';
import { authlib } from './authlib/client.ts';
import { Skipped, run } from './cache.ts';
import { type Client, stepsIn } from './client.ts';
import { cli } from './cli/client.ts';
import { go } from './go/client.ts';
import { goOAuth } from './go-oauth/client.ts';
import { java } from './java/client.ts';
import { mcp } from './mcp/client.ts';
import { scim } from './scim/client.ts';
import { startOutside } from './outside.ts';
import { python } from './python/client.ts';

const clients = [python, java, go, cli, scim, mcp, authlib, goOAuth, authkit];

/** The results of one client. */
interface Result {
  title: string;
  steps: number;
  failures: string[];
  seconds: number;
}

async function play({ title, prepare }: Client, isVerbose: boolean): Promise<Result> {
  const { command, args, env = {} } = await prepare();
  const startedAt = performance.now();
  const service = await startLocalProcess();
  const outside = await startOutside();
  try {
    const { url, apiKey } = service.connection;
    const { code, output } = await run(command, args, {
      env: {
        ...env,
        GATEHOUSE_BASE_URL: url,
        GATEHOUSE_API_KEY: apiKey,
        GATEHOUSE_CLIENT_ID: service.clientId,
        GATEHOUSE_OUTSIDE: outside.url,
      },
    });
    const { steps, hasEnded } = stepsIn(output);
    if (isVerbose) for (const { step, ok } of steps) console.log(`  ${ok ? 'ok' : 'FAILED'} ${step}`);
    const failures = steps.filter(({ ok }) => !ok).map(({ step, why = '' }) => `${step}: ${why}`);
    if (!hasEnded || code !== 0) failures.push(`The flows ended with ${code}: ${output.slice(-2_000)}`);
    if (steps.length === 0) failures.push('No step was run');
    return { title, steps: steps.length, failures, seconds: (performance.now() - startedAt) / 1_000 };
  } finally {
    await Promise.all([service.stop(), outside.close()]);
  }
}

const USAGE = `usage: npm run clients [-- NAME …] [--verbose]
Runs flows of official clients against a local service: ${clients.map(({ name }) => name).join(', ')}, or only the named ones.
--verbose prints every step. A client whose language or registry is missing is skipped. Exit status 1 if a step fails.`;
const { values, positionals: names } = readOptions(USAGE, {
  allowPositionals: true,
  options: { verbose: { type: 'boolean', default: false } },
});
const unknown = names.filter((name) => !clients.some((client) => client.name === name));
if (unknown.length > 0) {
  exitWithUsage(`There is no client ${unknown.join(', ')}`, USAGE);
}

for (const client of clients.filter(({ name }) => names.length === 0 || names.includes(name))) {
  try {
    const { title, steps, failures, seconds } = await play(client, values.verbose);
    const verdict = failures.length === 0 ? 'ok' : 'FAILED';
    const passed = steps - Math.min(steps, failures.length);
    console.log(
      `${verdict} ${title}: ${steps} steps, ${passed} passed, ${failures.length} failed, ${seconds.toFixed(1)} s`,
    );
    for (const failure of failures) console.log(`  ${failure}`);
    if (failures.length > 0) process.exitCode = 1;
  } catch (error) {
    if (error instanceof Skipped) {
      console.log(`SKIPPED ${client.title}: ${error.message}`);
    } else {
      console.log(`FAILED ${client.title}: ${error instanceof Error ? error.stack : String(error)}`);
      process.exitCode = 1;
    }
  }
}
