import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import type { CallResponse } from '../kernel/http/calls.ts';
import { badMembers, badTexts, type BadBody } from './bodies.ts';
import { type Described, findParams, findTarget, readBody } from './described.ts';
import { expectDeclared, expectRejection, json, named, withBody, withParams, withQuery } from './expectations.ts';
import type { Api } from './samples/sample.ts';
import { openTarget, type Target } from './target.ts';
import { deployable } from './titles.ts';

let target: Target;
let here: Api;

beforeAll(async () => {
  target = await openTarget();
  here = target.apiWith(target.keys.here);
});
afterAll(() => target.stop());

/** Texts that can cause problems in a store or a parser: longer than a key, without a letter, of four-byte characters. */
const ODD_TEXTS = ['x'.repeat(3_000), '\u0000', '🔑'.repeat(600), '\ud800', "' OR '1'='1"];

/** Reads an operation's body once: the records that it names are not made again for each odd path or query. */
function bodyOnce(described: Described): () => ReturnType<typeof readBody> {
  let made: ReturnType<typeof readBody> | undefined;
  return () => (made ??= readBody(described, here));
}

describe.each(named(withParams))('%s', (_, described) => {
  const { operation } = described;
  const body = bodyOnce(described);

  test.each([
    ['a null byte', '%00'],
    ['a path traversal', '..%2f..%2f'],
    ['an emoji', '%F0%9F%94%91'],
    ['quotes', "'%22%3B"],
    ['a prototype', '__proto__'],
    ['3,000 characters', 'x'.repeat(3_000)],
    ['3,000 bytes', '%F0%9F%94%91'.repeat(750)],
    ['what is no UTF-8', '%ff'],
    ['half an escape', '%'],
  ])(deployable.oddPaths, async (_what, text) => {
    const path = operation.path.replace(/\{\w+\}/g, () => text);
    const response = await here.send(operation.method, path, json(await body()));
    expect(response.status).toBeLessThan(500);
  });
});

test('the helper that checks that nothing was written detects a write', async () => {
  const writes = await target.recordWrites(async () => {
    await here.create('/organizations', { name: 'Acme' });
  });
  expect(writes).toEqual([expect.stringContaining('Acme')]);
});

describe.each(named(withBody))('%s', (_, described) => {
  const { operation } = described;

  const expectNothingWritten = async (work: (address: string) => Promise<void>): Promise<void> => {
    const address = findTarget(described, (await findParams(described, here)) ?? {});
    expect(await target.recordWrites(() => work(address))).toEqual([]);
  };
  const send = (address: string, body: BadBody['body'] | undefined): Promise<CallResponse> =>
    here.send(operation.method, address, body === undefined ? {} : { body });

  test('rejects a body that is not a JSON object, too deep, too large or ambiguous, and writes nothing', async () => {
    const valid = (await readBody(described, here)) ?? {};
    await expectNothingWritten(async (address) => {
      const accepted: string[] = [];
      for (const { what, body } of badTexts(valid)) {
        if (body === '' && operation.bodyOptional) continue;
        const { status } = await expectRejection(described, () => send(address, body));
        if (![400, 413, 422].includes(status)) accepted.push(`${what}: ${status}`);
      }
      expect(accepted).toEqual([]);
    });
  });

  test('rejects and names missing members and members of the wrong type, and writes nothing', async () => {
    const valid = (await readBody(described, here)) ?? {};
    if (operation.body === undefined) return;
    const bad = badMembers(operation.body, valid);
    await expectNothingWritten(async (address) => {
      const unnamed: string[] = [];
      for (const { what, body, member = '' } of bad) {
        const { text } = await expectRejection(described, () => send(address, body));
        if (!text.includes(member)) unnamed.push(`${what}: ${text}`);
      }
      expect(unnamed).toEqual([]);
    });
  });

  test('does not respond with 5xx to any kind of text that its schema accepts', async () => {
    const valid = (await readBody(described, here)) ?? {};
    for (const member of Object.keys(valid)) {
      for (const text of ODD_TEXTS) {
        const body = { ...valid, [member]: text };
        if (operation.body?.safeParse(body).success !== true) continue;
        const address = findTarget(described, (await findParams(described, here)) ?? {});
        const response = await send(address, JSON.stringify(body));
        expectDeclared(described, response);
        expect(response.status).toBeLessThan(500);
      }
    }
  });
});

describe.each(named(withQuery))('%s', (_, described) => {
  const { operation } = described;
  const body = bodyOnce(described);
  const address = (members: string): string => {
    const own = findTarget(described, {});
    return `${own}${own.includes('?') ? '&' : '?'}${members}`;
  };

  test('rejects query members of the wrong type by their names, and ignores unknown ones', async () => {
    const names = Object.keys((operation.query as { shape?: object }).shape ?? {});
    const own = Object.fromEntries(new URLSearchParams(findTarget(described, {}).split('?', 2)[1] ?? ''));
    for (const name of names) {
      for (const value of ['-1', '', ...ODD_TEXTS]) {
        const issues = operation.query?.safeParse({ ...own, [name]: value }).error?.issues ?? [];
        const asked = new URLSearchParams({ ...own, [name]: value });
        const [path = ''] = findTarget(described, {}).split('?', 1);
        const ask = () =>
          here.send(operation.method, `${path}?${asked.toString()}`, json(described.operation.body && {}));
        if (issues.some((issue) => issue.path[0] === name))
          expect((await expectRejection(described, ask)).text).toContain(name);
        else expect((await ask()).status).toBeLessThan(500);
      }
    }
  });

  test.each(['x-unknown=1', '__proto__=1', 'constructor[prototype]=1', 'a=%ff', '&&==', 'a[]=1&a[]=2'])(
    'does not respond with 5xx to %s in its query',
    async (members) => {
      const response = await here.send(operation.method, address(members), json(await body()));
      expectDeclared(described, response);
      expect(response.status).toBeLessThan(500);
    },
  );
});

test('no secret of a bad request, or of the response to it, is in a log line, an error or an event', async () => {
  expect((await target.leaks()).found).toEqual([]);
});
