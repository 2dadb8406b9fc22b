import { describe, expect, test } from '@jest/globals';

import { listProblems } from '../../lib/permissions/check.ts';
import { Derivation } from '../../lib/permissions/derive.ts';
import { guardedKinds } from '../../lib/permissions/guarded.ts';
import { readSource, Sources } from '../../lib/permissions/sources.ts';
import type { Access } from '../../lib/topology/access.ts';

/** Derives what a function does whose handler is planted into the group `faces`, next to further files. */
function derive(handler: string, files: Readonly<Record<string, string>> = {}): Access {
  const planted: Record<string, string> = { 'functions/faces/planted/planted.ts': handler, ...files };
  const sources = new Sources((path) => planted[path] ?? readSource(path));
  const { functions } = new Derivation(sources).derive({
    planted: { file: 'functions/faces/planted/planted.ts', export: 'http' },
  });
  return functions.planted as Access;
}

const LINKS = `import { consoleLinks } from '../console/link/entity.ts';`;

describe('what a function writes', () => {
  test.each([
    ['a creation', `export const http = () => consoleLinks.create({});`],
    [
      'a removal in a function that it calls',
      `const end = (id) => consoleLinks.remove(id); export const http = () => end();`,
    ],
    ['the keys of a row', `export const http = () => send(consoleLinks.keyOf({}));`],
    ['an update by ElectroDB', `export const http = () => consoleLinks.entity().patch({});`],
    ['a collection that is passed on', `export const http = () => change(consoleLinks);`],
    ['a collection in an object', `const all = { consoleLinks }; export const http = () => all;`],
    ['a default of a parameter', `export const http = (rows = consoleLinks) => rows;`],
    ['a statement of a file', `consoleLinks.create({}); export const http = () => undefined;`],
    ['a method of a class', `class A { run() { return consoleLinks.create({}); } } export const http = () => new A();`],
  ])('is seen in %s', (_, code) => {
    expect(derive(`${LINKS}\n${code}`).writes).toEqual(['console-link']);
  });

  test('is seen through files that export it again, and load it late', () => {
    const files = {
      'functions/faces/planted/one.ts': `export * from './two.ts';`,
      'functions/faces/planted/two.ts': `import { consoleLinks as rows } from '../console/link/entity.ts'; export { rows };`,
    };
    expect(derive(`import { rows } from './one.ts'; export const http = () => rows.create({});`, files).writes).toEqual(
      ['console-link'],
    );
    const late = `export const http = async () => (await import('../console/link/make.ts')).whatever();`;
    expect(derive(late).writes).toContain('console-link');
    const named = `import * as entity from '../console/link/entity.ts'; export const http = () => entity.consoleLinks.create({});`;
    expect(derive(named).writes).toContain('console-link');
  });

  test.each([
    ['a read', `export const http = () => consoleLinks.get('e', 'id');`],
    ['a query', `export const http = () => consoleLinks.entity().query.primary({});`],
    ['a type', `export const http = (one: typeof consoleLinks) => one;`],
    [
      'a declaration that it does not use',
      `export const other = () => consoleLinks.create({}); export const http = () => 1;`,
    ],
  ])('does not include %s', (_, code) => {
    expect(derive(`${LINKS}\n${code}`).writes).toEqual([]);
  });

  test('is not guessed for a write that no collection makes', () => {
    const code = `import { PutCommand } from '@aws-sdk/lib-dynamodb'; export const http = () => new PutCommand({});`;
    expect(() => derive(code)).toThrow(/functions\/faces\/planted\/planted\.ts#http sends a write/);
  });

  test('is not guessed for keys that are passed to the writes of others', () => {
    const code = `import { writeBatch } from '../../kernel/storage/batch.ts';
      export const http = (rows) => writeBatch(rows.map((Key) => ({ DeleteRequest: { Key } })));`;
    expect(() => derive(code)).toThrow(/functions\/faces\/planted\/planted\.ts#http sends a write/);
  });

  test('is not guessed for keys that are not literals', () => {
    const code = `import { entity } from '../../kernel/storage/entity.ts';
      const Row = entity({ model: model(name()), indexes: {} }); export const http = () => Row;`;
    expect(() => derive(code)).toThrow(/Row is not written as literals/);
  });
});

test('the purposes of a function are those for which it encrypts or decrypts', () => {
  const head = `import { keyPurpose } from '../../kernel/keys/key-wrapper.ts'; const scope = () => ({ purpose: keyPurpose('mine') });`;
  const uses = (code: string) => {
    const { seals, opens } = derive(`${head}\nexport const http = () => ${code};`);
    return { seals, opens };
  };
  expect(uses('envelopes().seal(scope())')).toEqual({ seals: ['mine'], opens: [] });
  expect(uses('envelopes().openText(scope())')).toEqual({ seals: [], opens: ['mine'] });
  expect(uses('work(scope())')).toEqual({ seals: ['mine'], opens: ['mine'] });
  expect(derive(`import { seedOf } from '../../proofs/mfa/public.ts'; export const http = () => 1;`).opens).toEqual([]);
});

describe('the declarations', () => {
  const access = (changes: Partial<Access>): Access => ({ writes: [], stamps: [], seals: [], opens: [], ...changes });
  const check = (own: Access, needs: Parameters<typeof listProblems>[1][number]['needs'], guarded = {}) =>
    listProblems(
      { keys: { records: {}, keys: { 'organization-key': '' } }, functions: { f: own } },
      [{ name: 'f', needs }],
      guarded,
    );

  test.each([
    [access({ writes: ['user'] }), ['table'], []],
    [access({ writes: ['user'] }), ['table:read'], [/writes user: .* need "table"$/]],
    [access({}), ['table'], [/"table:read" is enough/]],
    [access({ writes: ['organization-key'] }), [], [/need "key-table"/]],
    [access({ opens: ['totp-seed'] }), [], [/need "keys"/]],
    [access({ opens: ['totp-seed'] }), ['keys'], []],
    [access({ opens: ['signing-key'] }), ['keys'], [/nothing by the need "keys"/]],
    [access({ seals: ['signing-key'] }), ['signing-key'], []],
  ] as const)('that %j needs %j is compared', (own, needs, problems) => {
    expect(check(own, needs)).toEqual(problems.map((each) => expect.stringMatching(each)));
  });

  test('reject a write of a guarded kind by another function, and a function that no longer writes it', () => {
    const writer = access({ writes: ['console-link'] });
    expect(check(writer, ['table'], { 'console-link': ['f'] })).toEqual([]);
    expect(check(writer, ['table'], { 'console-link': [] })).toEqual([
      expect.stringMatching(/^f writes console-link, which is guarded/),
    ]);
    expect(check(access({ writes: ['user'] }), ['table'], { 'console-link': ['f'] })).toEqual([
      expect.stringMatching(/^f does not write console-link/),
    ]);
  });

  test('guard what gives access', () => {
    for (const kind of ['console-link', 'credential', 'grant', 'password', 'api-key', 'signing-keys', 'portal-link']) {
      expect(Object.keys(guardedKinds)).toContain(kind);
    }
  });
});
