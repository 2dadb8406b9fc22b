/**
 * `npm run counterparts [-- NAME …]`: tests SAML with public test documents, other implementations of canonical XML and of
 * signatures, and identity providers, and the local table engine with another one. It ends with status 1 when a step fails. A counterpart that is missing is skipped
 * with the reason. `--verbose` prints every step.
 */
import { exitWithUsage, readOptions } from '../../bin/usage.ts';
import { Skipped } from '../clients/cache.ts';
import { canonical } from './canonical/suite.ts';
import { corpora } from './corpora/suite.ts';
import { crewjam } from './crewjam/suite.ts';
import { pysaml2 } from './pysaml2/suite.ts';
import { samlp } from './samlp/suite.ts';
import { simplesamlphp } from './simplesamlphp/suite.ts';
import { tableEngine } from './tables/suite.ts';

const suites = [corpora, canonical, samlp, pysaml2, crewjam, simplesamlphp, tableEngine];

const USAGE = `usage: npm run counterparts [-- NAME …] [--verbose]
Tests SAML and the table engine against other implementations and public test documents: ${suites.map(({ name }) => name).join(', ')}, or only the
named ones. --verbose prints every step. A counterpart that is missing is skipped. Exit status 1 if a step fails.`;
const { values, positionals: names } = readOptions(USAGE, {
  allowPositionals: true,
  options: { verbose: { type: 'boolean', default: false } },
});
const unknown = names.filter((name) => !suites.some((suite) => suite.name === name));
if (unknown.length > 0) {
  exitWithUsage(`There is no counterpart ${unknown.join(', ')}`, USAGE);
}

for (const { title, play } of suites.filter(({ name }) => names.length === 0 || names.includes(name))) {
  const startedAt = performance.now();
  try {
    const steps = await play();
    const failed = steps.filter(({ ok }) => !ok);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const isSound = failed.length === 0 && steps.length > 0;
    console.log(`${isSound ? 'ok' : 'FAILED'} ${title}: ${steps.length} steps, ${failed.length} failed, ${seconds} s`);
    for (const { step, ok, why = '' } of values.verbose ? steps : failed) {
      console.log(`  ${ok ? 'ok' : 'FAILED'} ${step}${why === '' ? '' : `: ${why}`}`);
    }
    if (!isSound) process.exitCode = 1;
  } catch (error) {
    if (error instanceof Skipped) {
      console.log(`SKIPPED ${title}: ${error.message}`);
    } else {
      console.log(`FAILED ${title}: ${error instanceof Error ? error.stack : String(error)}`);
      process.exitCode = 1;
    }
  }
}
