import { environmentKeyFrom, forgetCallers, newEnvironmentKey } from '../../functions/kernel/authentication/api-key.ts';
import { systemActor } from '../../functions/kernel/authentication/caller.ts';
import { mintKey } from '../../functions/kernel/authentication/secret-key.ts';
import { clock } from '../../functions/kernel/clock.ts';
import { sendLinesTo } from '../../functions/kernel/log.ts';
import { forgetSettings, settings } from '../../functions/kernel/settings.ts';
import { httpEntry } from '../../functions/kernel/http/entry.ts';
import { Router } from '../../functions/kernel/http/router.ts';
import { newUlid } from '../../functions/kernel/ids.ts';
import { credentials } from '../../functions/kernel/storage/environment.ts';
import { tableClient } from '../../functions/kernel/storage/client.ts';
import { Unit } from '../../functions/kernel/storage/unit.ts';
import { areas } from '../../functions/registry.ts';
import { type CallResponse, call, type CallOptions } from '../kernel/http/calls.ts';
import { makeEnvironment } from '../kernel/notes/table.ts';
import { type DeployedTarget, openDeployed } from './deployed.ts';
import { recordResponse } from '../support/declarations/record.ts';
import { startKms } from '../support/kms.ts';
import { scanRows } from '../support/documents.ts';
import { startMemoryTable } from '../support/table.ts';
import type { Api } from './samples/sample.ts';
import { SecretWatch } from './secrets.ts';

/** The service with two environments in one table. */
export interface Target {
  /**
   * API keys: of this environment (`here`), of the other one (`there`), limited to reads or to no area (`readOnly`,
   * `elsewhere`), and invalid (`revoked`, `unknown`).
   */
  keys: { here: string; there: string; readOnly: string; elsewhere: string; revoked: string; unknown: string };
  send: (method: string, target: string, options?: CallOptions) => Promise<CallResponse>;
  apiWith: (key: string) => Api;
  /**
   * The operations in whose calls so far a secret was seen, and where else these secrets are: in logs, errors and events.
   * Nothing for a deployed stage.
   */
  leaks: () => Promise<{ seen: ReadonlySet<string>; found: string[] }>;
  /** Runs calls, and returns the inputs of the writes that the table accepted during them. */
  recordWrites: (work: () => Promise<void>) => Promise<string[]>;
  stop: () => Promise<void>;
}

/**
 * The target of the contract tests: the deployed stage in GATEHOUSE_CONTRACT_TARGET, otherwise functions in this process.
 */
export function openTarget(): Promise<Target> {
  const described = process.env.GATEHOUSE_CONTRACT_TARGET;
  return described === undefined ? openHere() : openThere(JSON.parse(described) as DeployedTarget);
}

/** A deployed stage: this process writes the samples' rows to its table. */
async function openThere(deployed: DeployedTarget): Promise<Target> {
  const { send, stop } = openDeployed(deployed);
  const leaks = async () => ({ seen: new Set<string>(), found: [] });
  return { ...(await withEnvironments(send)), leaks, stop };
}

/**
 * Opens the areas' own Lambda entries with a table of this test's own, so that the complete path of a request from API
 * Gateway's event on is tested. Each response is recorded for the check of declared errors.
 */
