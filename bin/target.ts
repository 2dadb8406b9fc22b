/** The target of a command: the running local service, or a deployed stage. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { forgetSettings } from '../functions/kernel/settings.ts';
import { environmentIdOf } from '../functions/kernel/authentication/api-key.ts';
import { isId, readUlid } from '../functions/kernel/id-format.ts';
import { environments } from '../functions/kernel/storage/environment.ts';
import { stageParameters } from './stage-parameters.ts';

/** The options that select a command's target. */
export interface TargetOptions {
  /**
   * The name of a deployed stage. Its data are found by the parameters of its data stack, and the rest by name, with the
   * AWS credentials of the shell.
   */
  stage?: string | undefined;
  /** The data folder of a local service. */
  data?: string | undefined;
}

/** The options of `parseArgs` with which every command selects its target. */
export const targetOptions = {
  stage: { type: 'string' },
  data: { type: 'string', default: '.gatehouse' },
} as const;

/** The last sentence of every command's usage. */
export const TARGET_USAGE =
  '--stage NAME means a deployed stage, else the local Gatehouse that runs on .gatehouse, or on --data FOLDER.';

/** A usage error of a command or its target; the message says what to do. */
export class CommandError extends Error {}

/**
 * Points this process at the target, through the same variables that its functions read.
 * @returns the id of the environment that a command uses by default; undefined for a stage
 * @throws CommandError if the target is local and none is running, or if there is no such stage
 */
export async function aimAt({ stage, data = '.gatehouse' }: TargetOptions): Promise<string | undefined> {
  process.env.GATEHOUSE_LOG_LEVEL = 'warn';
  if (stage !== undefined) {
    Object.assign(process.env, {
      GATEHOUSE_STAGE: stage,
      ...(await readDataResources(stage)),
      GATEHOUSE_BUS: `gatehouse-${stage}`,
      GATEHOUSE_KMS_KEY: `alias/gatehouse-${stage}-envelopes`,
    });
    forgetSettings();
    return undefined;
  }
  const running = readRunning(data);
  Object.assign(process.env, running.environment);
  forgetSettings();
  return environmentIdOf(running.client_id.replace(/^client_/, ''));
}

/** The location of a stage's data; a restored table may have replaced its own. */
async function readDataResources(stage: string): Promise<Record<string, string>> {
  const found = await stageParameters(stage, ['records-table', 'keys-table', 'audit-bucket', 'writer-epoch']).catch(
    (error: unknown) => {
      throw new CommandError(
        `Where the data of ${stage} are cannot be read with the credentials and the region of this shell ` +
          `(AWS_PROFILE, AWS_REGION). ${(error as Error).message}`,
      );
    },
  );
  const { 'records-table': records, 'keys-table': keys, 'audit-bucket': bucket } = found;
  if (records === undefined || keys === undefined || bucket === undefined) {
    throw new CommandError(
      `There is no stage ${stage} in the account and region of this shell (AWS_PROFILE, AWS_REGION).`,
    );
  }
  return {
    GATEHOUSE_WRITER_EPOCH: found['writer-epoch'] ?? '0',
    GATEHOUSE_TABLE: nameIn(records),
    GATEHOUSE_KEY_TABLE: nameIn(keys),
    GATEHOUSE_BUCKET_AUDIT: nameIn(bucket),
  };
}

/** The name of a table or a bucket, which is the end of its ARN. */
const nameIn = (arn: string): string => arn.split(/[:/]/).at(-1) ?? '';

/**
 * The environment that a command uses, found by its id or by the id of its client.
 * @throws CommandError if none is named or it does not exist
 */
export async function environmentNamed(given: string | undefined): Promise<string> {
  if (given === undefined)
    throw new CommandError('Name the environment: --environment ID (npm run environments -- list --stage NAME).');
  const id = environmentIdOf(readUlid(given));
  const environment = isId('environment', id) ? await environments.get(id, id) : undefined;
  if (environment === undefined || environment.deletedAt !== undefined || environment.kind === 'operators') {
    throw new CommandError(`There is no environment ${given}. List them with "npm run environments -- list".`);
  }
  return id;
}

/**
 * The URL of the local service that runs on a data folder.
 * @throws CommandError if none runs there
 */
export const readUrl = (folder: string): string => readRunning(folder).url;

function readRunning(folder: string): { url: string; environment: Record<string, string>; client_id: string } {
  try {
    const running = readFileSync(join(folder, 'running.json'), 'utf8');
    return JSON.parse(running) as { url: string; environment: Record<string, string>; client_id: string };
  } catch {
    throw new CommandError(
      `No local Gatehouse runs on the data folder ${folder}. Start one with "npm start" (without --ephemeral, which ` +
        'has no folder), name the folder of one with "--data FOLDER", or a deployed stage with "--stage NAME".',
    );
  }
}

/**
 * Runs a command. Usage errors, and errors of AWS or the system, are printed as a sentence with exit status 1; `--help`
 * prints its usage.
 */
export async function runCommand(usage: string, command: () => Promise<void>): Promise<void> {
  if (process.argv.slice(2).some((one) => one === '--help' || one === '-h')) return console.log(usage);
  try {
    await command();
  } catch (error) {
    console.error(describeError(error, usage));
    process.exitCode = 1;
  }
}

/**
 * Describes an error to the user.
 * @throws the given error if it is a bug of the command itself
 */
function describeError(given: unknown, usage: string): string {
  if (given instanceof CommandError) return given.message;
  // ElectroDB wraps DynamoDB's errors in errors whose codes are its own numbers.
  for (let at = given; at instanceof Error; at = at.cause) {
    const { name, message, code, $metadata } = at as Error & { code?: unknown; $metadata?: unknown };
    const isOfSystem = typeof code === 'string' && /^E[A-Z]+$/.test(code);
    if (typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS')) return `${message}\n\n${usage}`;
    if (code === 'ECONNREFUSED' && process.env.AWS_ENDPOINT_URL_DYNAMODB !== undefined) {
      return `The local Gatehouse does not respond. Start it with "npm start" and run the command again. (${message})`;
    }
    if (isOfSystem || $metadata !== undefined) return isOfSystem ? message : `${name}: ${message}`;
  }
  throw given;
}
