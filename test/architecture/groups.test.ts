import { existsSync, globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from '@jest/globals';

import { findModule } from '../../lib/topology/places.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const MOST_GROUPS = 10;

const groups = globSync('functions/*/', { cwd: root })
  .map((folder) => posix.basename(folder))
  .filter((name) => name !== 'kernel');

/** The areas and modules of a group that an area or a module of it imports, as the arrows of a picture. */
function findArrows(group: string): string[] {
  const arrows = globSync(`functions/${group}/**/*.ts`, { cwd: root }).flatMap((file) =>
    [...readFileSync(`${root}/${file}`, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)'/g)]
      .map(([, target = '']) => posix.join(posix.dirname(file), target))
      .filter((target) => target.startsWith(`functions/${group}/`) && findModule(target) !== findModule(file))
      .map((target) => `${findModule(file)} --> ${findModule(target)}`),
  );
  return [...new Set(arrows)].sort();
}

test('functions/ has at most ten groups', () => {
  expect(groups.length).toBeLessThanOrEqual(MOST_GROUPS);
});

describe.each(groups)('the README of the group %s', (group) => {
  const readme = readFileSync(`${root}/functions/${group}/README.md`, 'utf8');

  test('lists its areas, which have a Lambda, and its modules, which have none', () => {
    const listed = [...readme.matchAll(/^\| \[[\w-]+\]\(([\w/-]+)\/README\.md\) +\| (yes|no)/gm)];
    const folders = globSync(`functions/${group}/{modules/*,*}/`, { cwd: root })
      .map((folder) => posix.relative(`functions/${group}`, folder))
      .filter((folder) => folder !== 'modules');
    expect(listed.map(([, folder]) => folder).sort()).toEqual(folders.sort());
    for (const [, folder = '', hasLambda] of listed) {
      const handler = `${root}/functions/${group}/${folder}/handler.ts`;
      expect([folder, hasLambda]).toEqual([folder, existsSync(handler) ? 'yes' : 'no']);
    }
  });

  test('draws the imports between them', () => {
    const drawn = [...readme.matchAll(/^ +([\w-]+ --> [\w-]+)$/gm)].map(([, arrow]) => arrow);
    expect(drawn.sort()).toEqual(findArrows(group));
  });
});
