/** The CDK app: bundles the functions and describes one stage. `npx cdk deploy -c stage=dev --all` runs it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';

import { bundleAll, bundleFolder, deployedFunctions } from '../lib/stack/bundle.ts';
import { stageSettings } from '../lib/stack/settings.ts';
import { addStage } from '../lib/stack/stage.ts';
import { topology } from '../lib/topology/index.ts';

const app = new App();
const bundles = mkdtempSync(join(tmpdir(), 'gatehouse-bundles-'));
await bundleAll(bundles, deployedFunctions);
const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env;
addStage(app, {
  topology,
  settings: stageSettings(app.node),
  codeOf: (name) => Code.fromAsset(bundleFolder(bundles, name)),
  env: { ...(account === undefined ? {} : { account }), ...(region === undefined ? {} : { region }) },
});
app.synth();
rmSync(bundles, { recursive: true });
