/**
 * Prints how much of each hard limit of AWS a protected stage behind CloudFront uses, today and with all future areas: `node
 * bin/run.mjs bin/limits.ts`. It is a part of `npm run check` and fails above the share that may be used, after a warning. It also names the
 * stages of cdk.json that send no mail.
 */
import { readFileSync } from 'node:fs';

import { computeUsage, checkUsage, synthesizeTemplates, type Usage } from '../lib/stack/limits.ts';
import { AREAS, projected } from '../lib/stack/projection.ts';
import { hasSender, stageSettings } from '../lib/stack/settings.ts';
import { topology } from '../lib/topology/index.ts';

const { context } = JSON.parse(readFileSync(new URL('../cdk.json', import.meta.url), 'utf8')) as {
  context: { stages?: Record<string, object> } & Record<string, unknown>;
};
const certificate = (region: string) => `arn:aws:acm:${region}:111111111111:certificate/1`;
/** The stage with the highest use. */
const stage = {
  ...context,
  stage: 'limits',
  protect: true,
  alarmEmail: 'ops@example.com',
  mailFrom: 'Gatehouse <no-reply@example.com>',
  cloudfront: true,
  domain: 'api.example.com',
  originDomain: 'origin.api.example.com',
  certificateArn: certificate('eu-west-1'),
  edgeCertificateArn: certificate('us-east-1'),
  consoleCertificateArn: certificate('eu-west-1'),
};

const today = computeUsage(synthesizeTemplates(topology, stage));
const later = computeUsage(synthesizeTemplates(projected(topology), stage));
const computeShare = ({ used, most }: Usage): number => used / most;
const formatUsage = (usage: Usage): string =>
  `${String(usage.used).padStart(7)} ${`${Math.round(100 * computeShare(usage))} %`.padStart(5)}`;

console.log(
  `${'limit'.padEnd(30)}${'most'.padStart(9)} ${'today'.padStart(13)} ${`${AREAS} areas`.padStart(14)}  where`,
);
for (const [at, usage] of today.entries()) {
  const then = later[at] ?? usage;
  const checked = [checkUsage(usage), checkUsage(then)];
  const note = checked.includes('over') ? '  OVER' : checked.includes('near') ? '  WARNING' : '';
  if (checked.includes('over')) process.exitCode = 1;
  const { limit, most } = usage;
  console.log(
    `${limit.padEnd(30)}${String(most).padStart(9)} ${formatUsage(usage)}  ${formatUsage(then)}  ${then.where}${note}`,
  );
}

const readSettings = (name: string) => stageSettings({ tryGetContext: (key) => ({ ...context, stage: name })[key] });
const silent = Object.keys(context.stages ?? {}).filter((name) => !hasSender(readSettings(name)));
if (silent.length > 0) {
  console.log(`WARNING no mail leaves ${silent.join(', ')}: cdk.json has no "mailFrom" for them, or null`);
}
