/**
 * Which Gatehouse a command works on: the local one that is running, or a deployed stage.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { forgetSettings } from '../functions/kernel/settings.ts';
import { environmentIdOf } from '../functions/kernel/authentication/api-key.ts';
import { isId, ulidOf } from '../functions/kernel/ids.ts';
import { environments } from '../functions/kernel/storage/environment.ts';
import { stageParameters } from './stage-parameters.ts';

/** What a command's target is chosen by. */
export interface TargetOptions {
  /** A deployed stage; its data are found by its parameters, the rest by name, with the AWS credentials of the shell. */
  stage?: string | undefined;
  /** The data folder of a local Gatehouse. */
  data?: string | undefined;
}

/** The options of `parseArgs` by which every command takes its target. */
export const targetOptions = {
  stage: { type: 'string' },
  data: { type: 'string', default: '.gatehouse' },
} as const;

/** A mistake in how a command was called, or in what it was pointed at; the message says what to do. */
export class CommandError extends Error {}

/**
 * Points this process at the target, through the same variables that its functions read.
 * @returns the id of the environment that a command means when it names none; undefined for a stage
 * @throws CommandError when a local Gatehouse is meant and none is running, or there is no such stage
 */
export async function aimAt({ stage, data = '.gatehouse' }: TargetOptions): Promise<string | undefined> {
  process.env.GATEHOUSE_LOG_LEVEL = 'warn';
  if (stage !== undefined) {
    Object.assign(process.env, {
      GATEHOUSE_STAGE: stage,
      ...(await dataOf(stage)),
      GATEHOUSE_BUS: `gatehouse-${stage}`,
      GATEHOUSE_KMS_KEY: `alias/gatehouse-${stage}-envelopes`,
    });
    forgetSettings();
    return undefined;
  }
  const running = readRunning(join(data, 'running.json'));
  Object.assign(process.env, running.environment);
  forgetSettings();
  return environmentIdOf(running.client_id.replace(/^client_/, ''));
}

/** Where the data of a stage are; a restored table may have taken the place of its own. */
async function dataOf(stage: string): Promise<Record<string, string>> {
  const found = await stageParameters(stage, ['records-table', 'keys-table', 'audit-bucket']).catch(
    (error: unknown) => {
      throw new CommandError(`Where the data of ${stage} are cannot be read. ${(error as Error).message}`);
    },
  );
  const { 'records-table': records, 'keys-table': keys, 'audit-bucket': bucket } = found;
  if (records === undefined || keys === undefined || bucket === undefined) {
    throw new CommandError(
      `There is no stage ${stage} in the account and region of this shell (AWS_PROFILE, AWS_REGION).`,
    );
  }
  return {
    GATEHOUSE_TABLE: nameIn(records),
    GATEHOUSE_KEY_TABLE: nameIn(keys),
    GATEHOUSE_BUCKET_AUDIT: nameIn(bucket),
  };
}

/** The name at the end of an ARN, of a table or a bucket. */
const nameIn = (arn: string): string => arn.split(/[:/]/).at(-1) ?? '';

/**
 * The environment that a command works in, by its id or its client's.
 * @throws CommandError when none is named or there is no such
 */
export async function environmentNamed(given: string | undefined): Promise<string> {
  if (given === undefined)
    throw new CommandError('Name the environment: --environment ID (npm run environments -- list).');
  const id = environmentIdOf(ulidOf(given));
  const environment = isId('environment', id) ? await environments.get(id, id) : undefined;
  if (environment === undefined || environment.deletedAt !== undefined) {
    throw new CommandError(`There is no environment ${given}. List them with "npm run environments -- list".`);
  }
  return id;
}

function readRunning(file: string): { environment: Record<string, string>; client_id: string } {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { environment: Record<string, string>; client_id: string };
  } catch {
    throw new CommandError(
      'No local Gatehouse is running on this data folder. Start it with "npm start", or name a deployed stage with ' +
        '"--stage NAME".',
    );
  }
}

/** Runs a command: its mistakes are one line and exit status 1. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    if (!(error instanceof CommandError) && (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') !== true) {
      throw error;
    }
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
