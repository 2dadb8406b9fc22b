import { beforeAll, describe, expect, test } from '@jest/globals';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

let eslint: ESLint;
beforeAll(async () => {
  const path = '../../eslint.words.mjs';
  const { words } = (await import(path)) as { words: object[] };
  eslint = new ESLint({
    overrideConfigFile: true,
    overrideConfig: [{ files: ['**/*.ts'], languageOptions: { parser: tseslint.parser } }, ...words],
  });
});

async function idiomsIn(filePath: string, text: string): Promise<string[]> {
  const [result] = await eslint.lintText(text, { filePath });
  return (result?.messages ?? []).map(({ message }) => /"(.+?)"/.exec(message)?.[1] ?? message);
}

describe('the rule on words', () => {
  test.each([
    ['For a day after the code has ended. A later code kills it; this does not show.', ['kills']],
    ['The id in the path is none of an organization membership.', ['is none of']],
    ['Delete a redirect URI; nobody is sent there from now on', ['nobody']],
    ['http is taken for localhost, 127.0.0.1 and [::1] alone', ['alone']],
    ['for any other it is as good as leaving the member out', ['as good as']],
    ['You cannot sign in here. Ask whoever runs {brand}.', ['whoever']],
    ['Revoke an API key for good', ['for good']],
    ['We sent a six-digit code to your telephone.', ['telephone']],
    ['This way to sign in is not available. Choose another one.', ['way to sign']],
    ['No rotation of the secret is under way.', ['under way']],
    ['The former address is told by mail.', ['told']],
    ['The bus refused these events', ['refused']],
    ['The registration has been claimed. Its agent goes on with its assertion.', ['goes on']],
    ['Get the registration of an agent of other people', ['of other people']],
    ['An audit trail was changed meanwhile', ['meanwhile']],
    ['The session is judged by the facts', ['judged']],
    ['The request was answered by another release', ['answered']],
    ['A deleted organization answers 404 at once', ['answers 404']],
    ['A member who is held to the policy is switched off', ['held to', 'switched off']],
  ])('rejects the text "%s"', async (text, idioms) => {
    expect(await idiomsIn('functions/alpha/x.ts', `export const x = ${JSON.stringify(text)};`)).toEqual(idioms);
  });

  test('rejects an idiom in a template and in a comment', async () => {
    expect(await idiomsIn('lib/alpha/x.ts', 'export const x = (n: string) => `The bus refused ${n}`;')).toEqual([
      'refused',
    ]);
    expect(await idiomsIn('bin/x.ts', '// Nobody waits for them here.\nexport const x = 1;')).toEqual(['Nobody']);
  });

  test.each(["test('is told by mail', () => {});", "describe.each([1])('is told by mail', () => {});"])(
    'rejects an idiom in a test title: %s',
    async (text) => expect(await idiomsIn('test/areas/x.test.ts', text)).toEqual(['told']),
  );

  test.each([
    ['// What a caller sends.', ['What']],
    ['/** Whether the unit has writes. */', ['Whether']],
    ['/**\n * Whose address it is.\n */', ['Whose']],
    ['/** Of a test: where the browser goes. */', ['Of']],
    ['/** Those of the fields that are allowed. */', ['Those']],
    ['// Absent while the sign-in is pending.', ['Absent']],
    ['/** How sessions end. */', ['How']],
    ['/** RFC 6749 section 6, with rotation. */', []],
    ['/** RFC 7591 section 3.2.2. */', ['RFC 7591 section 3.2.2.']],
    ['/** ISO 8601: the end. */', ['ISO 8601:']],
    ['/** Reports whether the unit has writes. What it wrote is in the table. */', []],
    ['// Rejects the request:\n// what is missing cannot be guessed.', []],
  ])('rejects a comment that begins with a headless clause: %s', async (comment, words) => {
    expect(await idiomsIn('lib/alpha/x.ts', `${comment}\nexport const x = 1;`)).toEqual(words);
  });

  test('reports an idiom in Markdown at its line, and reads neither code nor link targets', async () => {
    const text = ['# Alpha', '`refused` [here](./told.md)', '```sh', 'kill 1', '```', 'Nobody reads it.'].join('\n');
    const [result] = await eslint.lintText(text, { filePath: 'functions/alpha/README.md' });
    expect(result?.messages).toMatchObject([{ line: 6, message: expect.stringContaining('"Nobody"') as unknown }]);
  });

  test.each([
    ['a variable', 'const refusedUser = 1;', 'refused'],
    ['a constant', 'const NOT_SHOWN = 1;', 'SHOWN'],
    ['a parameter', 'const x = (told: string) => told;', 'told'],
    ['a destructured member', 'const { a: said } = { a: 1 };', 'said'],
    ['a function', 'function tellOwner() {}', 'tell'],
    ['a method', 'class X { refuse() {} }', 'refuse'],
    ['a member of a type', 'interface X { standing: string }', 'standing'],
    ['a type', 'type Refusal = string;', 'Refusal'],
    ['a generic type', 'interface Answer<T> { body: T }', 'Answer'],
    ['an awaited value', 'const answer = await fetch(url);', 'answer'],
    ['a boolean function', 'function holdsName() {}', 'holds'],
  ])('rejects an idiom in the name of %s', async (_, text, word) => {
    const [result] = await eslint.lintText(text, { filePath: 'functions/alpha/x.ts' });
    expect(result?.messages).toMatchObject([
      { ruleId: 'words/names', message: expect.stringContaining(`has "${word}"`) as unknown },
    ]);
  });

  test.each([
    'functions/alpha/read-ahead.ts',
    'lib/alpha/stretch.ts',
    'test/areas/alpha/again.test.ts',
    'test/people.ts',
  ])('rejects the file name %s', async (filePath) => {
    const [result] = await eslint.lintText('export const x = 1;', { filePath });
    expect(result?.messages).toMatchObject([{ ruleId: 'words/names', messageId: 'file' }]);
  });

  test.each([
    ['const usersOf = async (id: string) => [id];'],
    ['function hashOf(text: string) { return text; }'],
    ['const hashOf = (text: string) => text.trim();'],
    ['const x = { sizeOf: (text: string) => text.length + 1 };'],
  ])('rejects a function that fetches or computes under a name without a verb: %s', async (text) => {
    const [result] = await eslint.lintText(text, { filePath: 'functions/alpha/x.ts' });
    expect(result?.messages).toMatchObject([{ ruleId: 'words/names', messageId: 'verb' }]);
  });

  test.each([
    ['const ownerOf = ({ owner }: { owner: string }) => owner;'],
    ['const keyOf = (id: string) => ({ pk: `things#${id}` });'],
    ['interface X { refuse_common: boolean }'],
    ['const { told } = JSON.parse("{}");'],
  ])('accepts a name that arranges members, and names of the wire: %s', async (text) => {
    const [result] = await eslint.lintText(text, { filePath: 'functions/alpha/x.ts' });
    expect(result?.messages).toEqual([]);
  });

  test.each([
    ['quoted codes in a comment', 'functions/alpha/x.ts', '// `refused` is a state.\nexport const x = 1;'],
    ['codes and names', 'functions/alpha/x.ts', "export const x = 'key_refused';"],
    [
      'plain sentences',
      'functions/alpha/x.ts',
      "// Rejects the request.\nexport const x = 'Existing passwords are not affected.';",
    ],
    ['the data of a test', 'test/areas/x.test.ts', "const x = 'a text that nobody reads';"],
  ])('accepts %s', async (_, file, text) => {
    expect(await idiomsIn(file, text)).toEqual([]);
  });
});
