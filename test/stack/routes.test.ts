import { describe, expect, test } from '@jest/globals';

import { noPermissions } from '../../lib/topology/access.ts';
import { topology } from '../../lib/topology/index.ts';
import type { FunctionDescription } from '../../lib/topology/model.ts';
import { RouteTable, listRoutes } from '../../lib/topology/routes.ts';

const http = (name: string, paths: readonly string[], respondsToUnknownPaths = false): FunctionDescription => ({
  name,
  area: name,
  entry: { file: '', export: 'http' },
  summary: '',
  source: { kind: 'http', paths, ...(respondsToUnknownPaths ? { respondsToUnknownPaths } : {}) },
  needs: [],
  permissions: noPermissions,
  variables: [],
  timeoutSeconds: 29,
  memoryMb: 1_024,
});

const findPaths = (...functions: FunctionDescription[]) =>
  listRoutes({ functions }).map(({ path, functionName }) => `${path} -> ${functionName}`);

describe('the routes of a topology', () => {
  test('are greedy if one function has all paths below a prefix', () => {
    expect(findPaths(http('a', ['/a', '/a/{id}', '/a/{id}/b']), http('x', ['/x/x/settings']))).toEqual([
      '/a -> a',
      '/a/{proxy+} -> a',
      '/x/{proxy+} -> x',
    ]);
  });

  test('list the paths of other functions one by one, and conflicting paths', () => {
    const paths = ['/a', '/a/{id}', '/a/by_name/{name+}', ...Array.from({ length: 12 }, (_, at) => `/a/{id}/${at}`)];
    expect(findPaths(http('a', paths), http('b', ['/a/{id}/b']))).toEqual([
      '/a -> a',
      '/a/by_name/{p1} -> a',
      '/a/by_name/{proxy+} -> a',
      '/a/{p1} -> a',
      '/a/{p1}/b -> b',
      '/a/{p1}/{proxy+} -> a',
    ]);
  });

  test('give an area the prefix with its name below /x, and others only their own paths there', () => {
    const [a, b] = [http('a-http', ['/x/a/one', '/x/a/two/{id}']), http('b-http', ['/x/a/1', '/x/a/2', '/x/a/3/{id}'])];
    expect(findPaths(a, b)).toEqual([
      '/x/a/1 -> b-http',
      '/x/a/2 -> b-http',
      '/x/a/3/{proxy+} -> b-http',
      '/x/a/{proxy+} -> a-http',
    ]);
  });

  test('are one greedy route of the function that has most paths below another prefix of /x', () => {
    expect(findPaths(http('a', ['/x/p/1', '/x/p/2', '/x/p/3']), http('b', ['/x/p/b']))).toEqual([
      '/x/p/b -> b',
      '/x/p/{proxy+} -> a',
    ]);
  });

  test('do not increase by a new operation below a prefix of its area', () => {
    const today = listRoutes(topology);
    const prefixes = today.flatMap(({ path, functionName }) => {
      const prefix = /^(\/x\/[^/]+)\/\{proxy\+\}$/.exec(path)?.[1];
      return prefix === undefined ? [] : [{ prefix, functionName }];
    });
    // All areas but those whose operations are all of the contract.
    expect(new Set(prefixes.map(({ functionName }) => functionName)).size).toBeGreaterThan(20);
    for (const { prefix, functionName } of prefixes) {
      const paths = [`${prefix}/probes`, `${prefix}/probes/{id}`, `${prefix}/probes/{id}/results/{name+}`];
      const functions = topology.functions.map((fn) =>
        fn.name === functionName && fn.source.kind === 'http'
          ? { ...fn, source: { ...fn.source, paths: [...fn.source.paths, ...paths] } }
          : fn,
      );
      expect([prefix, listRoutes({ functions })]).toEqual([prefix, today]);
    }
  });

  test('route every other path to the function for unknown paths', () => {
    const table = new RouteTable(listRoutes({ functions: [http('a', ['/a']), http('r', ['/docs'], true)] }));
    expect(['/a', '/docs', '/nothing', '/', '/a/'].map((path) => table.find(path)?.functionName)).toEqual([
      'a',
      'r',
      'r',
      'r',
      'r',
    ]);
    expect(() => listRoutes({ functions: [http('a', [], true), http('b', [], true)] })).toThrow(/a and b both/);
  });

  test('prefer an exact match to a greedy one, and the more specific of two', () => {
    const table = new RouteTable([
      { path: '/pets/{proxy+}', functionName: 'greedy' },
      { path: '/pets/dog/{p1}', functionName: 'dog' },
      { path: '/pets/dog/1', functionName: 'first' },
      { path: '/pets/cat/{proxy+}', functionName: 'cat' },
    ]);
    expect(
      ['/pets/dog/1', '/pets/dog/2', '/pets/6', '/pets/cat/1/2', '/pets/', '/pets'].map(
        (path) => table.find(path)?.functionName,
      ),
    ).toEqual(['first', 'dog', 'greedy', 'cat', undefined, undefined]);
  });
});
