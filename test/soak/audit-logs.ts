/**
 * `npm run soak -- audit-logs`, or `node bin/run.mjs test/soak/audit-logs.ts --events N` for another number than a million: records N
 * events of one organization (default a million), seals them, exports them and compares the CSV with the recorded events,
 * row by row; then verifies its proof. It prints rates and the memory of the process that does the work: the stores run in
 * a separate process, as they would in AWS. The memory is the highest heap and resident set in samples every 50 ms, and
 * must not grow with N.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';

import { events } from '../../functions/audit-logs/event/entity.ts';
import { ingest, type Ingestion, makeRecord } from '../../functions/audit-logs/event/ingest.ts';
import { parseCsv } from '../../functions/kernel/csv.ts';
import { sealOrganization } from '../../functions/audit-logs/evidence/seal.ts';
import { verifyExport } from '../../functions/audit-logs/evidence/verify.ts';
import { exportKey, exports, proofKey } from '../../functions/audit-logs/export/entity.ts';
import { makeExport } from '../../functions/audit-logs/export/make.ts';
import { systemActor } from '../../functions/kernel/authentication/caller.ts';
import { readBlob } from '../../functions/kernel/blobs/store.ts';
import { clock } from '../../functions/kernel/clock.ts';
import { newId } from '../../functions/kernel/ids.ts';
import { evidenceSigner } from '../../functions/kernel/keys/signer.ts';
import { settings } from '../../functions/kernel/settings.ts';
import { applyWork } from '../../functions/kernel/storage/background.ts';
import { tableClient } from '../../functions/kernel/storage/client.ts';
import type { WriteParams } from '../../functions/kernel/storage/write.ts';
import { useStores } from '../support/stores.ts';
import { startTable } from '../support/table.ts';
import { type Scenario, print } from './scenario.ts';

const HOUR_MS = 3_600_000;
/** Number of events in progress. */
const WIDTH = 64;
const DEFAULT_EVENTS = 1_000_000;
/** Number of events recorded through the API; the others are written in bulk. */
const EACH = 5_000;
/** Maximum memory in MiB that the work may use in addition to that of the started process, for any number of events. */
const MEMORY_BUDGET_MIB = 400;

const environmentId = newId('environment');
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

/** Runs work for each number from `from` on, some at a time. */
async function forEach(from: number, to: number, stride: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = from;
  const one = async (): Promise<void> => {
    for (let n = next; n < to; n = next) {
      next += stride;
      await work(n);
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, one));
}

/** Records each event through the API, by one conditional write each. */
const recordEach = (to: number): Promise<void> =>
  forEach(0, to, 1, async (n) => {
    const outcome = await ingest(makeIngestion(n));
    if (outcome !== 'recorded') throw new Error(`Event ${n} was ${outcome}`);
  });

/** The limit of DynamoDB on the writes of a BatchWriteItem. */
const BATCH = 25;

/** Writes the same rows, many in a request, since the test with a million events is about reading them. */
const recordInBulk = (from: number, to: number): Promise<void> =>
  forEach(from, to, BATCH, async (first) => {
    const requests = Array.from({ length: Math.min(BATCH, to - first) }, (_, at) => {
      const { Item } = events
        .entity()
        .put(makeRecord(makeIngestion(first + at)))
        .params<WriteParams>();
      return { PutRequest: { Item: Item ?? {} } };
    });
    await tableClient().send(new BatchWriteCommand({ RequestItems: { [settings().GATEHOUSE_TABLE]: requests } }));
  });

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
  const table = await startTable();
  const stores = await startStoresApart();
  try {
    // The scenario starts at the beginning of an hour, so that the whole hour remains.
    clock.advance(HOUR_MS - (clock.now() % HOUR_MS));
    const hour = clock.timestamp().slice(0, 13);
    const each = Math.min(number, EACH);
    await step(`${each.toLocaleString('en')} events recorded one by one`, each, () => recordEach(each));
    await step(`${(number - each).toLocaleString('en')} in bulk`, number - each, () => recordInBulk(each, number));
    clock.advance(2 * HOUR_MS);
    const before = process.memoryUsage().rss;
    const sealed = await step('sealed', number, () => sealOrganization(environmentId, organizationId, hour));
    const made = await step('exported', number, exportAll);
    const peak = Math.max(sealed.resident, made.resident) - before;
    if (peak > MEMORY_BUDGET_MIB * 1_048_576) throw new Error(`Sealing and exporting took ${mebibytes(peak)} more`);
    await step('compared row by row', number, () => compare(made.value, number));
    await step('verified against its proof', number, () => verify(made.value));
  } finally {
    stores.stdin?.end();
    await table.stop();
  }
}

/** The scenario for `npm run soak`. */
export const auditLogs: Scenario = { name: 'audit-logs', run: () => soakAuditLogs() };

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({ options: { events: { type: 'string', default: String(DEFAULT_EVENTS) } } });
  await soakAuditLogs(Number(values.events));
}
