import { readFileSync, writeFileSync } from 'node:fs';

import { afterEach, beforeEach, expect, test } from '@jest/globals';

import { openApiDocument } from '../../../lib/openapi/document.ts';
import { digestCode, EXAMPLE_URL } from '../../../functions/faces/reference/examples/executed.ts';
import { readExamples } from '../../../functions/faces/reference/examples/recorded.ts';
import { listCode } from '../../../functions/faces/reference/examples/tabs.ts';
import { listOperations } from '../../../functions/faces/reference/navigation/navigation.ts';
import { areas } from '../../../functions/registry.ts';
import { operations } from '../../contract/described.ts';
import { openTarget, type Target } from '../../contract/target.ts';
import { prepare } from './examples.ts';
import { LANGUAGES, runLanguage, type Snippet } from './languages.ts';
import { type Served, serveTarget } from './serve.ts';

const SLOW = 900_000;
/** Set this variable to record what was executed: the reference shows no other code. */
const IS_WRITING = process.env.GATEHOUSE_WRITE_EXAMPLES === '1';
const FILE = new URL('../../../functions/faces/reference/examples/executed.json', import.meta.url);
const described = new Map(listOperations(openApiDocument(areas)).map((own) => [own.id, own]));

let target: Target;
let served: Served;

// Each language has a service of its own: the examples change settings and the model of the environment.
beforeEach(async () => {
  target = await openTarget();
  served = await serveTarget(target);
}, SLOW);
afterEach(async () => {
  served.close();
  await target.stop();
});

/** Reports whether an example removes records of the others, which are all created before the first one is executed. */
const isLast = ({ operation: { id } }: (typeof operations)[number]): boolean => id === 'authorization_model.put';

const codeIn = (language: string, code: readonly (readonly [string, string])[]): string =>
  code.find(([title]) => title === language)?.[1] ?? '';

/** Records the digests of one language; those of the others stay. */
function write(language: string, digests: readonly string[]): void {
  const all = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, readonly string[]>;
  const next = { ...all, [language]: digests.toSorted() };
  const sorted = Object.fromEntries(Object.entries(next).sort(([one], [other]) => one.localeCompare(other)));
  writeFileSync(FILE, `${JSON.stringify(sorted)}\n`);
}

test.each(LANGUAGES)(
  'every example of the reference in %s is executed as it is shown, and no other code is shown',
  async (language) => {
    const examples = await readExamples();
    const api = target.apiWith(target.keys.here);
    const snippets: Snippet[] = [];
    const digests = new Map<string, string>();
    for (const own of [...operations].sort((one, other) => Number(isLast(one)) - Number(isLast(other)))) {
      const { id } = own.operation;
      const [example, entry] = [examples.operations[id], described.get(id)];
      if (example === undefined || entry === undefined) continue;
      const prepared = await prepare(own, api, target.keys.here);
      if (prepared === undefined) throw new Error(`${id} has no sample any more`);
      snippets.push({ id, code: codeIn(language, listCode(entry, prepared, served.url)) });
      digests.set(id, digestCode(language, codeIn(language, listCode(entry, example, EXAMPLE_URL))));
    }
    const env = { GATEHOUSE_API_KEY: target.keys.here, GATEHOUSE_URL: served.url };
    const result = await runLanguage(language, snippets, { url: served.url, env });
    if ('skipped' in result) return process.stderr.write(`\nSKIPPED examples in ${language}: ${result.skipped}\n\n`);
    const executed = result.executed.map((id) => digests.get(id) ?? '');
    if (IS_WRITING) write(language, executed);
    expect(result.failed).toEqual([]);
    expect(result.executed.length).toBe(snippets.length);
    const known = IS_WRITING ? new Set(executed) : examples.executed;
    expect(executed.filter((digest) => !known.has(digest))).toEqual([]);
  },
  SLOW,
);
