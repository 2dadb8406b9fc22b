import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-lint-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file for each lint rule, which violates the rule once. */
const VIOLATIONS: Record<string, string> = {
  'typescript(no-floating-promises)':
    'export const start = async () => 1;\nexport const forget = () => { start(); };\n',
  'typescript(no-misused-promises)': 'export const odd = (numbers: number[]) => numbers.filter(async (n) => n % 2);\n',
  'typescript(await-thenable)': 'export const wait = async () => await 1;\n',
  'typescript(no-unsafe-assignment)':
    "export const parse = () => { const value: string = JSON.parse('1'); return value; };\n",
  'typescript(no-explicit-any)': 'export const anything = (value: any): void => void value;\n',
  'typescript(no-non-null-assertion)': 'export const first = (names: string[]) => names.at(0)!.length;\n',
  'eslint(no-unused-vars)': 'const unused = 1;\nexport const used = 2;\n',
  'eslint(eqeqeq)': 'export const same = (a: number, b: number) => a == b;\n',
  'eslint(no-console)': "export const talk = () => console.log('a');\n",
  'eslint(max-lines)': `export const rows = [\n${'  1,\n'.repeat(400)}];\n`,
};

test('the lint configuration reports each kind of planted violation, including those that need types', () => {
  for (const file of ['.oxlintrc.json', 'tsconfig.json']) cpSync(join(root, file), join(folder, file));
  const files = Object.values(VIOLATIONS).map((text, at) => {
    writeFileSync(join(folder, `planted-${at}.ts`), text);
    return `planted-${at}.ts`;
  });
  const oxlint = join(root, 'node_modules/oxlint/bin/oxlint');
  const { stdout } = spawnSync(process.execPath, [oxlint, '--format', 'json', ...files], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
    // npm adds this folder, in which oxlint finds its checker of types; Jest is also started without npm.
    env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` },
  });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
  const found = diagnostics.map(({ code, filename }) => `${filename.replace(/^.*planted/, 'planted')} ${code}`);
  expect(found.sort()).toEqual(
    Object.keys(VIOLATIONS)
      .map((code, at) => `planted-${at}.ts ${code}`)
      .sort(),
  );
});
