/** `npm run search -- move`: moves the rows of the search that an earlier release has stored. */
import { parseArgs } from 'node:util';

import { allEnvironments } from '../functions/kernel/storage/environment.ts';
import { moveSearchRows } from '../functions/record/modules/search/public.ts';
import { aimAt, CommandError, runCommand, TARGET_USAGE, targetOptions } from './target.ts';

const USAGE = `usage: npm run search -- move [--environment ID]
Moves the words of names that an earlier release has stored to the partitions of this one, and adds the phone numbers of its factors.
Searches find them before and after. It may be stopped, and run again. Without --environment: those of all environments.
${TARGET_USAGE}`;

await runCommand(USAGE, async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { ...targetOptions, environment: { type: 'string' } },
  });
  if (positionals[0] !== 'move') throw new CommandError(USAGE);
  await aimAt(values);
  const all = await allEnvironments();
  const meant = values.environment === undefined ? all : all.filter(({ id }) => id === values.environment);
  if (meant.length === 0) throw new CommandError(`There is no environment ${values.environment ?? 'on this stage'}.`);
  for (const { id, name } of meant) {
    const { words, phones } = await moveSearchRows(id);
    console.log(`${id}  ${name}: ${words} words moved, ${phones} phone numbers added`);
  }
});
