import { cpSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import type { Resource, Stack, Template } from './assembly.ts';

/** The header by which the changed bundles identify themselves in their responses. */
export const RELEASE_HEADER = 'x-trial-release';

const CHANGED = `import { handler as former } from './release.mjs';

export const handler = async (...given) => {
  const response = await former(...given);
  if (typeof response?.statusCode === 'number') response.headers = { ...response.headers, '${RELEASE_HEADER}': '2' };
  return response;
};
`;

/**
 * The next release of a stack: every function of this project has a changed bundle, which adds a header to its responses.
 * As with the CDK, the bundle's key in the bucket of assets and the logical id of the version change with it.
 */
export function nextRelease({ name, template, assets }: Stack, folder: string): Stack {
  const renamed = new Map<string, string>();
  const moved = Object.entries(assets).map(([key, source]) => {
    // The CDK's own functions are CommonJS.
    if (!existsSync(join(source, 'index.mjs'))) return [key, source] as const;
    renamed.set(key, `next-${key}`);
    return [`next-${key}`, changed(source, folder)] as const;
  });
  for (const [id, resource] of Object.entries(template.Resources)) {
    if (resource.Type === 'AWS::Lambda::Version' && isChanged(template, resource, renamed))
      renamed.set(id, `${id}Next`);
  }
  let text = JSON.stringify(template);
  for (const [from, to] of renamed) text = text.replaceAll(`"${from}"`, `"${to}"`);
  return { name, template: JSON.parse(text) as Template, assets: Object.fromEntries(moved) };
}

function isChanged({ Resources }: Template, version: Resource, renamed: ReadonlyMap<string, string>): boolean {
  const { Ref: id } = version.Properties?.FunctionName as { Ref: string };
  const { S3Key } = Resources[id]?.Properties?.Code as { S3Key: string };
  return renamed.has(S3Key);
}

function changed(source: string, folder: string): string {
  const target = join(folder, `next-${basename(source)}`);
  mkdirSync(folder, { recursive: true });
  cpSync(source, target, { recursive: true });
  renameSync(join(target, 'index.mjs'), join(target, 'release.mjs'));
  writeFileSync(join(target, 'index.mjs'), CHANGED);
  return target;
}
