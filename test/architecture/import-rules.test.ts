import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A small project with one violation in each file named here, and files that violate no rule. */
const VIOLATIONS: readonly { what: string; file: string; text: string; rule: string }[] = [
  {
    what: 'the kernel imports the type of an area',
    file: 'functions/kernel/planted.ts',
    text: "import type { Thing } from '../access/alpha/public.ts';\nexport type Planted = Thing;\n",
    rule: 'kernel-imports-no-area',
  },
  {
    what: 'a group imports the type of a group above it',
    file: 'functions/access/alpha/upward.ts',
    text: "export type { Above } from '../../faces/iota/public.ts';\n",
    rule: 'access-imports-no-group-above',
  },
  {
    what: 'a function imports the local runtime',
    file: 'functions/access/alpha/runtime.ts',
    text: "export { local } from '../../../lib/local/local.ts';\n",
    rule: 'functions-import-no-runtime',
  },
  {
    what: 'the local runtime imports a test',
    file: 'lib/local/tested.ts',
    text: "export { support } from '../../test/support.ts';\n",
    rule: 'product-imports-no-test',
  },
  {
    what: 'an area imports the entity of another area',
    file: 'functions/access/alpha/foreign.ts',
    text: "export { rows } from '../beta/thing/entity.ts';\n",
    rule: 'areas-meet-in-public',
  },
  {
    what: 'an area imports the registry',
    file: 'functions/access/alpha/registered.ts',
    text: "export { areas } from '../../registry.ts';\n",
    rule: 'areas-meet-in-public',
  },
  {
    what: 'an area serves the operations of another area',
    file: 'functions/access/zeta/area.ts',
    text: "export { operations } from '../beta/thing/operations.ts';\n",
    rule: 'areas-serve-operations-of-modules',
  },
  {
    what: 'the area.ts of a Lambda imports the entity of a module',
    file: 'functions/access/eta/area.ts',
    text: "export { rows } from '../modules/module/thing/entity.ts';\n",
    rule: 'areas-serve-operations-of-modules',
  },
  {
    what: 'another file of an area imports the operations of a module',
    file: 'functions/access/alpha/operated.ts',
    text: "export { operations } from '../modules/module/thing/operations.ts';\n",
    rule: 'areas-meet-in-public',
  },
  {
    what: 'an area imports ElectroDB',
    file: 'functions/access/alpha/electro.ts',
    text: "export { Entity } from 'electrodb';\n",
    rule: 'electrodb-in-storage',
  },
  ...['@xmldom/xmldom', 'xml-crypto', 'xml-encryption'].map((name) => ({
    what: `another file than those of SAML imports ${name}`,
    file: `functions/access/alpha/xml-${name.replace(/^.*\//, '')}.ts`,
    text: `export * as xml from '${name}';\n`,
    rule: 'xml-in-saml',
  })),
  {
    what: 'an area imports middy',
    file: 'functions/access/alpha/middleware.ts',
    text: "export { default } from '@middy/core';\n",
    rule: 'middy-in-kernel',
  },
  {
    what: 'the topology imports the CDK',
    file: 'lib/topology/constructs.ts',
    text: "export { Construct } from 'constructs';\n",
    rule: 'cdk-in-stack',
  },
  ...['http', 'http2', 'https', 'dgram', 'dns/promises', 'net', 'tls', 'child_process'].map((name) => ({
    what: `an area imports node:${name}`,
    file: `functions/access/alpha/network-${name.replace('/', '-')}.ts`,
    text: `export * as network from 'node:${name}';\n`,
    rule: 'network-in-egress',
  })),
  {
    what: 'an area imports a DynamoDB command',
    file: 'functions/access/alpha/scan.ts',
    text: "export { ScanCommand } from '@aws-sdk/lib-dynamodb';\n",
    rule: 'table-client-in-storage',
  },
  {
    what: 'an area imports the client of the table',
    file: 'functions/access/alpha/client.ts',
    text: "export { tableClient } from '../../kernel/storage/client.ts';\n",
    rule: 'table-client-in-storage',
  },
  {
    what: 'an engine of the local service imports SQLite',
    file: 'lib/local/stored.ts',
    text: "export { DatabaseSync } from 'node:sqlite';\n",
    rule: 'sqlite-in-one-file',
  },
  {
    what: 'a function imports a development dependency',
    file: 'functions/access/alpha/development.ts',
    text: "export { parse } from 'yaml';\n",
    rule: 'no-development-dependencies',
  },
  {
    what: 'the stack imports the local runtime',
    file: 'lib/stack/both.ts',
    text: "export { local } from '../local/local.ts';\n",
    rule: 'stack-and-local-are-apart',
  },
  {
    what: 'two files import types of each other',
    file: 'functions/access/alpha/left.ts',
    text: "import type { Right } from './right.ts';\nexport type Left = Right | 1;\n",
    rule: 'no-cycles',
  },
  {
    what: 'two areas import each other without a cycle of files',
    file: 'functions/access/gamma',
    text: '',
    rule: 'no-area-cycles',
  },
  {
    what: 'a file that imports another is imported by none',
    file: 'functions/access/alpha/dead.ts',
    text: "import { clock } from '../../kernel/clock.ts';\nexport const dead = clock;\n",
    rule: 'no-dead-files',
  },
  {
    what: 'an import names nothing',
    file: 'functions/access/alpha/nowhere.ts',
    text: "export { nothing } from './nothing.ts';\n",
    rule: 'resolvable',
  },
];

