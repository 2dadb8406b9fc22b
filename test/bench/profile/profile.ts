/**
 * `npm run profile -- CASE [--through handler|service] [--calls N] [--by package|file|function] [--rows N]`: samples one case
 * of the bench and prints where the CPU time of a call is spent.
 */
import { exitWithUsage, readOptions } from '../../../bin/usage.ts';
import { connect } from '../../support/connection.ts';
import { forkChild } from '../child.ts';
import type { Ready } from '../service.ts';
import { computeOwnCpuMs } from '../report.ts';
import { printTable } from '../table.ts';
import type { Attribution, Share } from './attribution.ts';
import { findCase } from './cases.ts';
import type { HandlerProfile } from './handler.ts';

const USAGE = `usage: npm run profile -- CASE [--through handler|service] [--calls N] [--by package|file|function] [--rows N]
Samples the calls of one case of the bench (test/bench/cases) and prints where the CPU time of a call is spent. CASE is its name or
the beginning of it, such as organizations.get. --through handler (default) calls the function's bundle as it is deployed;
service sends requests to the local service and samples its process. --calls is the number of sampled calls (default 1000), --by the
kind of rows (default package), --rows their number (default 25).`;

const KINDS = { package: 'packages', file: 'files', function: 'functions' } as const;

/** Requests before the samples, so that the code is compiled and caches are filled. */
const WARM_UP = 300;

async function profileService(
  ready: Ready,
  control: ServiceControl,
  name: string,
  calls: number,
): Promise<Attribution> {
  const connection = connect(ready.url, ready.apiKey);
  const next = await findCase(name).one.prepare(connection, WARM_UP + calls);
  const send = async (): Promise<void> => {
    const request = next();
    if (request === undefined) throw new Error('The case has no more requests. Use fewer --calls.');
    const { status } = await connection.send(request);
    if (status !== request.status) throw new Error(`${request.method} ${request.path} responded ${status}`);
  };
  for (let at = 0; at < WARM_UP; at += 1) await send();
  await control('start sampling');
  for (let at = 0; at < calls; at += 1) await send();
  const attribution = await control(`stop sampling ${calls}`);
  connection.close();
  return attribution as Attribution;
}

/** Sends a command to the process of the service. @returns its response */
type ServiceControl = (command: string) => Promise<unknown>;

function printShares(title: string, shares: readonly Share[], rows: number): void {
  const first = shares.slice(0, rows);
  const rest = shares.slice(rows).reduce((sum, { ms }) => sum + ms, 0);
  const lines = [...first, ...(rest > 0 ? [{ place: '(other rows)', ms: rest }] : [])];
  printTable(
    title,
    ['place', 'ms a call'],
    lines.map(({ place, ms }) => [place, ms.toFixed(3)]),
  );
}

async function main(): Promise<void> {
  const { values, positionals } = readOptions(USAGE, {
    allowPositionals: true,
    options: {
      through: { type: 'string', default: 'handler' },
      calls: { type: 'string', default: '1000' },
      by: { type: 'string', default: 'package' },
      rows: { type: 'string', default: '25' },
    },
  });
  const [name] = positionals;
  const by = KINDS[values.by as keyof typeof KINDS] as (typeof KINDS)[keyof typeof KINDS] | undefined;
  const [calls, rows] = [Number(values.calls), Number(values.rows)];
  if (name === undefined || by === undefined || !(calls > 0) || !(rows > 0)) return exitWithUsage('Name a case', USAGE);
  if (!['handler', 'service'].includes(values.through)) return exitWithUsage('--through is unknown', USAGE);
  const { one } = findCase(name);
  const service = await forkChild<Ready>('service.ts', ['--without-capacity'], {
    GATEHOUSE_CREDENTIAL_CACHE_MS: '3600000',
  });
  const { url, apiKey, variables } = service.message;
  Object.assign(process.env, variables);
  try {
    if (values.through === 'service') {
      const control: ServiceControl = (command) =>
        new Promise((resolve) => {
          service.process.once('message', resolve);
          service.process.send(command);
        });
      const { cpuMs, ...shares } = await profileService(service.message, control, name, calls);
      console.log(`${one.name} through the local service: ${cpuMs.toFixed(3)} ms of CPU a call, of all threads`);
      return printShares(`CPU time of the service's main thread, by ${values.by}`, shares[by], rows);
    }
    const args = [name, url, apiKey, String(calls)];
    const { message } = await forkChild<HandlerProfile>('profile/handler.ts', args, variables);
    const { attribution, handlerMs, clientMs, apiCallsMs, requests } = message;
    console.log(
      `${one.name} in the handler: ${handlerMs.toFixed(3)} ms of CPU a call, the baseline in turns ${clientMs.toFixed(3)} ms ` +
        '(medians without samples)',
    );
    if (apiCallsMs !== undefined) {
      const own = computeOwnCpuMs(message).toFixed(2);
      console.log(
        `The same calls of the API alone: ${apiCallsMs.toFixed(3)} ms; own CPU on the machine of the budgets: ${own} ms`,
      );
    }
    const counts = Object.entries(requests).map(([target, count]) => `${Number(count.toFixed(2))} ${target}`);
    console.log(`Requests of a call: ${counts.join(', ') || 'none'}`);
    printShares(`CPU time of the handler's main thread, by ${values.by}`, attribution[by], rows);
  } finally {
    service.process.disconnect();
  }
}

await main();
