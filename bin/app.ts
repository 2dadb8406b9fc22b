/** The CDK app: bundles the functions and describes one stage. `npx cdk deploy -c stage=dev --all` runs it. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
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
  bundledCode: (name) => Code.fromAsset(bundleFolder(bundles, name)),
  env: { ...(account === undefined ? {} : { account }), ...(region === undefined ? {} : { region }) },
});
app.synth();
// Deployed code is minified: its source maps are stored next to the templates, so that stack traces in logs can be
// resolved.
const maps = join(app.outdir, 'source-maps');
mkdirSync(maps, { recursive: true });
for (const file of readdirSync(bundles)) if (file.endsWith('.map')) copyFileSync(join(bundles, file), join(maps, file));
rmSync(bundles, { recursive: true });
