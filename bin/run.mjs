#!/usr/bin/env node
/**
 * Starts a script of this project on Node 24 with the locked dependencies in place: `node bin/run.mjs SCRIPT [ARGS…]`. This
 * file must run on any Node from 20 on, so it is plain JavaScript without dependencies.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [script, ...args] = process.argv.slice(2);
if (script === undefined) fail('usage: node bin/run.mjs SCRIPT [ARGS…]');

installWhatIsMissing();
const node = nodeOf24();
// Jest loads ES modules through this flag; everything else runs without it.
const flags = script.includes('jest') ? ['--experimental-vm-modules'] : [];
const child = spawn(node, ['--disable-warning=ExperimentalWarning', ...flags, script, ...args], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, npm_node_execpath: node, NODE: node },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  // A supervisor signals only this process, so the signal is passed on. A terminal signals the whole group, so the child
  // gets it twice.
  process.on(signal, () => child.kill(signal));
}
child.on('exit', (code, signal) => {
  process.exitCode = signal === null ? code : 128 + (constants.signals[signal] ?? 0);
});

/** Runs `npm ci` unless node_modules was installed from exactly the current lock file, by this script or by `npm ci`. */
function installWhatIsMissing() {
  const text = readFileSync(`${root}/package-lock.json`);
  const lock = createHash('sha256').update(text).digest('hex');
  const stamp = `${root}/node_modules/.gatehouse-lock`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  if (isInstalled(JSON.parse(text).packages)) return writeFileSync(stamp, lock);
  // npm would empty the folder that a link points to, which another worktree may be using.
  if (lstatSync(`${root}/node_modules`, { throwIfNoEntry: false })?.isSymbolicLink()) {
    fail(
      'node_modules is a link, and what it points to was installed from another package-lock.json: remove the link.',
    );
  }
  process.stderr.write('Installing the locked dependencies (once, about half a minute) …\n');
  const npm = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    // Standard output belongs to the script (`npm start -- --json` prints one line there).
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (npm.status !== 0) fail('npm ci did not finish: see its message above.');
  writeFileSync(stamp, lock);
}

/** Reports whether node_modules has exactly the packages of the lock file, by the list that npm writes when it has installed them. */
function isInstalled(locked) {
  const list = `${root}/node_modules/.package-lock.json`;
  if (!existsSync(list)) return false;
  const installed = JSON.parse(readFileSync(list, 'utf8')).packages;
  if (Object.keys(installed).some((path) => !(path in locked))) return false;
  return Object.entries(locked).every(([path, { version, integrity, optional, os, cpu, libc }]) => {
    if (path === '') return true;
    const found = installed[path];
    if (found !== undefined) {
      return found.version === version && found.integrity === integrity && existsSync(`${root}/${path}/package.json`);
    }
    // npm leaves out the optional packages of other platforms. For musl it has others than for the C library of GNU.
    const isOfPlatform =
      os?.includes(process.platform) && (cpu?.includes(process.arch) ?? true) && !libc?.includes('musl');
    return optional === true && !isOfPlatform;
  });
}

/**
 * Returns the Node that runs this file if it is new enough (argon2 came with 24.7), otherwise the one that npm installed
 * for this platform.
 */
function nodeOf24() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 24 || (major === 24 && minor >= 7)) return process.execPath;
  const bundled = `${root}/node_modules/node-${process.platform}-${process.arch}/bin/node`;
  if (existsSync(bundled)) return bundled;
  return fail(
    `Gatehouse runs on Node 24.7 or newer; this is ${process.version}, and npm has none for ` +
      `${process.platform}-${process.arch}. Install Node 24 (https://nodejs.org) and run the command again.`,
  );
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
