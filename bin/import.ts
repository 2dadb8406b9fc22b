/**
 * `npm run import -- FILE`: imports users, their memberships and organizations, with their ids, times and password
 * hashes, their passkeys, and models, roles, groups, resources, role assignments and feature flags.
 */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { importFile, type Progress, rejectedLinesFile } from './import-file.ts';
import { aimAt, CommandError, environmentNamed, runCommand, TARGET_USAGE, targetOptions } from './target.ts';

const USAGE = `usage: npm run import -- FILE.jsonl [--events] [--restart]
Each line is a record as JSON. functions/sign-in/user-management/README.md names the members of users, organizations and
memberships, functions/proofs/passkeys/README.md those of passkeys, functions/access/authorization/README.md those of models, roles, groups, resources, assignments and feature flags. --events also sends the events of new records to webhook endpoints; --restart starts again at the first line.
Requires --environment ID, except on a local service. ${TARGET_USAGE}`;

/** The number of rejected lines that are shown. The file next to the input has all of them. */
const MAX_PRINTED = 20;

await runCommand(USAGE, async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...targetOptions,
      environment: { type: 'string' },
      events: { type: 'boolean', default: false },
      restart: { type: 'boolean', default: false },
    },
  });
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new CommandError(USAGE);
  if (!existsSync(file)) throw new CommandError(`There is no file ${file}.`);
  const local = await aimAt(values);
  const environmentId = await environmentNamed(values.environment ?? local);
  const startedAt = performance.now();
  let printed = 0;
  const progress = await importFile({
    file,
    environmentId,
    isSilent: !values.events,
    fromStart: values.restart,
    onResume: (lines) => process.stderr.write(`Continues after line ${lines}; --restart begins with the first.\n`),
    onProgress: (so) => process.stderr.write(`${formatState(so, performance.now() - startedAt)}\n`),
    onRejected: (line, message) => {
      if ((printed += 1) <= MAX_PRINTED) process.stderr.write(`line ${line}: ${message}\n`);
    },
  });
  const { made, there } = progress;
  const rejected = progress.rejected + progress.rejectedBefore;
  console.log(`${made} imported, ${there} there already, ${rejected} refused.`);
  if (rejected > 0) {
    console.log(`Why is in ${rejectedLinesFile(file)}. Correct those lines and run it again with --restart.`);
    process.exitCode = 1;
  }
});

/** Formats the progress, such as `12,345 lines, 38 %, 2,100/s, 7 s left`. */
function formatState({ bytes, size, lines, made, there, rejected }: Progress, milliseconds: number): string {
  const count = (value: number): string => Math.round(value).toLocaleString('en');
  const done = made + there + rejected;
  const perSecond = (done / milliseconds) * 1_000;
  const left = done === 0 || lines === 0 ? 0 : (size - bytes) / (bytes / lines) / perSecond;
  const percent = size === 0 ? 100 : (bytes / size) * 100;
  return `${count(lines)} lines, ${percent.toFixed(1)} %, ${count(perSecond)}/s, ${count(left)} s left, ${count(rejected)} refused`;
}
