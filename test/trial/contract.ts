import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { shellOf } from './aws.ts';
import { root, run } from '../clients/cache.ts';
import { deployable } from '../contract/titles.ts';
import { knownOperations } from './known.ts';
import type { DeployedStage } from './stage.ts';
import type { Steps } from './steps.ts';

/** A title as a pattern, in which the variable part matches anything. */
const makePattern = (title: string): string => title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace('%s', '.*');

/** Contract tests that are left out, with the reason that the report gives. */
export const NOT_ON_A_STAGE: readonly string[] = [
  'that a rejected call writes nothing: the writes of another process are not seen; `npm test` sees them',
  'bad bodies and bad queries by each member: some 20,000 calls that meet the same code as in `npm test`',
];

const isKnown = (fullName: string): boolean =>
  Object.keys(knownOperations).some((operation) => fullName.startsWith(operation));

interface Result {
  assertionResults: { fullName: string; title: string; status: string; failureMessages: string[] }[];
}

/** Runs the contract tests of the registry against the stage; rows that their samples need are written to its table. */
export const contract = (steps: Steps, stage: DeployedStage, folder: string) =>
  steps.flow('contract tests', async (step) => {
    const results = await step('run', () => playRegistry(stage, folder));
    for (const [part, title] of Object.entries(deployable)) {
      const pattern = new RegExp(`^${makePattern(title)}$`);
      const ofPart = results.filter((one) => pattern.test(one.title) && one.status !== 'pending');
      await step(`${part}, of ${ofPart.length} tests`, () => {
        const failed = ofPart.filter(({ status, fullName }) => status !== 'passed' && !isKnown(fullName));
        const first = failed[0]?.failureMessages[0]?.split('\n').slice(0, 12).join(' ') ?? '';
        const names = failed.map(({ fullName }) => fullName).slice(0, 8);
        if (failed.length > 0) throw new Error(`${failed.length} failed: ${names.join('; ')}: ${first}`);
        if (ofPart.length === 0) throw new Error('no test has this title');
      }).catch(() => undefined);
    }
  });

async function playRegistry(stage: DeployedStage, folder: string): Promise<Result['assertionResults']> {
  const resultFile = join(folder, 'contract.json');
  const target = { url: stage.connection.url, variables: await readVariables(stage) };
  const titles = Object.values(deployable).map(makePattern).join('|');
  const jest = ['node_modules/jest/bin/jest.js', '-c', 'test/jest.config.mjs', '--runInBand', '--silent'];
  const chosen = [
    'test/contract/(registry|hostile-input)',
    '-t',
    `(${titles})$`,
    '--json',
    `--outputFile=${resultFile}`,
  ];
  const { output } = await run(
    process.execPath,
    ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', ...jest, ...chosen],
    { cwd: root, env: { GATEHOUSE_CONTRACT_TARGET: JSON.stringify(target) } },
  );
  try {
    const { testResults } = JSON.parse(readFileSync(resultFile, 'utf8')) as { testResults: Result[] };
    const results = testResults.flatMap(({ assertionResults }) => assertionResults);
    if (results.length > 0) return results;
  } catch {
    // Jest's output has more information than the missing file.
  }
  throw new Error(`Jest has no results: ${output.slice(-800)}`);
}

/** The environment variables of all functions of the stage, with the URL of the emulator. */
async function readVariables({ aws, stage }: DeployedStage): Promise<Record<string, string>> {
  const { Functions } = await aws.rest<{
    Functions: { FunctionName: string; Environment?: { Variables?: Record<string, string> } }[];
  }>('lambda', 'GET', '/2015-03-31/functions/?MaxItems=1000');
  const own = Functions.filter(({ FunctionName }) => FunctionName.startsWith(`gatehouse-${stage}-`));
  const all = own.map(({ Environment }) => Environment?.Variables ?? {});
  return { ...Object.assign({}, ...all), ...shellOf(aws.endpoint), GATEHOUSE_LOG_LEVEL: 'silent' } as Record<
    string,
    string
  >;
}
