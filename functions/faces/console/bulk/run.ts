import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { general } from '../../../kernel/errors.ts';
import type { Act, Rejection, Send } from '../page/declare.ts';
import type { Visit } from '../page/visit.ts';
import type { StoredBulk } from './entity.ts';
import { type Bulk, type Check, findPhase, type Line, type Result } from './lines.ts';

/** Lines that are sent at the same moment. */
const WAVE = 5;
/** The most lines of one request: a function runs for 29 seconds at most, and a call may take three. */
const MOST_OF_A_REQUEST = { check: 100, do: 25 } as const;
/** Milliseconds after which a request leaves the rest to the next one. */
const REQUEST_MS = 10_000;
/** Milliseconds for which a request has an act for itself: longer than a function runs. */
const BUSY_MS = 35_000;
/** Calls that are made for a line whose response did not arrive, if a repetition changes nothing more. */
const MOST_TRIES = 3;

const DONE: Result = { state: 'done', text: '' };
const UNCLEAR: Result = {
  state: 'unknown',
  text: 'The API did not respond in time, so it is not known whether the change was made. Look at the record.',
};
const UNCHECKED: Check = { state: 'unchecked', text: 'This operation has no dry run.' };

/** The tools of a run. */
interface Run {
  stored: StoredBulk;
  act: Act;
  visit: Visit;
  send: Send;
}

/** The next state of a line, or the reason for which the act stops before it. */
type Step = { line: Line } | { stop: Rejection };

/**
 * Continues an act on many records: some lines, each with the header `Idempotency-Key` of its own. Each wave is stored before it is sent, so
 * that a request that was cut off is not repeated blindly.
 * @returns the reason why it stopped, if the operator has to prove who they are
 */
export async function continueBulk({ stored, act, visit, send }: Run): Promise<Rejection | undefined> {
  const phase = findPhase(stored.bulk);
  if ((phase !== 'check' && phase !== 'do') || (stored.bulk.busyUntil ?? 0) > clock.now()) return undefined;
  const { paused: _paused, ...former } = stored.bulk;
  let bulk: Bulk = { ...former, busyUntil: clock.now() + BUSY_MS };
  const waiting = bulk.lines.flatMap((line, at) =>
    (phase === 'check' ? line.check : line.result) === undefined ? [at] : [],
  );
  const mine = waiting.slice(0, MOST_OF_A_REQUEST[phase]);
  const startedAt = performance.now();
  const sendLine = phase === 'check' ? checkLine : doLine;
  let stop: Rejection | undefined;
  for (let from = 0; from < mine.length && stop === undefined; from += WAVE) {
    if (performance.now() - startedAt > REQUEST_MS) break;
    const wave = mine.slice(from, from + WAVE);
    if (phase === 'do') bulk = replace(bulk, wave, (line) => ({ ...line, isSent: true }));
    // Another request works on it.
    if (!(await stored.save(bulk))) return undefined;
    const before = stored.bulk.lines;
    const steps = await awaitAll(
      wave.map((at) =>
        sendLine(before[at] ?? { id: '', label: '' }, {
          act,
          visit,
          send,
          reason: bulk.reason ?? '',
          key: `bulk-${stored.id}-${at}`,
        }),
      ),
    );
    steps.forEach((step, at) => {
      const position = wave[at] ?? 0;
      // A line that was stopped was not done, so it waits again as it was.
      bulk = replace(bulk, [position], (line) => ('line' in step ? step.line : (before[position] ?? line)));
      if ('stop' in step) stop ??= step.stop;
    });
  }
  const { busyUntil: _busy, ...rest } = bulk;
  await stored.save(stop === undefined || stop.problem === 'step-up' ? rest : { ...rest, paused: stop.text });
  return stop?.problem === 'step-up' ? stop : undefined;
}

const replace = (bulk: Bulk, places: readonly number[], change: (line: Line) => Line): Bulk => ({
  ...bulk,
  lines: bulk.lines.map((line, at) => (places.includes(at) ? change(line) : line)),
});

interface Sending extends Omit<Run, 'stored'> {
  reason: string;
  key: string;
}

async function checkLine(line: Line, { act, visit, send }: Sending): Promise<Step> {
  const sent = await send(act.call({ [act.bulk?.field ?? 'id']: line.id }, visit), { 'gatehouse-dry-run': 'true' });
  if (!('problem' in sent)) return { line: { ...line, check: { state: 'possible', text: '' } } };
  if (sent.code === general.dryRunNotSupported.code) return { line: { ...line, check: UNCHECKED } };
  if (sent.code === general.tooManyRequests.code) return { stop: sent };
  const state = sent.isLate === true ? 'unchecked' : 'rejected';
  const text = sent.isLate === true ? 'The dry run did not respond in time.' : sent.text;
  return { line: { ...line, check: { state, text } } };
}

async function doLine(line: Line, { act, visit, send, reason, key }: Sending): Promise<Step> {
  const isRepeatable = act.bulk?.isRepeatable === true;
  const { isSent: wasSent = false, tries = 0, ...rest } = line;
  if (wasSent && !isRepeatable) return { line: { ...rest, result: UNCLEAR } };
  const sent = await send(act.call({ [act.bulk?.field ?? 'id']: line.id }, visit), {
    'gatehouse-reason': encodeURIComponent(reason.toWellFormed()),
    'idempotency-key': key,
  });
  if (!('problem' in sent)) return { line: { ...rest, result: DONE } };
  if (sent.problem === 'step-up' || sent.code === general.tooManyRequests.code) return { stop: sent };
  if (sent.isLate !== true) return { line: { ...rest, result: { state: 'rejected', text: sent.text } } };
  const isLast = !isRepeatable || tries + 1 >= MOST_TRIES;
  return { line: isLast ? { ...rest, result: UNCLEAR } : { ...rest, isSent: true, tries: tries + 1 } };
}
