import { globSync, readFileSync } from 'node:fs';

import { expect, test } from '@jest/globals';

import { areas } from '../../functions/registry.ts';

const root = new URL('../../', import.meta.url).pathname;

test('every operation that a file declares is served', () => {
  const served = new Set(areas.flatMap(({ operations }) => operations).map(({ id }) => id));
  const declared = globSync('functions/**/{operations,*-operations}.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(root + file, 'utf8').matchAll(/\boperation\(\{\s*id: '([^']+)'/g)].map(([, id = '']) => ({
      file,
      id,
    })),
  );
  expect(declared.length).toBeGreaterThan(200);
  const missing = declared
    .filter(({ id }) => !served.has(id))
    .map(({ file, id }) => `${id} is not served: add it to the list of operations at the end of ${file}`);
  expect(missing).toEqual([]);
});
