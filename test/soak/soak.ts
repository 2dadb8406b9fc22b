/**
 * `npm run soak [-- NAME …]`: runs scenarios that take too long for a test, one after the other, or only those that are
 * named. It ends with status 1 when one of them violates its guarantees. No request leaves this machine.
 */
import { exitWithUsage, printHelp } from '../../bin/usage.ts';
import { auditLogs } from './audit-logs.ts';
import { authorization } from './authorization.ts';
import { consoleReads } from './console.ts';
import { lastWords } from './local-process.ts';
import { consoleLog } from './scenarios/console-log.ts';
import { crash } from './scenarios/crash.ts';
import { creations } from './scenarios/creations.ts';
import { directorySync } from './scenarios/directory-sync.ts';
import { faults } from './scenarios/faults.ts';
import { groups } from './scenarios/groups.ts';
import { hot } from './scenarios/hot.ts';
import { load } from './scenarios/load.ts';
import { longTests } from './scenarios/long-tests.ts';
import { openfga } from './scenarios/openfga.ts';
import { organizations } from './scenarios/organizations-250.ts';
import { poller } from './scenarios/poller.ts';
import { tableCrash } from './scenarios/table-crash.ts';
import { trust } from './scenarios/trust.ts';
import { webhooks } from './scenarios/webhooks.ts';
import { users } from './users.ts';

const scenarios = [
  organizations,
  webhooks,
  poller,
  faults,
  crash,
  tableCrash,
  consoleLog,
  load,
  creations,
  auditLogs,
  users,
  consoleReads,
  authorization,
  openfga,
  groups,
  directorySync,
  hot,
  longTests,
  trust,
];

const USAGE = `usage: npm run soak [-- NAME …]
Runs the named scenarios, or all: ${scenarios.map(({ name }) => name).join(', ')}. Each takes minutes.
Exit status 1 if a scenario violates a guarantee.`;
printHelp(USAGE);
const names = process.argv.slice(2);
const unknown = names.filter((name) => !scenarios.some((scenario) => scenario.name === name));
if (unknown.length > 0) {
  exitWithUsage(`There is no scenario ${unknown.join(', ')}`, USAGE);
}

for (const { name, run } of scenarios.filter((scenario) => names.length === 0 || names.includes(scenario.name))) {
  const startedAt = performance.now();
  console.log(`\n${name}`);
  let verdict = 'ok';
  try {
    await run();
  } catch (error) {
    verdict = 'FAILED';
    process.exitCode = 1;
    console.log(`  ${error instanceof Error ? error.stack : String(error)}`);
    console.log(`  The service's last output:\n${lastWords()}`);
  }
  console.log(`${verdict} ${name} (${((performance.now() - startedAt) / 1_000).toFixed(0)} s)`);
}
// Work that a failed scenario left behind does not keep the process alive.
process.exit();
