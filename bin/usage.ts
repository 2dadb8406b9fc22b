import { parseArgs, type ParseArgsConfig } from 'node:util';

/** The exit status for a wrong use of a command. */
const USAGE_ERROR = 2;

/** Prints the usage of a command and ends the process, if `--help` or `-h` is among its arguments. */
export function printHelp(usage: string, args: readonly string[] = process.argv.slice(2)): void {
  if (!args.some((one) => one === '--help' || one === '-h')) return;
  console.log(usage);
  process.exit(0);
}

/**
 * Reads the options and names of a command. `--help` prints the usage and ends the process with status 0; an unknown
 * option or a missing value is reported with the usage, and ends it with status 2.
 */
export function readOptions<const Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  printHelp(usage);
  try {
    return parseArgs(config);
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (code?.startsWith('ERR_PARSE_ARGS') !== true) throw error;
    return exitWithUsage(message.split('. ')[0] ?? message, usage);
  }
}

/** Prints a usage error with the usage, and ends the process with status 2. */
export function exitWithUsage(message: string, usage: string): never {
  console.error(`${message.replace(/\.?$/, '.')}\n${usage}`);
  process.exit(USAGE_ERROR);
}