/** Violations of the rules about what a file loads when it runs. */
const LOADING: readonly { what: string; file: string; text: string }[] = [
  {
    what: 'a schema imports the clock',
    file: 'functions/access/alpha/one/schema.ts',
    text: "export { clock } from '../../../kernel/clock.ts';\n",
  },
  {
    what: 'a schema imports a file that imports an entity',
    file: 'functions/access/alpha/two/schema.ts',
    text: "export { find } from '../find.ts';\n",
  },
  {
    what: 'rules import the settings',
    file: 'functions/access/alpha/three/rules.ts',
    text: "export { settings } from '../../../kernel/settings.ts';\n",
  },
  {
    what: 'a schema loads a file from which it imports a type and a value',
    file: 'functions/access/alpha/five/schema.ts',
    text: "import { type find, other } from '../find-both.ts';\nexport type Found = typeof find;\nexport const x = other;\n",
  },
  {
    what: 'a schema imports a type and, in another statement, a value',
    file: 'functions/access/alpha/seven/schema.ts',
    text: "import type { find } from '../find.ts';\nimport { find as value } from '../find.ts';\nexport const x: typeof find = value;\n",
  },
  {
    what: 'a schema loads an entity when it is called',
    file: 'functions/access/alpha/six/schema.ts',
    text: "export type Rows = typeof import('../entity.ts').rows;\nexport const load = () => import('../entity.ts');\n",
  },
  {
    what: 'settings import node:fs',
    file: 'functions/access/alpha/settings.ts',
    text: "export { readFileSync } from 'node:fs';\n",
  },
  {
    what: 'rules import the AWS SDK',
    file: 'functions/access/alpha/four/rules.ts',
    text: "export { KMSClient } from '@aws-sdk/client-kms';\n",
  },
];

