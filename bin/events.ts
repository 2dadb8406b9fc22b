/** `npm run events -- replay`: puts events of a time range on the bus again, locally or on a deployed stage. */
import { parseArgs } from 'node:util';

import { replayEvents } from '../functions/events/relay/replay.ts';
import { allEnvironments } from '../functions/kernel/storage/environment.ts';
import { aimAt, CommandError, runCommand, TARGET_USAGE, targetOptions } from './target.ts';

const USAGE = `usage: npm run events -- replay --from TIME --to TIME [--environment ID]
Sends the events of that time range (ISO 8601, such as 2026-01-15T12:00:00Z; --to is exclusive) to the bus again, to recover
events that are in the relay's dead-letter queue. Without --environment: those of all environments. Webhooks that were already
attempted are not sent again. ${TARGET_USAGE}`;

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
  if (positionals[0] !== 'replay') throw new CommandError(USAGE);
  const [from, to] = [timeOf('--from', values.from), timeOf('--to', values.to)];
  if (from >= to) throw new CommandError('The range is empty: --from must be before --to.');
  await aimAt(values);
  const all = await allEnvironments();
  const meant = values.environment === undefined ? all : all.filter(({ id }) => id === values.environment);
  if (meant.length === 0) throw new CommandError(`There is no environment ${values.environment ?? 'on this stage'}.`);
  for (const { id, name } of meant) {
    const count = await replayEvents(id, from, to);
    console.log(`${id}  ${name}: ${count} events are on the bus again`);
  }
});

function timeOf(option: string, text: string | undefined): number {
  const time = text === undefined ? NaN : Date.parse(text);
  if (Number.isNaN(time)) throw new CommandError(`${option} needs a time.\n${USAGE}`);
  return time;
}
