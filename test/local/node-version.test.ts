import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a command on a Node of another version, on a platform for which npm has no Node. */
function runOn(version: string) {
  const disguise =
    `Object.defineProperty(process.versions, 'node', { value: '${version}' });` +
    "Object.defineProperty(process, 'platform', { value: 'none' });";
  const args = ['--import', `data:text/javascript,${encodeURIComponent(disguise)}`, 'bin/run.mjs', '-p', '"it runs"'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  return { status, stdout: stdout.trim(), stderr };
}

// crypto.argon2 came with Node 24.7, and without it no password can be set.
test.each(['24.7.0', '24.21.0', '26.0.0'])('a command runs on Node %s', (version) => {
  expect(runOn(version)).toMatchObject({ status: 0, stdout: 'it runs' });
});

test.each(['20.19.0', '24.0.0', '24.6.9'])(
  'a command does not run on Node %s, and reports which version it needs',
  (version) => {
    const { status, stderr } = runOn(version);
    expect(status).toBe(1);
    expect(stderr).toContain('Gatehouse runs on Node 24.7 or newer');
  },
);
