import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll } from '@jest/globals';

/** A violation that the check `words` reports. */
export interface Finding {
  /** As in `words(plain)`. */
  code: string;
  message: string;
}

interface Report {
  diagnostics: { code: string; message: string; filename: string }[];
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Lets a test file plant files that the check `words` reads. All of them are checked by one run of oxlint before the tests.
 * @returns a function that plants a file in a folder of its own below its path, and returns a function that returns its violations
 */
export function planting(): (path: string, text: string) => () => readonly Finding[] {
  const files: { path: string; text: string }[] = [];
  let found: ReadonlyMap<string, Finding[]>;
  let folder: string | undefined;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-words-'));
    for (const file of ['words.config.mjs', 'words.plain.mjs', 'words.names.mjs']) {
      cpSync(join(root, file), join(folder, file));
    }
    for (const { path, text } of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const oxlint = join(root, 'node_modules/oxlint/bin/oxlint');
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [oxlint, '-c', 'words.config.mjs', '--format', 'json', '.'],
      {
        cwd: folder,
        encoding: 'utf8',
        maxBuffer: 1e8,
      },
    );
    if (!stdout.startsWith('{')) throw new Error(`${stdout}${stderr}`);
    found = Map.groupBy((JSON.parse(stdout) as Report).diagnostics, ({ filename }) => filename);
  });
  afterAll(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });
  return (path, text) => {
    const own = `${dirname(path)}/planted-${files.length}/${path.split('/').at(-1)}`;
    files.push({ path: own, text });
    return () => found.get(own) ?? [];
  };
}
