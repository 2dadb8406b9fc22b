import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import type { CallResponse } from '../kernel/http/calls.ts';
import {
  type Described,
  readBody,
  hasParams,
  isKeyless,
  isMaker,
  operations,
  findParams,
  findTarget,
} from './described.ts';
import { expectDeclared, expectRejection, json, named, withBody, withParams, withQuery } from './expectations.ts';
import type { Api } from './samples/sample.ts';
import { CARRYING, hasSecrets } from './secrets.ts';
import { openTarget, type Target } from './target.ts';
import { deployable } from './titles.ts';

let target: Target;
let here: Api;
let there: Api;

beforeAll(async () => {
  target = await openTarget();
  here = target.apiWith(target.keys.here);
  there = target.apiWith(target.keys.there);
});
afterAll(() => target.stop());

const keyed = operations.filter(({ operation }) => operation.auth.security.length > 0);
/** Operations that accept an API key of the environment, not a token. */
const withApiKey = keyed.filter(({ operation }) => operation.auth.security.some((scheme) => 'bearer' in scheme));

describe.each(named(keyed))('%s', (_, described) => {
  test(deployable.keys, async () => {
    const { revoked, unknown, here: valid } = target.keys;
    const wrong = [
      'Bearer',
      `Basic ${valid}`,
      `Bearer ${valid.slice(0, -1)}`,
      `Bearer ${unknown}`,
      `Bearer ${revoked}`,
    ];
    const responses: CallResponse[] = [];
    for (const authorization of [undefined, ...wrong]) {
      const headers = authorization === undefined ? undefined : { authorization };
      responses.push(
        await expectRejection(described, () =>
          target.send(described.operation.method, findTarget(described, {}), {
            ...(headers && { headers }),
            ...json({}),
          }),
        ),
      );
    }
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 401));
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  });
});

describe.each(named(withApiKey))('%s', (_, described) => {
  const { method, exposesCredential = false } = described.operation;
  const statusWith = async (key: string): Promise<CallResponse> =>
    target.apiWith(key).send(method, findTarget(described, {}), json(described.operation.body && {}));

  test(deployable.limitedKeys, async () => {
    const asElsewhere = await expectRejection(described, () => statusWith(target.keys.elsewhere));
    expect(asElsewhere.status).toBe(403);
    const asReader = await statusWith(target.keys.readOnly);
    expectDeclared(described, asReader);
    expect(asReader.status === 403).toBe(method !== 'GET' || exposesCredential);
  });
});

describe.each(named(withParams))('%s', (_, described) => {
  const { operation } = described;
  /** Parameters that look like ids but name no record: those of an existing record with another ending. */
  const unknownLike = (params: Record<string, string>) =>
    Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value.replace(/.{4}$/, '0000')]));
  const declares404 = operation.errors.some(({ status }) => status === 404);
  /** A page that only a browser with a session may see responds 401 to a key, whether or not its record exists. */
  const needsSession = operation.auth.security.length === 0 && operation.errors.some(({ status }) => status === 401);

  test(deployable.otherEnvironments, async () => {
    const params = (await findParams(described, here)) ?? {};
    const body = await readBody(described, there);
    const asForeign = await there.send(operation.method, findTarget(described, params), json(body));
    const asMissing = await there.send(operation.method, findTarget(described, unknownLike(params)), json(body));
    expectDeclared(described, asForeign);
    expectDeclared(described, asMissing);
    // Without a declared 404, the operation itself creates the record of its path in the caller's own environment.
    if (!declares404) return expect(asForeign.status).toBe(asMissing.status);
    if (needsSession && asMissing.status === 401) return expect(asForeign.status).toBe(401);
    expect(asMissing.status).toBe(404);
    if (isMaker(described)) return expect(asForeign.status).toBeLessThan(300);
    if (isKeyless(described)) return expect(asForeign.status).not.toBe(404);
    // OFREP requires that the response repeats the key of its path.
    const compared = (response: object, sent: Record<string, string>) =>
      Object.values(sent)
        .filter((value) => value.length > 20)
        .reduce((text, value) => text.replaceAll(value, '…'), JSON.stringify({ ...response, headers: {} }));
    expect(compared(asForeign, params)).toEqual(compared(asMissing, unknownLike(params)));
  });

  if (operation.method === 'GET' && operation.auth.security.length > 0) {
    test(deployable.reads, async () => {
      const params = await findParams(described, here);
      const response = await here.send('GET', findTarget(described, params ?? {}));
      expectDeclared(described, response);
      expect(response.status).toBe(params === undefined ? 404 : 200);
    });
  }
});

