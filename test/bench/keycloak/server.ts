import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { copyFile, cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { cached, cacheFolder, install, run, Skipped } from '../../clients/cache.ts';
import { connect } from '../../support/connection.ts';
import { findFreePort } from '../../support/free-port.ts';

const pom = fileURLToPath(new URL('pom.xml', import.meta.url));
const UNPACK = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack-dependencies';
const OLDEST_JAVA = 17;
const START_MS = 180_000;

/** The administrator that the first start makes. */
export const ADMIN = { username: 'admin', password: 'admin of the bench' };

/** A running Keycloak. */
export interface Keycloak {
  url: string;
  /** The process of the server. */
  pid: number;
  stop: () => Promise<void>;
}

/** Downloads Keycloak once, built for its own database in a file. @throws {Skipped} if that is not possible on this machine */
async function download(): Promise<string> {
  const { output } = await run('java', ['-version']);
  const version = Number(/version "(\d+)/.exec(output)?.[1]);
  if (!(version >= OLDEST_JAVA)) throw new Skipped(`java is version ${version}, Keycloak needs ${OLDEST_JAVA}`);
  const folder = await cached('keycloak', [pom], async (target) => {
    const local = `-Dmaven.repo.local=${join(cacheFolder, 'maven')}`;
    // Maven writes a folder with marks next to the project's file.
    const project = join(target, 'pom.xml');
    await copyFile(pom, project);
    await install('mvn', ['--batch-mode', '--quiet', local, '-f', project, UNPACK, `-DoutputDirectory=${target}`]);
    await install('sh', [join(target, 'keycloak-26.7.3', 'bin', 'kc.sh'), 'build', '--db=dev-file']);
  });
  return join(folder, 'keycloak-26.7.3');
}

/** Starts Keycloak with an empty database on disk. @param folder the place of its files @throws {Skipped} */
export async function startKeycloak(folder: string): Promise<Keycloak> {
  await cp(await download(), folder, { recursive: true, filter: (source) => !source.endsWith('/data') });
  const port = await findFreePort();
  const options = ['--optimized', '--http-enabled=true', '--hostname-strict=false', '--http-host=127.0.0.1'];
  const shell = spawn('sh', [join(folder, 'bin', 'kc.sh'), 'start', ...options, `--http-port=${port}`], {
    env: { ...process.env, KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN.username, KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => shell.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    shell.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  const connection = connect(url, '');
  try {
    const deadline = performance.now() + START_MS;
    const isReady = async (): Promise<boolean> =>
      connection.send({ method: 'GET', path: '/realms/master' }).then(
        ({ status }) => status === 200,
        () => false,
      );
    while (!(await isReady())) {
      if (shell.exitCode !== null || performance.now() > deadline) throw new Error('Keycloak did not start');
      await delay(250);
    }
  } catch (error) {
    await stop();
    throw error;
  } finally {
    connection.close();
  }
  // The shell starts the server as its only child.
  const pid = Number(readFileSync(`/proc/${shell.pid}/task/${shell.pid}/children`, 'utf8').trim());
  return { url, pid, stop };
}
