import { expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';

import { isOwnApi } from '../../lib/stack/api.ts';
import type { Topology } from '../../lib/topology/model.ts';
import { listRoutes, RouteTable } from '../../lib/topology/routes.ts';
import { findResources } from './fixture.ts';
import type { Reading } from './reading.ts';

/** The OpenAPI body of an HTTP API. */
interface ApiBody {
  info: { title: string };
  paths: Record<string, Record<string, RouteOfApi>>;
  components: { 'x-amazon-apigateway-integrations': Record<string, { uri: unknown }> };
}

interface RouteOfApi {
  'x-amazon-apigateway-integration': { $ref: string };
}

const readIntegration = (route: RouteOfApi): string =>
  String(route['x-amazon-apigateway-integration'].$ref.split('/').at(-1));

const withoutOwnApis = (topology: Topology): Topology => ({
  ...topology,
  functions: topology.functions.filter((fn) => !isOwnApi(fn)),
});

const sorted = (words: Iterable<string>): string[] => [...words].sort();

/** Tests that the APIs of a stage have the routes of a topology. */
export function testApis(topology: Topology, service: Template, reading: Reading): void {
  const functions = topology.functions.filter(({ source }) => source.kind === 'http');
  const readApi = (title: string) => {
    const found = Object.entries(findResources(service, 'AWS::ApiGatewayV2::Api'));
    const [id, api] = found.find(([, { Properties }]) => (Properties.Body as ApiBody).info.title === title) ?? [];
    return { id, body: api?.Properties.Body as ApiBody | undefined };
  };

  test('each path in each spelling is routed to its area', () => {
    const { body } = readApi('gatehouse-try-api');
    const { paths, components } = body as ApiBody;
    const routes = Object.entries(paths).flatMap(([path, methods]) => {
      expect(Object.keys(methods)).toEqual(['x-amazon-apigateway-any-method']);
      return Object.values(methods).map((operation) => ({
        path: path.replace('/$default', '$default'),
        functionName: readIntegration(operation),
      }));
    });
    // The local gateway has a table of the same routes.
    const inOrder = (list: readonly object[]) => list.map((route) => JSON.stringify(route)).toSorted();
    expect(inOrder(routes)).toEqual(inOrder(listRoutes(withoutOwnApis(topology))));
    const table = new RouteTable(routes);
    for (const { name, source } of functions.filter((fn) => !isOwnApi(fn))) {
      for (const path of source.kind === 'http' ? source.paths : []) {
        expect([path, table.find(path.replace(/\{[^}]+\}/g, 'value'))?.functionName]).toEqual([path, name]);
        // Only a free text contains slashes; every other parameter is one segment.
        const withSlashes = path.replace(/\{[^}]+\+\}/g, 'a/b').replace(/\{[^}]+\}/g, 'value');
        if (path.includes('+}')) expect([path, table.find(withSlashes)?.functionName]).toEqual([path, name]);
      }
    }
    const others = functions.filter(({ source }) => source.kind === 'http' && source.respondsToUnknownPaths === true);
    expect(table.find('/no/area/has/this')?.functionName).toBe(others[0]?.name);
    const integrations = components['x-amazon-apigateway-integrations'];
    const names = functions.filter((fn) => !isOwnApi(fn));
    expect(sorted(Object.keys(integrations))).toEqual(sorted(names.map(({ name }) => name)));
    for (const [name, { uri }] of Object.entries(integrations)) {
      expect(JSON.stringify(uri)).toContain(`:function:gatehouse-try-${name}:live/invocations`);
    }
  });

  test('a function with an API of its own has its routes there, each with its method, and none in the API of the others', () => {
    const own = functions.filter(isOwnApi);
    const { body } = readApi('gatehouse-try-console');
    const found = Object.entries(body?.paths ?? {}).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [method.toUpperCase(), path, readIntegration(operation)]),
    );
    const stated = own.flatMap(({ name, source }) =>
      source.kind === 'http' ? (source.ownRoutes ?? []).map(({ method, path }) => [method, path, name]) : [],
    );
    expect(sorted(found.map(String))).toEqual(sorted(stated.map(String)));
    const shared = JSON.stringify(readApi('gatehouse-try-api').body);
    for (const { name, source } of own) {
      expect(shared).not.toContain(name);
      for (const path of source.kind === 'http' ? source.paths : []) expect(shared).not.toContain(`"${path}"`);
    }
  });

  test('each API may call the functions of its routes, and no others', () => {
    const admitted = Object.values(findResources(service, 'AWS::Lambda::Permission'))
      .filter(({ Properties }) => Properties.Principal === 'apigateway.amazonaws.com')
      .map(({ Properties }) => {
        const [, api] = /"Ref":"(\w*Api\w*)"/.exec(JSON.stringify(Properties.SourceArn)) ?? [];
        return `${api} -> ${reading.functionOfAlias(Properties.FunctionName)}`;
      });
    const stated = functions.map((fn) => {
      const { id } = readApi(`gatehouse-try-${isOwnApi(fn) ? 'console' : 'api'}`);
      return `${id} -> ${fn.name}`;
    });
    expect(sorted(admitted)).toEqual(sorted(stated));
  });
}
