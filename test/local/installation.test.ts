import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeEach, expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));
const project = mkdtempSync(join(tmpdir(), 'gatehouse-installation-'));
afterAll(() => rmSync(project, { recursive: true, force: true }));

const ONE = { version: '1.0.0', integrity: 'sha512-one' };
const HERE = { os: [process.platform], cpu: [process.arch], optional: true };
const MUSL = { ...ONE, ...HERE, libc: ['musl'] };
const ELSEWHERE = { ...ONE, optional: true, os: ['none'] };
const NATIVE = { ...ONE, ...HERE };
const LOCKED = { one: ONE, native: NATIVE, musl: MUSL, elsewhere: ELSEWHERE };
const INSTALLED = { one: ONE, native: NATIVE };

const path = (name: string): string => `node_modules/${name}`;
const list = (packages: object): string =>
  JSON.stringify({
    packages: Object.fromEntries(Object.entries(packages).map(([name, each]) => [name && path(name), each])),
  });

beforeEach(() => {
  rmSync(project, { recursive: true });
  mkdirSync(join(project, 'bin'), { recursive: true });
  cpSync(join(root, 'bin/run.mjs'), join(project, 'bin/run.mjs'));
  writeFileSync(join(project, 'script.mjs'), "console.log('it runs');");
  // This npm installs nothing and fails, so that a script runs only if nothing needed to be installed.
  writeFileSync(join(project, 'bin/npm'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  writeFileSync(join(project, 'package-lock.json'), list({ '': {}, ...LOCKED }));
});

/** Writes what npm writes when it has installed packages. */
function install(packages: object): void {
  for (const name of Object.keys(packages)) {
    mkdirSync(join(project, path(name)), { recursive: true });
    writeFileSync(join(project, path(name), 'package.json'), '{}');
  }
  writeFileSync(join(project, 'node_modules/.package-lock.json'), list(packages));
}

/** Runs a script, and returns whether it ran without an installation. */
function isRun(): boolean {
  const { stdout } = spawnSync(process.execPath, ['bin/run.mjs', 'script.mjs'], {
    cwd: project,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${join(project, 'bin')}:${process.env.PATH}` },
  });
  return stdout === 'it runs\n';
}

test('a command installs nothing again after a plain npm ci, whose packages are those of the lock file', () => {
  install(INSTALLED);
  expect(isRun()).toBe(true);
  expect(existsSync(join(project, 'node_modules/.gatehouse-lock'))).toBe(true);
});

test.each([
  ['has another version', { ...INSTALLED, one: { ...ONE, version: '1.0.1' } }],
  ['has other contents', { ...INSTALLED, one: { ...ONE, integrity: 'sha512-other' } }],
  ['is missing', { native: NATIVE }],
  ['is optional, for this platform, and missing', { one: ONE }],
  ['is not in the lock file', { ...INSTALLED, two: ONE }],
])('a command installs the locked packages if a package %s', (_, packages) => {
  install(packages);
  expect(isRun()).toBe(false);
});

test('a command installs the locked packages if the folder of one was removed', () => {
  install(INSTALLED);
  rmSync(join(project, path('one')), { recursive: true });
  expect(isRun()).toBe(false);
});

test('a command installs the locked packages if nothing is installed', () => {
  expect(isRun()).toBe(false);
});
