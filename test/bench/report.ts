import { topology } from '../../lib/topology/index.ts';
import type { Figures } from './figures.ts';
import type { CaseFigures } from './figures.ts';
import { budgets, held, type Verdict } from './budgets.ts';
import type { Counts } from './counts.ts';
import { assumed, costOfMillion, prices } from './prices.ts';
import { printTable } from './table.ts';

const formatMemory = (functionName: string): number =>
  topology.functions.find(({ name }) => name === functionName)?.memoryMb ?? NaN;

/** Formats a count, which is a multiple of a tenth because ten calls were counted. */
const short = (value: number): string => String(Math.round(value * 10) / 10);

function formatRoundTrips({ counts, kind, roundTrips = budgets.roundTrips[kind] }: CaseFigures): Verdict {
  const text = held(counts.serialRoundTrips, roundTrips, 1);
  return { ...text, text: text.text.replace('.0 ', ' ') };
}

/**
 * The own CPU time of a case that calls the API, as the machine of the budgets would take it: without that of the bare calls, which are
 * measured in turns, and scaled by the client.
 */
export const computeOwnCpuMs = ({
  handlerMs,
  clientMs,
  apiCallsMs = 0,
}: Pick<CaseFigures['cpu'], 'handlerMs' | 'clientMs' | 'apiCallsMs'>): number =>
  (handlerMs - apiCallsMs) * (budgets.clientCpuMs / clientMs);

function formatCpu({ cpu, isSimple, cpuMs, ownCpuMs, cpuAboveBaselineMs }: CaseFigures): string {
  if (ownCpuMs !== undefined) return `${cpu.handlerMs.toFixed(2)}, own ${held(computeOwnCpuMs(cpu), ownCpuMs, 2).text}`;
  const above = cpuAboveBaselineMs ?? (isSimple ? budgets.readCpuAboveClientMs : undefined);
  const budget = cpuMs ?? (above === undefined ? undefined : cpu.clientMs + above);
  return budget === undefined ? cpu.handlerMs.toFixed(2) : held(cpu.handlerMs, budget, 2).text;
}

const computeCost = ({ area, counts, cpu }: CaseFigures): string =>
  costOfMillion({ ...counts, cpuMs: cpu.handlerMs, memoryMb: formatMemory(`${area}-http`) }).toFixed(2);

/** Reports whether every count, which is the same on every machine, is within its budget. */
export function isWithinCounts({ cases, bundles, delivery }: Figures): boolean {
  const sizes = bundles.functions.filter(({ isHttp }) => isHttp);
  const counted = cases.every((one) => formatRoundTrips(one).isWithin && formatShared(one).isWithin);
  return counted && (delivery?.shared.writeUnits ?? 0) === 0 && sizes.every((one) => measureSize(one).isWithin);
}

const measureSize = ({ kib, area }: { kib: number; area: string }): Verdict =>
  held(kib, budgets.bundleKib(area), 0, true);

/** Prints all tables. */
export function print(figures: Figures): void {
  printThroughput(figures.cases);
  printCosts(figures.cases);
  printShared(figures.cases);
  printPages(figures.cases);
  printBundles(figures);
  printDelivery(figures);
  printAdditions(figures);
}

function printThroughput(cases: readonly CaseFigures[]): void {
  const rows = cases.map(({ name, loads }) => [
    name,
    ...loads.flatMap(({ perSecond, p50, p99 }) => [perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1)]),
    loads
      .flatMap(({ unexpected }) => Object.entries(unexpected).map(([status, count]) => `${count} x ${status}`))
      .join(', '),
  ]);
  const columns = (cases[0]?.loads ?? []).flatMap(({ concurrency }) => [`c=${concurrency} req/s`, 'p50 ms', 'p99 ms']);
  const title = 'Throughput over HTTP, service, engines and client on this machine (c = requests at a time)';
  printTable(title, ['operation', ...columns, 'unexpected'], rows);
}

function printCosts(cases: readonly CaseFigures[]): void {
  const rows = cases.map((one) => [
    one.name,
    formatRoundTrips(one).text,
    short(one.counts.kmsCalls),
    short(one.counts.readUnits),
    short(one.counts.writeUnits),
    formatCpu(one),
    one.cpu.p99.cpuMs.toFixed(1),
    one.cpu.p99.elapsedMs.toFixed(1),
    one.cpu.clientMs.toFixed(2),
    computeCost(one),
  ]);
  printTable(
    `Work of one call with warm caches; cost of a million in ${prices.region} at ${assumed.roundTripMs} ms a round trip`,
    [
      'operation',
      'round trips',
      'KMS',
      'RCU',
      'WCU',
      'CPU ms',
      'p99 CPU ms',
      'p99 ms in the handler',
      'baseline ms',
      '$ / million',
    ],
    rows,
  );
}

