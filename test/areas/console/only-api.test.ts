import { readFileSync } from 'node:fs';

import { expect, test } from '@jest/globals';

import { OPERATIONS } from '../../../functions/faces/console/operation-table.ts';
import { consolePages } from '../../support/console-matrix.ts';

/** The permissions of operations on configuration. */
const CONFIGURATION: readonly string[] = ['config.change', 'secrets.write', 'secrets.reveal', 'destroy', 'operators'];

test('every operation on configuration has a form in the console, or its README says why it has none', () => {
  const formed = new Set(consolePages.flatMap(({ acts }) => acts.map(({ operation }) => operation)));
  const without = Object.entries(OPERATIONS)
    .filter(([id, [method, , permission]]) => method !== 'GET' && CONFIGURATION.includes(permission) && !formed.has(id))
    .map(([, [method, path]]) => `${method} ${path}`);
  const readme = readFileSync(new URL('../../../functions/faces/console/README.md', import.meta.url), 'utf8');
  const [, section = ''] = readme.split('## Only by the API');
  const named = [...section.matchAll(/^\| `([A-Z]+ [^`]+)` +\| +[a-z]/gm)].map(([, name = '']) => name);
  expect(without.toSorted()).toEqual(named.toSorted());
  expect(formed.size).toBeGreaterThan(100);
});
