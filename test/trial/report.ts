import { NOT_ON_A_STAGE } from './contract.ts';
import type { Deployed } from './deploy.ts';
import type { Front } from './front.ts';
import { knownOperations } from './known.ts';
import type { Steps } from './steps.ts';

/** Parts that a run with this emulator cannot test. */
const NOT_MEASURED = [
  'KMS: that an encryption context must fit, grants and key policies (the emulator compares none)',
  'IAM: what a role may do (every call is allowed; `test/stack/policy.ts` simulates the policies)',
  'throttles: of API Gateway, of Lambda (reserved executions), of DynamoDB and of KMS',
  'canaries and their way back (no CodeDeploy), and alarms on metric math',
  'what a cold start costs on arm64, and limits of memory and time',
  'SES and SNS: that mail leaves, and that SES reports it over the rule of the default bus; CloudFront, WAF, certificates and DNS',
];

/** The result of a deployment. */
export interface Deployment extends Deployed {
  stack: string;
  seconds: number;
}

/** Prints which steps ran, which failed and which were not run. */
export function report(deployments: readonly Deployment[], steps: Steps, front: Front | undefined): void {
  console.log('\nDeployed through CloudFormation:');
  for (const { stack, seconds, made, leftOut } of deployments) {
    const count = Object.values(made).reduce((sum, one) => sum + one, 0);
    console.log(`  ${stack}: ${count} resources in ${seconds.toFixed(1)} s, ${leftOut.length} left out`);
  }
  const custom = deployments.flatMap(({ made }) =>
    Object.entries(made).filter(([type]) => type.startsWith('Custom::')),
  );
  console.log(`  Custom resources that ran: ${custom.map(([type, count]) => `${count} × ${type}`).join(', ')}`);
  const leftOut = deployments.flatMap((deployment) => deployment.leftOut);
  console.log(`\nLeft out of the templates: ${leftOut.length}`);
  for (const { stack, id, type, why } of leftOut) console.log(`  ${stack} ${id} (${type}): ${why}`);
  const byEmulator = steps.all.filter(({ verdict }) => verdict === 'emulator');
  console.log(`\nFailed in the emulator, not in us: ${byEmulator.length}`);
  for (const { name, why = '' } of byEmulator) console.log(`  ${name}: ${why}`);
  console.log('\nNot shown by this emulator:');
  for (const line of NOT_MEASURED) console.log(`  ${line}`);
  console.log('\nContract tests that are not played on a stage:');
  for (const line of NOT_ON_A_STAGE) console.log(`  ${line}`);
  for (const [operation, why] of Object.entries(knownOperations)) console.log(`  ${operation}: ${why}`);
  for (const { name, why = '' } of steps.all.filter(
    ({ verdict, why: given }) => verdict === 'ok' && given !== undefined,
  )) {
    console.log(`\nKNOWN FAILURE PASSES ${name}: ${why}`);
  }
  for (const { name, why = '' } of steps.all.filter(({ verdict }) => verdict === 'failed')) {
    console.log(`\nFAILED ${name}\n  ${why}`);
  }
  const calls = [...(front?.calls ?? [])].sort(([one], [other]) => one - other);
  const total = calls.reduce((sum, [, count]) => sum + count, 0);
  console.log(
    `\n${total} calls responded by the deployed API: ${calls.map(([status, n]) => `${n} × ${status}`).join(', ')}`,
  );
  // Each 500 is also an error in the log. `knownErrors` has those that the emulator causes.
  for (const fault of front?.faults ?? []) console.log(`  ${fault}`);
  console.log(
    `${steps.all.length} steps: ${steps.count('ok')} passed, ${steps.count('failed')} failed, ` +
      `${steps.count('emulator')} failed in the emulator`,
  );
}
