import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { root } from '../clients/cache.ts';

/** A resource of a template. */
export interface Resource {
  Type: string;
  Properties?: Record<string, unknown>;
  DependsOn?: string | string[];
}

/** A synthesised template. */
export interface Template {
  Resources: Record<string, Resource>;
  Outputs?: Record<string, unknown>;
}

/** A stack of the assembly, in the order in which the assembly's dependencies allow it to be deployed. */
export interface Stack {
  name: string;
  template: Template;
  /** Folders or files that are uploaded, by their keys in the bucket of assets. */
  assets: Record<string, string>;
}

const SYNTH_LIMIT_MS = 240_000;

/** Synthesises a preview stage whose functions may call loopback, as `npx cdk synth` does. @returns its stacks in order */
export async function synthesise(stage: string, folder: string): Promise<Stack[]> {
  const cdk = ['node_modules/aws-cdk/bin/cdk', 'synth', '--quiet', '--output', folder];
  const settings = ['-c', `stage=${stage}`, '-c', 'egressAllow=127.0.0.0/8'];
  await promisify(execFile)(process.execPath, [...cdk, ...settings], { cwd: root, timeout: SYNTH_LIMIT_MS });
  return stacksIn(folder);
}

interface Artifact {
  type: string;
  dependencies?: string[];
  properties?: { stackName?: string; templateFile?: string; file?: string };
}

const read = (...path: string[]): unknown => JSON.parse(readFileSync(join(...path), 'utf8'));

function stacksIn(folder: string): Stack[] {
  const { artifacts } = read(folder, 'manifest.json') as { artifacts: Record<string, Artifact> };
  const found = new Map<string, Stack>();
  const visit = (id: string): void => {
    const artifact = artifacts[id];
    if (artifact === undefined || found.has(id)) return;
    for (const before of artifact.dependencies ?? []) visit(before);
    const { stackName = id, templateFile } = artifact.properties ?? {};
    if (artifact.type !== 'aws:cloudformation:stack' || templateFile === undefined) return;
    const assets = (artifact.dependencies ?? []).map((one) => artifacts[one]?.properties?.file);
    found.set(id, {
      name: stackName,
      template: read(folder, templateFile) as Template,
      assets: Object.assign({}, ...assets.map((file) => (file === undefined ? {} : assetsIn(folder, file)))) as Record<
        string,
        string
      >,
    });
  };
  for (const id of Object.keys(artifacts)) visit(id);
  return [...found.values()];
}

function assetsIn(folder: string, file: string): Record<string, string> {
  const { files } = read(folder, file) as {
    files: Record<
      string,
      { source: { path: string; packaging: string }; destinations: Record<string, { objectKey: string }> }
    >;
  };
  const zipped = Object.values(files).filter(({ source }) => source.packaging === 'zip');
  return Object.fromEntries(
    zipped.map(({ source, destinations }) => [
      Object.values(destinations)[0]?.objectKey ?? '',
      join(folder, source.path),
    ]),
  );
}