async function openHere(): Promise<Target> {
  // Links in mails and responses begin with the base URL.
  process.env.GATEHOUSE_BASE_URL ??= 'https://auth.example.com';
  const [table, kms] = [await startMemoryTable(), await startKms()];
  const watch = new SecretWatch();
  const lines: string[] = [];
  const errors: string[] = [];
  Object.assign(process.env, { GATEHOUSE_LOG_LEVEL: 'debug' });
  forgetSettings();
  sendLinesTo((line) => lines.push(line));
  const entries = areas.map((area) => ({ router: new Router(area.operations), handler: httpEntry(area) }));
  const send = async (method: string, target: string, options?: CallOptions): Promise<CallResponse> => {
    const [path = ''] = target.split('?', 1);
    const entry = entries.find(({ router }) => router.find(method, path).kind !== 'none') ?? entries[0];
    if (entry === undefined) throw new Error('The registry has no areas');
    const response = await call(entry.handler, method, target, options);
    const found = entry.router.find(method, path);
    if (found.kind === 'found') watch.observe(found.operation, () => parsed(options?.body), response);
    if (response.status >= 400) errors.push(response.text);
    recordResponse(method, path, response.status, response.json);
    return response;
  };
  return {
    ...(await withEnvironments(send)),
    leaks: async () => {
      const places = { 'the log': lines, 'an error': errors, 'an event': await readEvents() };
      const found = Object.entries(places).flatMap(([place, texts]) =>
        texts.flatMap((text) => watch.find(text).map((secret) => `${secret} is in ${place}: ${text.slice(0, 300)}`)),
      );
      return { seen: watch.operations, found };
    },
    stop: async () => {
      sendLinesTo((line) => void process.stdout.write(`${line}\n`));
      await Promise.all([table.stop(), kms.stop()]);
    },
  };
}

const parsed = (body: string | Uint8Array | undefined): unknown => {
  try {
    return JSON.parse(String(body));
  } catch {
    return undefined;
  }
};

/** All events in the table, of every environment, as they are stored. */
async function readEvents(): Promise<string[]> {
  const rows = await scanRows({ TableName: settings().GATEHOUSE_TABLE });
  return rows.filter((row) => row.__edb_e__ === 'outbox').map((row) => JSON.stringify(row));
}

/** Creates the environments and keys of a target, in the table that this process's kernel uses. */
async function withEnvironments(send: Target['send']): Promise<Omit<Target, 'stop' | 'leaks'>> {
  const [here, there] = await Promise.all([makeEnvironment(), makeEnvironment()]);
  const revoked = newEnvironmentKey(here.id, 'revoked');
  const unit = new Unit(here.id, systemActor);
  unit.stage(credentials.create({ ...revoked.record, revokedAt: clock.timestamp() }).write);
  const readOnly = newEnvironmentKey(here.id, 'read only', { readOnly: true });
  const elsewhere = newEnvironmentKey(here.id, 'of no area', { areas: [] });
  unit.stage([...readOnly.writes, ...elsewhere.writes]);
  await unit.commit();
  forgetCallers();
  return {
    keys: {
      here: here.key,
      there: there.key,
      readOnly: readOnly.value,
      elsewhere: elsewhere.value,
      revoked: revoked.value,
      unknown: environmentKeyFrom(mintKey('sk_env_', newUlid()), here.id, 'never stored').value,
    },
    send,
    apiWith: (key) => makeApi(send, key, key === there.key ? there.id : here.id),
    recordWrites: recordedWrites(),
  };
}

/** The commands that write. */
const WRITES = /^(Put|Update|Delete|TransactWrite|BatchWrite)/;

/**
 * Observes the table's client instead of reading the table before and after each call. A whole run creates thousands of
 * rows, and reading them around each of some 200 tests took nine tenths of the time.
 */
function recordedWrites(): Target['recordWrites'] {
  let seen: string[] | undefined;
  tableClient().middlewareStack.add(
    (next, context) => async (args) => {
      const response = await next(args);
      if (WRITES.test(String(context.commandName))) seen?.push(JSON.stringify(args.input));
      return response;
    },
    { step: 'initialize', name: 'recordedWrites' },
  );
  return async (work) => {
    const writes: string[] = [];
    seen = writes;
    try {
      await work();
    } finally {
      seen = undefined;
    }
    return writes;
  };
}

function makeApi(send: Target['send'], key: string, environmentId: string): Api {
  const own: Api['send'] = (method, target, options = {}) =>
    send(method, target, { ...options, headers: { authorization: `Bearer ${key}`, ...options.headers } });
  return {
    environmentId,
    send: own,
    create: async (path, body) => {
      const response = await own('POST', path, { body: JSON.stringify(body) });
      if (response.status !== 201) throw new Error(`POST ${path} responded ${response.status}: ${response.text}`);
      return response.json as Record<string, unknown>;
    },
  };
}
