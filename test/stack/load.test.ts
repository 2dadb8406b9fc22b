import { describe, expect, test } from '@jest/globals';

import { computeDemand, computeWarmThroughput } from '../../lib/stack/load.ts';
import { topology } from '../../lib/topology/index.ts';
import { listRoutes } from '../../lib/topology/routes.ts';
import { listThrottles, THROTTLED } from '../../lib/topology/throttles.ts';
import { Throttles } from '../../lib/local/gateway/token-bucket.ts';
import { findResources, fixture, synthesise } from './fixture.ts';

/** The peak of twenty million users. */
const LARGE = { expectedSignIns: '300', expectedRefreshes: '3000', expectedChecks: '5000' };

describe('The throughput of the table', () => {
  const findTables = (flags: Record<string, string>) =>
    Object.values(
      findResources(synthesise(fixture, { stage: 'prod', ...flags }).data, 'AWS::DynamoDB::GlobalTable'),
    ).map(
      ({ Properties }) =>
        Properties as { WarmThroughput?: unknown; GlobalSecondaryIndexes?: { WarmThroughput?: unknown }[] },
    );

  test('is warm for the stated load, in all indexes too, and in no other table', () => {
    const { readUnits, writeUnits } = computeDemand({ signIns: 300, refreshes: 3_000, checks: 5_000 });
    const warm = { ReadUnitsPerSecond: readUnits, WriteUnitsPerSecond: writeUnits };
    const [records, keys] = findTables(LARGE);
    expect(records?.WarmThroughput).toEqual(warm);
    expect(records?.GlobalSecondaryIndexes?.map((index) => index.WarmThroughput)).toEqual(Array(4).fill(warm));
    expect(keys).not.toHaveProperty('WarmThroughput');
  });

  test('is that of a new table without a stated load, or with a small one', () => {
    for (const flags of [{}, { expectedSignIns: '20', expectedRefreshes: '150', expectedChecks: '200' }])
      for (const table of findTables(flags)) expect(table).not.toHaveProperty('WarmThroughput');
    expect(computeWarmThroughput({ signIns: 150, refreshes: 0, checks: 0 })).toEqual({
      readUnitsPerSecond: 12_000,
      writeUnitsPerSecond: 6_000,
    });
  });
});

describe('The throttle of a route', () => {
  const routes = listRoutes(topology);
  const stage = { rate: 500, burst: 1_000 };
  const throttles = listThrottles(routes, stage);

  test('is its own for sign-in, pages and documents, each of which exists', () => {
    const paths = THROTTLED.flatMap((each) => each.paths);
    expect([...throttles.keys()].toSorted()).toEqual(paths.toSorted());
    expect(throttles.get('/user_management/authenticate')).toEqual(stage);
    expect(throttles.get('/docs/{proxy+}')).toEqual({ rate: 50, burst: 100 });
  });

  test('is in the settings of the API, by the key of the route, scaled with the stage', () => {
    const { service } = synthesise(topology, { stage: 'prod', throttleRate: '2000', throttleBurst: '4000' });
    const [api] = Object.values(findResources(service, 'AWS::ApiGatewayV2::Stage')).flatMap(({ Properties }) =>
      Properties.RouteSettings === undefined ? [] : [Properties.RouteSettings as Record<string, unknown>],
    );
    expect(Object.keys(api ?? {}).toSorted()).toEqual(
      [...throttles.keys()].map((path) => (path === '$default' ? path : `ANY ${path}`)).toSorted(),
    );
    expect(api?.['ANY /docs']).toEqual({ ThrottlingRateLimit: 200, ThrottlingBurstLimit: 400 });
  });

  test('keeps calls of documents from starving sign-in, and other calls from starving both', () => {
    let now = 0;
    const gateway = new Throttles(stage, throttles, () => now);
    const call = (path: string, times: number) =>
      Array.from({ length: times }, () => gateway.take(path)).filter((wait) => wait === 0).length;
    expect(call('/docs/{proxy+}', 5_000)).toBe(100);
    expect(call('/x/vault/{proxy+}', 5_000)).toBe(1_000);
    expect(call('/user_management/authenticate', 900)).toBe(900);
    expect(call('/hosted/{proxy+}', 900)).toBe(900);
    now += 1_000;
    expect(call('/docs/{proxy+}', 5_000)).toBe(50);
    expect(call('/organizations', 5_000)).toBe(500);
  });
});
