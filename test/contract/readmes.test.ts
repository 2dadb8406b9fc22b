import { globSync, readFileSync } from 'node:fs';

import { expect, test } from '@jest/globals';

import { areas } from '../../functions/registry.ts';

const root = new URL('../../', import.meta.url).pathname;

/** The text of all READMEs, since an area may serve modules, each with its own. */
const readmes = globSync('functions/**/README.md', { cwd: root })
  .map((file) => readFileSync(root + file, 'utf8'))
  .join('\n');

const beyond = areas.flatMap(({ name, operations }) =>
  operations.flatMap(({ id, method, path, beyondContract }) =>
    path.startsWith('/x/') || beyondContract === true ? [{ area: name, id, method, path }] : [],
  ),
);

test('the README of an area names each operation that is not part of the original API', () => {
  expect(beyond.length).toBeGreaterThan(50);
  const unnamed = beyond
    .filter(({ path }) => !readmes.includes(path))
    .map(({ area, id, method, path }) => `functions/${area}/README.md does not name ${method} ${path} (${id})`);
  expect(unnamed).toEqual([]);
});
