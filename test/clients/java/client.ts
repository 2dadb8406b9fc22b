import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { cached, cacheFolder, install, run, Skipped } from '../cache.ts';
import type { Client } from '../client.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const pom = join(folder, 'pom.xml');
const OLDEST_JAVA = 17;
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';

async function checkJava(): Promise<void> {
  const { output } = await run('javac', ['-version']);
  const version = Number(/javac (\d+)/.exec(output)?.[1]);
  if (!(version >= OLDEST_JAVA)) throw new Skipped(`javac is version ${version}, the client needs ${OLDEST_JAVA}`);
}

/**
 * Downloads the client with its libraries, once for each content of its `pom.xml`.
 * @returns the folder of the libraries
 * @throws {Skipped} if the compiler is missing or too old, or the libraries cannot be downloaded
 */
export async function downloadLibraries(): Promise<string> {
  await checkJava();
  return cached('java', [pom], async (target) => {
    const local = `-Dmaven.repo.local=${join(cacheFolder, 'maven')}`;
    await install('mvn', ['--batch-mode', '--quiet', local, '-f', pom, COPY, `-DoutputDirectory=${target}`]);
  });
}

/** The client of Kotlin and Java, Maven `com.workos:workos`, with flows in Java. */
export const java: Client = {
  name: 'java',
  title: 'Kotlin and Java, com.workos:workos 7.2.0',
  prepare: async () => {
    const libraries = await downloadLibraries();
    const sources = readdirSync(folder).flatMap((name) => (name.endsWith('.java') ? [join(folder, name)] : []));
    const classes = await cached('java-classes', [pom, ...sources], async (target) => {
      const { code, output } = await run('javac', ['-cp', join(libraries, '*'), '-d', target, ...sources]);
      if (code !== 0) throw new Error(output);
    });
    return { command: 'java', args: ['-cp', `${classes}:${join(libraries, '*')}`, 'Flows'] };
  },
};
