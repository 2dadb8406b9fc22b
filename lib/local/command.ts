import { parseArgs } from 'node:util';
import { resolve } from 'node:path';

import { awaitAll } from '../../functions/kernel/concurrency.ts';
import { sendLinesTo } from '../../functions/kernel/log.ts';
import { describe, HELP, terminalLog } from './terminal.ts';
import { StartError } from './listen.ts';
import type { LocalService } from './start.ts';

const root = new URL('../../', import.meta.url);

const flags = {
  port: { type: 'string', default: '8787' },
  host: { type: 'string', default: 'localhost' },
  data: { type: 'string', default: '.gatehouse' },
  ephemeral: { type: 'boolean', default: false },
  quiet: { type: 'boolean', default: false },
  'no-limits': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  seed: { type: 'string' },
  measure: { type: 'boolean', default: false },
  'until-stdin-ends': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** Runs `npm start`. If the service cannot start, the process prints one paragraph and exits with 1. */
export async function runLocal(args: readonly string[]): Promise<void> {
  try {
    await run(args);
  } catch (error) {
    const message = error instanceof StartError ? error.message : `Gatehouse does not start: ${String(error)}`;
    process.stderr.write(`${message}\n`);
    if (!(error instanceof StartError) && error instanceof Error) process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  }
}

async function run(args: readonly string[]): Promise<void> {
  const options = parseOptions(args);
  if (options.help) return void process.stdout.write(HELP);
  if (options.data === '') throw new StartError('--data takes a folder; none is named.');
  const startedAt = performance.now();
  const [port, host] = [parsePort(options.port), parseHost(options.host)];
  // The service is loaded only for valid options, since that takes half a second.
  const [{ startLocal }, { topology }, { readSeed, seed }] = await awaitAll([
    import('./start.ts'),
    import('../topology/index.ts'),
    import('./seed.ts'),
  ]);
  const wanted = options.seed === undefined ? undefined : readSeed(options.seed);
  const log = terminalLog(options.quiet);
  sendLinesTo(log.line);
  const service = await startLocal({
    port,
    host,
    dataFolder: options.ephemeral ? undefined : resolve(options.data),
    limits: !options['no-limits'],
    measures: options.measure,
    topology,
    load: (file) => import(new URL(file, root).href) as Promise<Record<string, unknown>>,
    onRequest: log.request,
    onError: log.error,
  });
  stopWithSignals(service, options['until-stdin-ends']);
  if (wanted !== undefined) await seed(wanted, service);
  const { url, environment } = service;
  if (options.json) {
    const { apiKey, clientId } = environment;
    const ready = { url, api_key: apiKey, client_id: clientId };
    process.stdout.write(`${JSON.stringify(ready)}\n`);
  } else if (!options.quiet) {
    const milliseconds = performance.now() - startedAt;
    process.stdout.write(describe(service, options.ephemeral ? undefined : options.data, milliseconds));
  }
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags, allowPositionals: false }).values;
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
  }
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port <= 65_535)) throw new StartError(`--port takes a number from 0 (any free one) to 65535, not ${text}.`);
  return port;
}

/**
 * Browsers resolve every name below `localhost` to this machine (RFC 6761 section 6.3), and treat its pages as pages of
 * one site.
 */
function parseHost(text: string): string {
  if (/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){0,5}localhost$/.test(text)) return text;
  throw new StartError(`--host takes localhost or a name below it, such as auth.gatehouse.localhost, not ${text}.`);
}

/**
 * Time in ms within which several signals count as one: a Ctrl-C can arrive three times, from the terminal, from npm and
 * from `bin/run.mjs`.
 */
const ONE_SIGNAL_MS = 1_000;

/** Stops cleanly on the first signal, and at once on the second. */
function stopWithSignals(service: LocalService, untilStdinEnds: boolean): void {
  let stoppingSince: number | undefined;
  const stop = (): void => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > ONE_SIGNAL_MS) process.exit(130);
      return;
    }
    stoppingSince = performance.now();
    service.close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`Stopping failed: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  if (untilStdinEnds) process.stdin.on('end', stop).on('error', stop).resume();
}
