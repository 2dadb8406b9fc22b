import { existsSync, globSync, readFileSync } from 'node:fs';

import { expect, test } from '@jest/globals';

import { areas } from '../../functions/registry.ts';

const root = new URL('../../', import.meta.url).pathname;

/** The text of all READMEs, since an area may serve modules, each with its own. */
const readmes = globSync('functions/**/README.md', { cwd: root })
  .map((file) => readFileSync(root + file, 'utf8'))
  .join('\n');

const beyond = areas.flatMap(({ name, operations }) =>
  operations.flatMap(({ id, method, path, beyondContract }) =>
    path.startsWith('/x/') || beyondContract === true ? [{ area: name, id, method, path }] : [],
  ),
);

test('the README of an area names each operation that is not part of the original API', () => {
  expect(beyond.length).toBeGreaterThan(50);
  const unnamed = beyond
    .filter(({ path }) => !readmes.includes(path))
    .map(({ area, id, method, path }) => `functions/${area}/README.md does not name ${method} ${path} (${id})`);
  expect(unnamed).toEqual([]);
});

/** A path with its parameters' names left out, and without a query. */
const shape = (path: string): string => path.replace(/\?.*$/, '').replaceAll(/\{[^}]*\}/g, '{}');

test('READMEs name only operations that the service has', () => {
  const served = new Set(
    areas.flatMap(({ operations }) => operations.map(({ method, path }) => `${method} ${shape(path)}`)),
  );
  const named = [...readmes.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^`\s,;]*)`/g)]
    .map(([, method = '', path = '']) => `${method} ${shape(path)}`)
    .filter((call) => !/…|\/_local\//.test(call));
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((call) => !served.has(call))).toEqual([]);
});

/** The areas, and the modules whose operations an area serves. */
const withOperations = globSync('functions/*/{modules/,}*/{area.ts,**/{operations,*-operations}.ts}', { cwd: root })
  .map((file) => /^functions\/(?:[^/]+\/modules|[^/]+)\/[^/]+/.exec(file)?.[0] ?? '')
  .filter((folder) => existsSync(`${root}${folder}/README.md`))
  .filter((folder) => areas.every(({ name, operations }) => operations.length > 0 || !folder.endsWith(`/${name}`)))
  .filter((folder, at, all) => all.indexOf(folder) === at)
  .map((folder) => [folder]);

test.each(withOperations)('%s/README.md begins with its use, and has keys and costs below', (folder) => {
  const headings = [...readFileSync(`${root}${folder}/README.md`, 'utf8').matchAll(/^## (.+)$/gm)].map(
    ([, heading = '']) => heading,
  );
  expect(headings[0]).toMatch(/^Use\b/);
});

test('every relative link of a guide leads to a file, and every command of npm that it names exists', () => {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { scripts: Record<string, string> };
  const guides = globSync(['*.md', '{functions,lib,test}/**/*.md'], { cwd: root });
  expect(guides.length).toBeGreaterThan(50);
  const wrong = guides.flatMap((file) => {
    const text = readFileSync(root + file, 'utf8');
    const links = [...text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
    const lost = links.filter(
      (link) => !/^(?:https?:|\/)/.test(link) && !existsSync(new URL(link, `file://${root}${file}`)),
    );
    const commands = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
    const unknown = commands.filter((name) => scripts[name] === undefined);
    return [...lost, ...unknown.map((name) => `npm run ${name}`)].map((each) => `${file}: ${each}`);
  });
  expect(wrong).toEqual([]);
});
