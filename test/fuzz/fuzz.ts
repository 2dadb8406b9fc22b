/**
 * `npm run fuzz [-- --minutes N] [--seed N]`: runs schemathesis, which makes valid and invalid requests from
 * `/openapi.json` and sends them to the service as `npm start` runs it. It ends with status 1 for any server error, and for
 * a response with a status, a content type or a body that the document does not describe. It is skipped with the reason
 * without Python.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { readOptions } from '../../bin/usage.ts';
import { cacheFolder, pythonPrograms, Skipped } from '../clients/cache.ts';
import { lastWords, startLocalProcess } from '../soak/local-process.ts';
import { printKind, readKinds } from './report.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const requirements = join(here, 'requirements.txt');
const seedFile = fileURLToPath(new URL('../../lib/local/seed.sample.yaml', import.meta.url));
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];
/** The phases. The one of sequences makes no request for this document, and its repetition is an internal error of version 4.32.5. */
const PHASES = 'examples,coverage,fuzzing';

/** The part of schemathesis's report that is printed here. */
interface Report {
  operations: { total: number; tested: number };
  test_cases: { generated: number };
  /** The rates of valid requests, by operation and phase. */
  valid_rates: Record<string, Record<string, { accepted: number }>>;
}

async function fuzz(program: string, seed: string, minutes: number): Promise<void> {
  const folder = join(cacheFolder, 'fuzz');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const service = await startLocalProcess(undefined, ['--seed', seedFile]);
  const { url, apiKey } = service.connection;
  console.log(`Seed ${seed}, ${minutes} minutes; to repeat it: npm run fuzz -- --seed ${seed} --minutes ${minutes}`);
  const limits = ['--seed', seed, '--max-time', String(Math.round(minutes * 60)), '--request-timeout', '60'];
  const reports = ['--report', 'json,junit', '--report-json-path', 'report.json', '--report-junit-path', 'report.xml'];
  const output = ['--no-color', '--warnings', 'off', ...reports];
  const checks = ['--checks', CHECKS.join(','), '--continue-on-failure', '--generation-database', 'none'];
  const options = ['--phases', PHASES, ...limits, ...checks, ...output];
  const headers = ['-H', `Authorization: Bearer ${apiKey}`];
  const child = spawn(program, ['run', `${url}/openapi.json`, ...headers, ...options], {
    cwd: folder,
    env: { ...process.env, SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: here, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const parts: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part));
  const [code] = (await once(child, 'close')) as [number | null];
  const trouble = lastWords();
  await service.stop();
  try {
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    printReport(JSON.parse(read('report.json')) as Report, readKinds(read('report.xml')));
  } catch (error) {
    console.log(`The report cannot be read: ${String(error)}`);
  }
  if (code === 0) return;
  process.exitCode = 1;
  // 1 is the status after failures, which the report has. The output has the reason of any other one.
  if (code !== 1)
    console.log(`schemathesis ended with ${code}: ${Buffer.concat(parts).toString('utf8').slice(-3_000)}`);
  console.log(`The service's last output:\n${trouble}`);
}

function printReport(report: Report, kinds: ReturnType<typeof readKinds>): void {
  const { operations, test_cases: cases, valid_rates: rates } = report;
  const accepted = Object.values(rates).filter((phases) => Object.values(phases).some((phase) => phase.accepted > 0));
  console.log(
    `${cases.generated} requests, ${operations.tested} of ${operations.total} operations called, ` +
      `${accepted.length} of them with success; ${kinds.length} kinds of failures`,
  );
  for (const kind of kinds) console.log(printKind(kind));
}

const USAGE = `usage: npm run fuzz [-- --minutes N] [--seed N]
Sends generated requests to a local service for N minutes (5 by default), the same ones for the same seed (1 by default). Exit
status 1 for a server error, or for a response that the OpenAPI document does not describe. Skipped without Python.`;
const { values } = readOptions(USAGE, {
  options: { minutes: { type: 'string', default: '5' }, seed: { type: 'string', default: '1' } },
});
try {
  const programs = await pythonPrograms('fuzz-python', requirements);
  await fuzz(join(programs, 'schemathesis'), values.seed, Number(values.minutes));
} catch (error) {
  if (!(error instanceof Skipped)) throw error;
  console.log(`SKIPPED: ${error.message}`);
}
