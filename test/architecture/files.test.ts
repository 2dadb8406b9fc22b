import { describe, expect, test } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { users } from '../../functions/tenancy/modules/users/user/entity.ts';
import { corpora } from '../../bin/corpora.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const isSource = (file: string): boolean => /\.(ts|mjs)$/.test(file);

/** The source files below some folders, by their paths from the root of the project. */
const sourcesBelow = (...folders: readonly string[]): string[] =>
  folders.flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name}`)
      .filter(isSource),
  );

const formatText = (file: string): string => readFileSync(`${root}/${file}`, 'utf8');
const readLines = (file: string): number => formatText(file).split('\n').length - 1;

const MAX_LINES = 350;
const MIN_LINES = 12;

/** Files that are named by their role and may be short. */
const ROLES = /\/(handler|public|errors|schema|settings|rules|apart|pages)\.ts$/;
/** Lists with one file for each entry. */
const LISTS =
  /^functions\/(connections\/pipes\/catalogue\/providers|kernel\/events\/catalogue|faces\/portal\/guide\/oidc|kernel\/messages\/templates)\//;
/** Short files that several parts of the project load without their neighbours. */
const SMALL = new Set([
  'functions/faces/console/change-table.ts',
  'functions/faces/console/session/sign-in-form.ts',
  'functions/kernel/durations.ts',
  'functions/kernel/egress/shared.ts',
  'functions/kernel/events/previous.ts',
  'functions/kernel/events/relayed.ts',
  'functions/kernel/http/ping.ts',
  'functions/kernel/pages/host.ts',
  'functions/kernel/search-text.ts',
  'functions/faces/pages/captcha/find.ts',
  'functions/faces/pages/invitation/inviter.ts',
  'functions/faces/reference/page/curl.ts',
  'lib/topology/registrable-domain.ts',
]);

describe('source files', () => {
  const sources = sourcesBelow('bin', 'lib', 'functions', 'test');

  test('have at most 350 lines', () => {
    expect(sources.filter((file) => readLines(file) > MAX_LINES)).toEqual([]);
  });

  test('have at least a dozen lines', () => {
    const product = sources.filter((file) => /^(lib|functions)\//.test(file));
    const checked = product.filter((file) => !ROLES.test(file) && !LISTS.test(file) && !SMALL.has(file));
    expect(checked.filter((file) => readLines(file) < MIN_LINES)).toEqual([]);
  });
});

test('each test file that `npm test` leaves to `npm run corpora` exists', () => {
  expect(corpora.filter((file) => !existsSync(`${root}/${file}`))).toEqual([]);
});

/** A function that stages writes, in the form in which a file exports it: its name and its first parameter. */
const STAGING = /^export (?:async )?(?:function|const) (stage[A-Z]\w*)(?:<[^(]*>)?(?: = (?:async )?)?\(\s*(\w+|\{)/gm;
/** Files whose role is another than to stage writes. */
const OTHER_ROLES = /\/(?:schema|rules|errors|entity|find|settings|public|(?:[a-z-]+-)?operations)\.ts$/;

/** The exported functions of a text that stage writes, by their names, each with its first parameter. */
const listStaging = (text: string): [string | undefined, string | undefined][] =>
  [...text.matchAll(STAGING)].map(([, name, parameter]) => [name, parameter]);

describe('a function that is named stage…', () => {
  const found = sourcesBelow('functions').flatMap((file) =>
    listStaging(formatText(file)).map(([name, parameter]) => ({ file, name, parameter })),
  );

  test('is found by these checks', () => {
    expect(
      listStaging('export async function stageThing(\n  unit: Unit,\n) {}\nexport const stageIt = (unit: Unit) => 1;'),
    ).toEqual([
      ['stageThing', 'unit'],
      ['stageIt', 'unit'],
    ]);
    expect(found.length).toBeGreaterThan(100);
  });

  test('gets the unit of work of its caller as its first argument', () => {
    expect(found.filter(({ parameter }) => parameter !== 'unit')).toEqual([]);
  });

  test('is in stage.ts or in a file that is named after a process, never in a file with another role', () => {
    expect(found.filter(({ file }) => OTHER_ROLES.test(file)).map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
  });
});

const MAX_NAMES = 20;

/** Names that a file exports, and the file that each is declared in. */
function findExports(file: string): { name: string; from: string }[] {
  const text = formatText(file).replaceAll(/\/\*[\s\S]*?\*\//g, '');
  const passedOn = [...text.matchAll(/^export\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'([^']+)'/gm)];
  const declared = [...text.matchAll(/^export\s+(?:async\s+)?(?:const|function|class|interface|type)\s+(\w+)/gm)];
  return [
    ...passedOn.flatMap(([, names = '', from = '']) =>
      names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '')
        .map((name) => ({ name, from })),
    ),
    ...declared.map(([, name = '']) => ({ name, from: file })),
  ];
}

const publicFiles = sourcesBelow('functions').filter((file) => file.endsWith('/public.ts'));

const isCollection = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'entity' in value && 'revise' in value;

test('recognizes a declaration of a collection, so that the check of public.ts can find it', () => {
  expect(isCollection(users)).toBe(true);
});

describe.each(publicFiles)('%s', (file) => {
  test('has at most twenty names', () => {
    expect(findExports(file).length).toBeLessThanOrEqual(MAX_NAMES);
  });

  test('exports no collection of records in public.ts', async () => {
    const exported = (await import(`${root}/${file}`)) as Record<string, unknown>;
    expect(Object.keys(exported).filter((name) => isCollection(exported[name]))).toEqual([]);
  });

  test('has no star exports, so that its names can be counted', () => {
    expect(formatText(file)).not.toMatch(/^export\s+\*/m);
  });
});