/** Further files that the violations need, which must not be reported. */
const SOUND: Readonly<Record<string, string>> = {
  'functions/kernel/clock.ts': 'export const clock = 1;\n',
  'functions/kernel/settings.ts': 'export const settings = 1;\n',
  'functions/kernel/storage/client.ts': 'export const tableClient = 1;\n',
  'functions/registry.ts': "export { alphaArea as areas } from './access/alpha/area.ts';\n",
  'functions/access/alpha/public.ts': 'export type Thing = 1;\n',
  'functions/access/alpha/find.ts': "export { rows as find } from './entity.ts';\n",
  'functions/access/alpha/find-both.ts': "export { rows as find, rows as other } from './entity.ts';\n",
  'functions/access/alpha/entity.ts': 'export const rows = 1;\n',
  'functions/access/alpha/meeting/schema.ts': "export { epsilon } from '../../epsilon/public.ts';\n",
  'functions/access/epsilon/public.ts': "export { rows as epsilon } from './entity.ts';\n",
  'functions/access/epsilon/entity.ts': 'export const rows = 1;\n',
  'functions/access/alpha/typed/schema.ts':
    "import type { rows } from '../entity.ts';\nexport type Rows = typeof rows;\n",
  'functions/access/alpha/right.ts': "import type { Left } from './left.ts';\nexport type Right = Left | 2;\n",
  'functions/access/beta/area.ts': "export { operations } from './thing/operations.ts';\n",
  'functions/access/beta/thing/entity.ts': 'export const rows = 1;\n',
  'functions/access/beta/thing/operations.ts': 'export const operations = 1;\n',
  'functions/access/modules/module/thing/entity.ts': 'export const rows = 1;\n',
  'functions/access/modules/module/thing/operations.ts': 'export const operations = 1;\n',
  'functions/access/theta/area.ts': "export { operations } from '../modules/module/thing/operations.ts';\n",
  'functions/access/gamma/public.ts': 'export const gamma = 1;\n',
  'functions/access/gamma/uses.ts': "export { delta } from '../delta/public.ts';\n",
  'functions/access/delta/public.ts': 'export const delta = 1;\n',
  'functions/access/delta/uses.ts': "export { gamma } from '../gamma/public.ts';\n",
  'functions/faces/iota/public.ts': 'export type Above = 1;\n',
  'lib/local/local.ts': 'export const local = 1;\n',
  'test/support.ts': 'export const support = 1;\n',
};

interface Violation {
  from: string;
  rule: { name: string };
}

let project: string;
let found: readonly Violation[];

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'gatehouse-import-rules-'));
  const planted = [...VIOLATIONS, ...LOADING].filter(({ text }) => text !== '');
  const files = { ...SOUND, ...Object.fromEntries(planted.map(({ file, text }) => [file, text])) };
  // The command that starts the project imports every file except the dead one.
  const started = Object.keys(files).filter((file) => /^(lib|functions)\//.test(file) && !file.includes('/dead.ts'));
  const all: Record<string, string> = {
    ...files,
    'bin/start.ts': started.map((file) => `import '../${file}';\n`).join(''),
    'functions/access/alpha/area.ts': 'export const alphaArea = 1;\n',
  };
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    writeFileSync(join(project, file), text);
  }
  for (const file of ['package.json', 'tsconfig.json', '.dependency-cruiser.mjs']) {
    cpSync(join(root, file), join(project, file));
  }
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'));
  found = findViolations();
});
afterAll(() => rmSync(project, { recursive: true }));

function findViolations(): readonly Violation[] {
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'bin/imports.ts'), '--json'], {
    cwd: project,
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Violation[];
}

describe('the import rules', () => {
  test.each(VIOLATIONS.map((violation) => [violation.what, violation] as const))('reject %s', (_, { file, rule }) => {
    expect(found.filter(({ from }) => from === file).map((violation) => violation.rule.name)).toContain(rule);
  });

  test.each(LOADING.map((violation) => [violation.what, violation] as const))('reject %s', (_, { file }) => {
    expect(found.filter(({ from }) => from === file)).toContainEqual(
      expect.objectContaining({ rule: expect.objectContaining({ name: 'schemas-and-rules-are-pure' }) }),
    );
  });

  test('report nothing about a file without violations', () => {
    const planted = new Set([...VIOLATIONS, ...LOADING].map(({ file }) => file));
    // The other files of the planted cycles are reported with them.
    for (const file of [
      'functions/access/alpha/right.ts',
      'functions/access/delta',
      'functions/access/alpha',
      'functions/kernel',
    ]) {
      planted.add(file);
    }
    expect(found.map(({ from }) => from).filter((from) => !planted.has(from))).toEqual([]);
  });
});