test('every path with a record id has a sample record, so that ids of other environments are tested', () => {
  const given = withParams.filter(({ operation }) => operation.auth.security.length > 0);
  const lacking = given.filter((described) => !hasParams(described));
  const mend = ({ name, area, operation: { path } }: Described): string =>
    `${name}: add params['${path}'] to test/contract/samples/${area.name}.ts`;
  expect(lacking.map(mend)).toEqual([]);
});

describe.each(named(withBody))('%s', (_, described) => {
  const { operation } = described;

  test('has a sample request that matches its schema', async () => {
    const valid = await readBody(described, here);
    expect(operation.body?.safeParse(valid)).toMatchObject({ success: true });
  });

  test('ignores unknown members', async () => {
    const valid = await readBody(described, here);
    expect(operation.body?.safeParse({ ...valid, 'x-unknown-member': [{}] })).toMatchObject({ success: true });
  });
});

const lists = withQuery.filter(
  ({ operation, parameters }) =>
    operation.method === 'GET' && parameters.length === 0 && operation.auth.security.length > 0,
);
describe.each(named(lists))('%s', (_, described) => {
  test(deployable.lists, async () => {
    const made = await findParams(described, here);
    const target =
      made === undefined
        ? findTarget(described, {})
        : `${described.operation.path}?${new URLSearchParams(made).toString()}`;
    const response = await here.send('GET', target);
    expectDeclared(described, response);
    expect(response.status).toBe(200);
  });
});

describe('a secret', () => {
  const withSecrets = operations.filter(({ operation }) => hasSecrets(operation));

  const ORDER = ['PUT', 'POST', 'PATCH', 'GET', 'DELETE'];
  const rank = ({ operation }: Described): number => ORDER.indexOf(operation.method);

  // The tests above call few operations with their samples. Without them (`-t 'a secret'`) this test calls all operations: some respond with
  // a secret only after another one has changed a setting or made a record.
  beforeAll(async () => {
    if (process.env.GATEHOUSE_CONTRACT_TARGET !== undefined) return;
    const { seen } = await target.leaks();
    const isFirst = seen.size === 0;
    const left = isFirst
      ? operations.filter(({ operation }) => operation.method !== 'DELETE')
      : withSecrets.filter(({ operation }) => !seen.has(operation.id));
    for (const described of left.toSorted((one, other) => rank(one) - rank(other))) {
      const { operation } = described;
      const address = findTarget(described, (await findParams(described, here)) ?? {});
      await here.send(operation.method, address, json(await readBody(described, here)));
    }
    const oidc_options = {
      client_id: 'us',
      client_secret: 'cAnArY-0123456789-client-secret',
      discovery_endpoint: 'no',
    };
    await here.send('POST', '/connections', json({ organization_id: 'org_none', oidc_options }));
  }, 60_000);

  test('of a request or a response, of any operation, is in no log line, no error and no event', async () => {
    const { seen, found } = await target.leaks();
    expect(found).toEqual([]);
    if (process.env.GATEHOUSE_CONTRACT_TARGET === undefined) {
      expect(CARRYING.filter((id) => !seen.has(id))).toEqual([]);
    }
  });
});
