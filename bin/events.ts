/**
 * `npm run events` sends events to the bus again (those of a time range, or the dead letters of a deployed stage's workers), and adds
 * older events to the lists of their subjects.
 */
import { parseArgs } from 'node:util';

import { indexSubjects } from '../functions/record/events/relay/index-subjects.ts';
import { redriveEvents } from '../functions/record/events/relay/redrive.ts';
import { replayEvents } from '../functions/record/events/relay/replay.ts';
import { allEnvironments } from '../functions/kernel/storage/environment.ts';
import { aimAt, CommandError, runCommand, TARGET_USAGE, type TargetOptions, targetOptions } from './target.ts';

const USAGE = `usage: npm run events -- replay --from TIME --to TIME [--environment ID]
Sends the events of that time range (ISO 8601, such as 2026-01-15T12:00:00Z; --to is exclusive) to the bus again, to recover
events that are in the relay's dead-letter queue. Without --environment: those of all environments. Webhooks that were already
attempted are not sent again.
       npm run events -- index [--from TIME] [--to TIME] [--environment ID]
Adds events that were stored by an earlier release to the lists of GET /x/events: those of the last 90 days, or of that time range. It may
be stopped: it prints the time from which to continue, and entries that exist are left as they are.
       npm run events -- redrive --stage NAME
Sends the events in the dead-letter queue of the stage's workers (gatehouse-NAME-workers-dead-letters) to the bus again and
deletes them there. Fix the cause of their failure first. ${TARGET_USAGE}`;

/** Longest retention of events in milliseconds. */
const RETENTION_MS = 90 * 86_400_000;
/** Time in ms between two lines of progress. */
const REPORT_MS = 10_000;

await runCommand(USAGE, async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...targetOptions,
      from: { type: 'string' },
      to: { type: 'string' },
      environment: { type: 'string' },
    },
  });
  if (positionals[0] === 'redrive') return redrive(values.stage);
  if (positionals[0] === 'index') return index(values);
  if (positionals[0] !== 'replay') throw new CommandError(USAGE);
  const [from, to] = [parseTime('--from', values.from), parseTime('--to', values.to)];
  if (from >= to) throw new CommandError('The range is empty: --from must be before --to.');
  await aimAt(values);
  for (const { id, name } of await chooseEnvironments(values.environment)) {
    const count = await replayEvents(id, from, to);
    console.log(`${id}  ${name}: ${count} events are on the bus again`);
  }
});

async function chooseEnvironments(wanted: string | undefined): Promise<{ id: string; name: string }[]> {
  const all = await allEnvironments();
  const meant = wanted === undefined ? all : all.filter(({ id }) => id === wanted);
  if (meant.length === 0) throw new CommandError(`There is no environment ${wanted ?? 'on this stage'}.`);
  return meant;
}

type Values = TargetOptions & { from?: string; to?: string; environment?: string };

async function index(values: Values): Promise<void> {
  const now = Date.now();
  const from = values.from === undefined ? now - RETENTION_MS : parseTime('--from', values.from);
  const to = values.to === undefined ? now : parseTime('--to', values.to);
  if (from >= to) throw new CommandError('The range is empty: --from must be before --to.');
  await aimAt(values);
  for (const { id, name } of await chooseEnvironments(values.environment)) {
    let printedAt = now;
    const { read, written } = await indexSubjects(id, from, to, ({ until }) => {
      if (Date.now() - printedAt < REPORT_MS) return;
      printedAt = Date.now();
      console.log(`${id}  to continue: --environment ${id} --from ${new Date(until).toISOString()}`);
    });
    console.log(`${id}  ${name}: ${read} events read, ${written} added to the lists of their subjects`);
  }
}

async function redrive(stage: string | undefined): Promise<void> {
  if (stage === undefined) throw new CommandError(`redrive works on a deployed stage: --stage NAME.\n${USAGE}`);
  await aimAt({ stage });
  const { events, unreadable } = await redriveEvents(`gatehouse-${stage}-workers-dead-letters`);
  console.log(`${events} events are on the bus again`);
  if (unreadable > 0) console.log(`${unreadable} messages hold no event and stay in the queue: read them there.`);
}

function parseTime(option: string, text: string | undefined): number {
  const time = text === undefined ? NaN : Date.parse(text);
  if (Number.isNaN(time)) throw new CommandError(`${option} needs a time.\n${USAGE}`);
  return time;
}
