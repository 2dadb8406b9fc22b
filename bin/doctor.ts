/** `npm run doctor`: examines a stage and its account, and prints what is missing and what to do next. */
import { parseArgs } from 'node:util';

import { examine, readPlace, readSettings } from '../lib/doctor/doctor.ts';
import { isComplete, written } from '../functions/record/modules/environment-attention/public.ts';
import { recordExamination } from '../functions/record/modules/environment-attention/public.ts';
import { aimAt, CommandError, runCommand } from './target.ts';

const USAGE = `usage: npm run doctor -- --stage NAME [--record]
Reads a stage, deployed or not yet, with the AWS credentials and the region of the shell, and the stage's settings in cdk.json.
Prints what is there, what is missing and what to do next. Changes nothing, except that --record stores what it found in the
table of the stage, for the console. Exit status 1 if something is missing or cannot be read.`;

await runCommand(USAGE, async () => {
  const { values } = parseArgs({ options: { stage: { type: 'string' }, record: { type: 'boolean', default: false } } });
  if (values.stage === undefined) throw new CommandError(USAGE);
  const settings = readStageSettings(values.stage);
  const place = await readPlace().catch((error: unknown) => {
    throw new CommandError(
      `AWS cannot be called with the credentials and the region of this shell (AWS_PROFILE, AWS_REGION). ${(error as Error).message}`,
    );
  });
  console.log(`Stage ${settings.stage} in the account ${place.account}, ${place.region}\n`);
  const findings = await examine({ place, settings, now: Date.now() });
  console.log(written(findings));
  if (values.record) await record(settings.stage, findings);
  if (isComplete(findings)) return console.log('\nNothing is missing.');
  process.exitCode = 1;
});

/** Stores the findings in the table of the stage. @throws CommandError if the stage is not deployed */
async function record(stage: string, findings: Parameters<typeof recordExamination>[0]): Promise<void> {
  await aimAt({ stage });
  await recordExamination(findings);
  console.log('\nThe console shows what was found.');
}

function readStageSettings(stage: string) {
  try {
    return readSettings(stage, new URL('../cdk.json', import.meta.url));
  } catch (error) {
    throw new CommandError(`cdk.json: ${(error as Error).message}`);
  }
}
