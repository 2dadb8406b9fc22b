/**
 * `npm run soak -- audit-logs`, or `node bin/run.mjs test/soak/audit-logs.ts --events N` for another number than a million: records N
 * events of one organization (default a million), seals them, exports them and compares the CSV with the recorded events,
 * row by row; then verifies its proof. It prints rates and the memory of the process that does the work: the stores run in
 * a separate process, as they would in AWS. The memory is the highest heap and resident set in samples every 50 ms, and
 * must not grow with N. Recording an event and listing events take the time and read units that they take with a thousand events.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { auditLogsArea } from '../../functions/record/audit-logs/area.ts';
import { type EventRecord, events } from '../../functions/record/audit-logs/event/entity.ts';
import { ingest, type Ingestion, makeRecord } from '../../functions/record/audit-logs/event/ingest.ts';
import { parseCsv } from '../../functions/kernel/csv.ts';
import { sealOrganization } from '../../functions/record/audit-logs/evidence/seal.ts';
import { verifyExport } from '../../functions/record/audit-logs/evidence/verify.ts';
import { exportKey, exports, proofKey } from '../../functions/record/audit-logs/export/entity.ts';
import { makeExport } from '../../functions/record/audit-logs/export/make.ts';
import { systemActor } from '../../functions/kernel/authentication/caller.ts';
import { readBlob } from '../../functions/kernel/blobs/store.ts';
import { clock } from '../../functions/kernel/clock.ts';
import { httpEntry } from '../../functions/kernel/http/entry.ts';
import { newId } from '../../functions/kernel/ids.ts';
import { evidenceSigner } from '../../functions/kernel/keys/signer.ts';
import { sendLinesTo } from '../../functions/kernel/log.ts';
import { applyWork } from '../../functions/kernel/storage/background.ts';
import { type BatchRequest, writeBatch } from '../../functions/kernel/storage/batch.ts';
import { isTransient } from '../../functions/kernel/storage/faults.ts';
import type { Write, WriteParams } from '../../functions/kernel/storage/write.ts';
import { call } from '../kernel/http/calls.ts';
import { makeEnvironment } from '../kernel/notes/table.ts';
import { useStores } from '../support/stores.ts';
import { startTable, type TestTable } from '../support/table.ts';
import { asked, countCalls } from './consumed.ts';
import { EngineRows, listKeys, type Written } from './engine-rows.ts';
import { must, type Scenario, print, quantile, sideBySide } from './scenario.ts';

const HOUR_MS = 3_600_000;
/** Number of events in progress. */
const WIDTH = 8;
/** Attempts to record an event on a busy machine. */
const ATTEMPTS = 10;
const DEFAULT_EVENTS = 1_000_000;
/** Number of events of the baseline, which are recorded through the API as those of the measurements are; the others are written in bulk. */
const FEW = 1_000;
/** Number of events that are recorded, and of pages that are read, by each measurement. */
const MEASURED = 100;
/** Maximum ratio of a median of CPU time to the baseline: noise of two shared cores. */
const GROWTH = 1.5;
const SLACK_MS = 1;
/** Maximum memory in MiB that the work may use in addition to that of the started process, for any number of events. */
const MEMORY_BUDGET_MIB = 400;

let environmentId = '';
const organizationId = newId('org');

const mebibytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(0)} MiB`;

/** Runs a step and prints its duration and its maximum memory. */
async function step<T>(name: string, events: number, work: () => Promise<T>): Promise<{ value: T; resident: number }> {
  let [heap, resident] = [0, 0];
  const sample = setInterval(() => {
    const now = process.memoryUsage();
    heap = Math.max(heap, now.heapUsed);
    resident = Math.max(resident, now.rss);
  }, 50);
  const startedAt = performance.now();
  const value = await work();
  clearInterval(sample);
  const seconds = (performance.now() - startedAt) / 1_000;
  const rate = Math.round(events / seconds).toLocaleString('en');
  print(`${name}: ${seconds.toFixed(1)} s, ${rate} events/s, heap ${mebibytes(heap)}, resident ${mebibytes(resident)}`);
  return { value, resident };
}

/** The texts of an event, which depend only on `n`: the CSV is compared with them. */
const readBody = (n: number) => ({
  organization_id: organizationId,
  event: {
    action: 'user.signed_in',
    occurred_at: new Date(Date.parse('2026-01-01T00:00:00Z') + n * 1_000).toISOString(),
    actor: { id: `user_${n % 1_000}`, type: 'user', name: `User "${n % 1_000}", of course` },
    targets: [{ id: `team_${n % 10}`, type: 'team' }],
    context: { location: '192.0.2.1', user_agent: 'soak' },
    metadata: { n, note: n % 7 === 0 ? '=cmd()' : 'two\r\nlines' },
  },
});

const makeIngestion = (n: number): Ingestion => ({
  environmentId,
  proof: 'soak',
  idempotencyKey: String(n),
  rawBody: String(n),
  body: readBody(n),
  version: 1,
});

/** Records an event as the API does, by one conditional write, again if a busy machine did not respond in time. */
async function record(n: number, attempt = 1): Promise<void> {
  try {
    const outcome = await ingest(makeIngestion(n));
    must(outcome === 'recorded' || outcome === 'repeated', `Event ${n} was ${outcome}`);
  } catch (error) {
    if (!isTransient(error) || attempt === ATTEMPTS) throw error;
    await record(n, attempt + 1);
  }
}

/** The medians of one act, and the read and write units of each. */
interface Cost {
  medianMs: number;
  cpuMs: number;
  units: number;
}

async function measure(act: (at: number) => Promise<unknown>): Promise<Cost> {
  const [times, cpus]: [number[], number[]] = [[], []];
  const former = asked.units;
  for (let at = 0; at < MEASURED; at += 1) {
    const [startedAt, used] = [performance.now(), process.cpuUsage()];
    await act(at);
    const { user, system } = process.cpuUsage(used);
    times.push(performance.now() - startedAt);
    cpus.push((user + system) / 1_000);
  }
  return { medianMs: quantile(times, 0.5), cpuMs: quantile(cpus, 0.5), units: (asked.units - former) / MEASURED };
}

const entry = httpEntry(auditLogsArea);

async function listPage(key: string, query: string): Promise<string | undefined> {
  const path = `/x/audit_logs/events?organization_id=${organizationId}&limit=100${query}`;
  const { status, text } = await call(entry, 'GET', path, { headers: { authorization: `Bearer ${key}` } });
  must(status === 200, `${path} responds with 200, not ${status}: ${text}`);
  const { data } = JSON.parse(text) as { data: { id: string }[] };
  must(data.length === 100, `${path} has 100 events, not ${data.length}`);
  return data.at(-1)?.id;
}

/** Measures the recording of {@link MEASURED} events, from the `first`th on, and pages of the list of events. */
async function measureAll(key: string, first: number): Promise<Record<string, Cost>> {
  const second = await listPage(key, '');
  return {
    'record an event': await measure((at) => record(first + at)),
    'list 100 events, first page': await measure(() => listPage(key, '')),
    'list 100 events, second page': await measure(() => listPage(key, `&after=${second}`)),
  };
}

const formatCost = ({ medianMs, cpuMs, units }: Cost): string =>
  `${medianMs.toFixed(1)} ms, CPU ${cpuMs.toFixed(1)} ms, ${units.toFixed(1)} units`;

/** @throws Error for an act that became slower or dearer with the number of events */
function compareCosts(few: Record<string, Cost>, many: Record<string, Cost>, number: number): void {
  const [small, large] = [FEW, number].map((value) => value.toLocaleString('en'));
  print(`${''.padEnd(30)} with ${small?.padEnd(33)} with ${large}`);
  const grown = Object.entries(many).filter(([name, after]) => {
    const before = few[name] ?? after;
    print(`${name.padEnd(30)} ${formatCost(before).padEnd(38)} ${formatCost(after)}`);
    return after.cpuMs > before.cpuMs * GROWTH + SLACK_MS || after.units > before.units * 1.2 + 1;
  });
  must(grown.length === 0, `Calls keep their cost; these grew: ${grown.map(([name]) => name).join('; ')}`);
}

/** The members of a row in which events differ. */
const MEMBERS = [
  'key',
  'request',
  'shard',
  'id',
  'occurredAt',
  'actor',
  'targets',
  'context',
  'metadata',
  'receivedAt',
  'salt',
] as const;

const computeValues = (record: EventRecord): string[] => MEMBERS.map((name) => record[name]);

const makeWrite = (record: EventRecord): Write => ({
  kind: 'Put',
  params: events.entity().put(record).params<WriteParams>(),
});

/** Writes rows that the calls would write into the database of the engine, since the test with a million events is about reading them. */
async function recordInBulk(folder: string, table: TestTable, from: number, to: number): Promise<void> {
  const sample = makeRecord(makeIngestion(from));
  // No hour has the partition of the example.
  const differing = Object.fromEntries(MEMBERS.map((name) => [name, `sample-of-${name}`]));
  const example = { ...sample, ...differing } as EventRecord;
  const writes = [example, sample].map(makeWrite);
  await writeBatch(writes.map(({ params }): BatchRequest => ({ PutRequest: { Item: params.Item ?? {} } })));
  await table.stop();
  const rows = new EngineRows(folder);
  const [like, ...samples] = [example, sample].map((each): Written => ({
    keys: listKeys([makeWrite(each)]),
    values: computeValues(each),
  }));
  if (like === undefined) throw new Error('There is an example');
  const copy = rows.copier(like, samples);
  for (let n = from + 1; n < to; n += 1) copy(computeValues(makeRecord(makeIngestion(n))));
  rows.close();
}

async function exportAll(): Promise<string> {
  const id = newId('audit_log_export');
  await applyWork(environmentId, systemActor, async (unit) => {
    const { write } = exports.create({
      environmentId,
      id,
      organizationId,
      rangeStart: '2020-01-01T00:00:00.000Z',
      rangeEnd: '2100-01-01T00:00:00.000Z',
      filter: {},
      state: 'pending',
      attempts: 0,
    });
    unit.stage(write);
  });
  await makeExport(environmentId, id);
  return id;
}

/** Checks that the export contains every event once, as it was recorded. */
async function compare(id: string, events: number): Promise<void> {
  const record = await exports.get(environmentId, id);
  if (record?.state !== 'ready') throw new Error(`The export is ${record?.state}`);
  const seen = new Uint8Array(events);
  let rows = -1;
  const decoder = new TextDecoder();
  async function* texts(): AsyncGenerator<string> {
    for await (const chunk of readBlob('audit', exportKey(record as never)))
      yield decoder.decode(chunk, { stream: true });
  }
  for await (const { cells, line } of parseCsv(texts())) {
    rows += 1;
    if (rows === 0) continue;
    const [, action, occurredAt, , actor = '', targets = '', context = '', metadata = ''] = cells;
    const { n } = JSON.parse(metadata) as { n: number };
    const wanted = readBody(n).event;
    const isRight =
      action === wanted.action &&
      occurredAt === wanted.occurred_at &&
      actor === JSON.stringify(wanted.actor) &&
      targets === JSON.stringify(wanted.targets) &&
      context === JSON.stringify(wanted.context) &&
      metadata === JSON.stringify(wanted.metadata);
    if (!isRight) throw new Error(`The row of line ${line} is not event ${n}`);
    if (seen[n] === 1) throw new Error(`Event ${n} is in the export twice`);
    seen[n] = 1;
  }
  if (rows !== events) throw new Error(`The export has ${rows} rows of ${events} events`);
}

async function verify(id: string): Promise<void> {
  const record = (await exports.get(environmentId, id)) as never;
  const verdict = await verifyExport({
    csv: () => readBlob('audit', exportKey(record)),
    proof: () => readLines(readBlob('audit', proofKey(record))),
    publicKey: await evidenceSigner().publicKey(),
  });
  if (verdict.count > 0) throw new Error(`The proof does not hold: ${JSON.stringify(verdict.findings.slice(0, 3))}`);
}

async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + chunk.toString()).split('\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
  if (rest !== '') yield rest;
}

/** Starts the object store, the queues and KMS in a separate process. */
async function startStoresApart(): Promise<ChildProcess> {
  const module = JSON.stringify(new URL('../support/stores.ts', import.meta.url).href);
  const code = `import { startStores } from ${module};
    const { variables } = await startStores();
    console.log(JSON.stringify(variables));
    process.stdin.resume().on('end', () => process.exit());`;
  const child = spawn(process.execPath, ['--max-old-space-size=8192', '--input-type=module', '-e', code], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  useStores(JSON.parse(line) as Record<string, string>);
  return child;
}

/**
 * Runs the scenario.
 * @throws Error that names the guarantee that was violated
 */
export async function soakAuditLogs(number = DEFAULT_EVENTS): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-audit-logs-'));
  let table = await startTable(folder);
  const stores = await startStoresApart();
  sendLinesTo(() => undefined);
  process.env.GATEHOUSE_CREDENTIAL_CACHE_MS = '3600000';
  try {
    // The scenario starts at the beginning of an hour, so that the whole hour remains.
    clock.advance(HOUR_MS - (clock.now() % HOUR_MS));
    const hour = clock.timestamp().slice(0, 13);
    const { id, key } = await makeEnvironment();
    environmentId = id;
    countCalls();
    await step(`${FEW.toLocaleString('en')} events recorded one by one`, FEW, () =>
      sideBySide([...Array(FEW).keys()], WIDTH, (n) => record(n)),
    );
    const before = await measureAll(key, FEW);
    const [first, last] = [FEW + MEASURED, number - MEASURED];
    const bulk = last - first;
    await step(`${bulk.toLocaleString('en')} in bulk`, bulk, () => recordInBulk(folder, table, first, last));
    table = await startTable(folder);
    countCalls();
    compareCosts(before, await measureAll(key, last), number);
    clock.advance(2 * HOUR_MS);
    const resident = process.memoryUsage().rss;
    const sealed = await step('sealed', number, () => sealOrganization(environmentId, organizationId, hour));
    const made = await step('exported', number, exportAll);
    const peak = Math.max(sealed.resident, made.resident) - resident;
    if (peak > MEMORY_BUDGET_MIB * 1_048_576) throw new Error(`Sealing and exporting took ${mebibytes(peak)} more`);
    await step('compared row by row', number, () => compare(made.value, number));
    await step('verified against its proof', number, () => verify(made.value));
  } finally {
    stores.stdin?.end();
    await table.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The scenario for `npm run soak`. */
export const auditLogs: Scenario = { name: 'audit-logs', run: () => soakAuditLogs() };

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({ options: { events: { type: 'string', default: String(DEFAULT_EVENTS) } } });
  await soakAuditLogs(Number(values.events));
}