function formatShared({ name, counts: { shared } }: CaseFigures): Verdict {
  const budget = budgets.sharedWriteUnits(name);
  if (budget === undefined) return { isWithin: true, text: short(shared.writeUnits) };
  return held(shared.writeUnits, budget, 0);
}

/** Prints the units on keys that other callers use too: one key accepts 1,000 write and 3,000 read units a second. */
function printShared(cases: readonly CaseFigures[]): void {
  const rows = cases.map((one) => [
    one.name,
    formatShared(one).text,
    short(one.counts.shared.readUnits),
    one.counts.shared.written.join(', '),
  ]);
  const title = 'Units of one call on keys that other callers use too, without shards and counters by network';
  printTable(title, ['operation', 'WCU', 'RCU', 'written keys'], rows);
}

/** CPU time in ms of a call of the API that a page makes, a typical one of the lists above. */
const API_CALL_MS = 2;

/** Prints what a million pages cost that call the API: their own work, and that of the calls with the gateway in between. */
function printPages(cases: readonly CaseFigures[]): void {
  const pages = cases.filter(({ callsApi }) => callsApi === true);
  if (pages.length === 0) return;
  const rows = pages.map((page) => {
    const { invocations, ...counts } = page.counts.api;
    const own = Number(computeCost(page));
    const functions =
      invocations === 0
        ? 0
        : costOfMillion({
            ...counts,
            cpuMs: API_CALL_MS * invocations,
            memoryMb: formatMemory('events-http'),
          }) +
          (invocations - 1) * prices.lambdaRequest * 1e6;
    const gateway = (invocations + 1) * prices.gatewayRequest * 1e6;
    return [
      page.name,
      short(invocations),
      short(counts.readUnits),
      ...[own, functions, gateway, own + functions + gateway].map((each) => each.toFixed(2)),
    ];
  });
  const columns = ['page', 'calls', 'RCU of calls', 'own $', 'calls $', 'gateway $', '$ / million pages'];
  printTable(`Cost of a million pages that call the API, at ${API_CALL_MS} ms of CPU a call`, columns, rows);
}

function printBundles({ bundles }: Figures): void {
  const { client, functions } = bundles;
  const rows = functions.map((one) => [
    one.name,
    one.isHttp ? measureSize(one).text : one.kib.toFixed(0),
    one.initMs?.toFixed(0) ?? '',
    one.initMs === undefined ? '' : held(one.initMs / client.initMs, budgets.initRatio, 2, true).text,
  ]);
  const comparison = ['the stock DynamoDB client alone', client.kib.toFixed(0), client.initMs.toFixed(0), '1'];
  const title = 'Bundles as deployed, minified, and the CPU time of their module init in fresh processes (median)';
  printTable(title, ['function', 'KiB', 'init ms', 'x client'], [...rows, comparison]);
}

function printDelivery({ delivery }: Figures): void {
  if (delivery === undefined) return;
  const { p50, p99, functions } = delivery;
  console.log(
    `\nCommitted change -> first webhook attempt: median ${held(p50, budgets.firstAttemptMs, 1, true).text} ms, ` +
      `p99 ${p99.toFixed(1)} ms`,
  );
  const row = (name: string, counts: Counts): string[] => [
    name,
    short(counts.serialRoundTrips),
    short(counts.kmsCalls),
    short(counts.readUnits),
    short(counts.writeUnits),
  ];
  printTable(
    'Work of one event on its way to one endpoint',
    ['function', 'round trips', 'KMS', 'RCU', 'WCU'],
    Object.entries(functions).map(([name, counts]) => row(name, counts)),
  );
  const { writeUnits, written } = delivery.shared;
  console.log(`Write units on keys that other events write too: ${held(writeUnits, 0, 0).text} ${written.join(', ')}`);
}

/** Prints what the lists of subjects and the words of users cost next to an event and a user. */
function printAdditions({ additions }: Figures): void {
  if (additions === undefined) return;
  const { event, user } = additions;
  const row = (name: string, own: number, added: number): string[] => [
    name,
    short(own),
    short(added),
    (added * prices.dynamoWriteUnit * 1e6).toFixed(2),
  ];
  printTable(
    'Write units of what the console reads, next to those of the record',
    ['what', 'WCU without', 'WCU in addition', '$ / million'],
    [
      row('the list of an event’s subject', event.plain, event.listed - event.plain),
      row('the words of a user, with the search for users', user.creation, user.words),
    ],
  );
}
