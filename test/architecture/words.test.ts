import { describe, expect, test } from '@jest/globals';

import { type Finding, planting } from './planted.ts';

interface Idiom {
  line: number;
  word: string;
}

const path = '../../words.plain.mjs';
const { findIdioms } = (await import(path)) as { findIdioms: (markdown: string) => Idiom[] };
const plant = planting();

/** The words that the messages quote. */
const wordsIn = (violations: readonly Finding[]): string[] =>
  violations.map(({ message }) => /"(.+?)"/.exec(message)?.[1] ?? message);
const NAMES = 'words(names)';
const sharing = (part: string): unknown => expect.stringContaining(part);

const unusedDirective = plant('lib/alpha/x.ts', '// eslint-disable-next-line words/plain -- none\nexport const x = 1;');

describe('the rule on words', () => {
  test.each(
    (
      [
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
      ] satisfies [string, string[]][]
    ).map(
      ([text, idioms]) =>
        [text, idioms, plant('functions/alpha/x.ts', `export const x = ${JSON.stringify(text)};`)] as const,
    ),
  )('rejects the text "%s"', (_, idioms, violations) => {
    expect(wordsIn(violations())).toEqual(idioms);
  });

  test.each(
    (
      [
        ['a template', 'lib/alpha/x.ts', 'export const x = (n: string) => `The bus refused ${n}`;', 'refused'],
        ['a comment', 'bin/x.ts', '// Nobody waits for them here.\nexport const x = 1;', 'Nobody'],
        ['a test title', 'test/areas/x.test.ts', "test('is told by mail', () => {});", 'told'],
        ['a title of a group', 'test/areas/x.test.ts', "describe.each([1])('is told by mail', () => {});", 'told'],
      ] satisfies [string, string, string, string][]
    ).map(([what, file, text, word]) => [what, word, plant(file, text)] as const),
  )('rejects an idiom in %s', (_, word, violations) => {
    expect(wordsIn(violations())).toEqual([word]);
  });

  test.each(
    (
      [
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
      ] satisfies [string, string[]][]
    ).map(([comment, words]) => [comment, words, plant('lib/alpha/x.ts', `${comment}\nexport const x = 1;`)] as const),
  )('rejects a comment that begins with a headless clause: %s', (_, words, violations) => {
    expect(wordsIn(violations())).toEqual(words);
  });

  test('reports an idiom in Markdown at its line, and reads neither code nor link targets', () => {
    const text = ['# Alpha', '`refused` [here](./told.md)', '```sh', 'kill 1', '```', 'Nobody reads it.'].join('\n');
    expect(findIdioms(text)).toMatchObject([{ line: 6, word: 'Nobody' }]);
  });

  test('a comment that disables a rule where nothing is wrong is reported', () => {
    expect(unusedDirective()).toMatchObject([{ message: sharing('Unused') }]);
  });

  test.each(
    (
      [
        ['a variable', 'const refusedUser = 1;', 'refused'],
        ['a constant', 'const NOT_SHOWN = 1;', 'SHOWN'],
        ['a parameter', 'const x = (told: string) => told;', 'told'],
        ['a destructured member', 'const { a: said } = { a: 1 };', 'said'],
        ['a function', 'function tellOwner() {}', 'tell'],
        ['a method', 'class X { refuse() {} }', 'refuse'],
        ['a member of a type', 'interface X { standing: string }', 'standing'],
        ['a type', 'type Refusal = string;', 'Refusal'],
        ['a generic type', 'interface Answer<T> { body: T }', 'Answer'],
        ['an awaited value', 'const answer = await load(url);', 'answer'],
        ['a boolean function', 'function holdsName() {}', 'holds'],
      ] satisfies [string, string, string][]
    ).map(([what, text, word]) => [what, word, plant('functions/alpha/x.ts', text)] as const),
  )('rejects an idiom in the name of %s', (_, word, violations) => {
    expect(violations()).toMatchObject([{ code: NAMES, message: sharing(`has "${word}"`) }]);
  });

  test.each(
    ['functions/alpha/read-ahead.ts', 'lib/alpha/stretch.ts', 'test/areas/alpha/again.test.ts', 'test/people.ts'].map(
      (file) => [file, plant(file, 'export const x = 1;')] as const,
    ),
  )('rejects the file name %s', (_, violations) => {
    expect(violations()).toMatchObject([{ code: NAMES, message: sharing('The file name') }]);
  });

  test.each(
    [
      'const usersOf = async (id: string) => [id];',
      'function hashOf(text: string) { return text; }',
      'const hashOf = (text: string) => text.trim();',
      'const x = { sizeOf: (text: string) => text.length + 1 };',
    ].map((text) => [text, plant('functions/alpha/x.ts', text)] as const),
  )('rejects a function that fetches or computes under a name without a verb: %s', (_, violations) => {
    expect(violations()).toMatchObject([{ code: NAMES, message: sharing('begin its name with a verb') }]);
  });

  test.each(
    [
      'const ownerOf = ({ owner }: { owner: string }) => owner;',
      'const keyOf = (id: string) => ({ pk: `things#${id}` });',
      'interface X { refuse_common: boolean }',
      'const { told } = JSON.parse("{}");',
    ].map((text) => [text, plant('functions/alpha/x.ts', text)] as const),
  )('accepts a name that arranges members, and names of the wire: %s', (_, violations) => {
    expect(violations()).toEqual([]);
  });

  test.each(
    (
      [
        ['quoted codes in a comment', 'functions/alpha/x.ts', '// `refused` is a state.\nexport const x = 1;'],
        ['codes and names', 'functions/alpha/x.ts', "export const x = 'key_refused';"],
        [
          'plain sentences',
          'functions/alpha/x.ts',
          "// Rejects the request.\nexport const x = 'Existing passwords are not affected.';",
        ],
        ['the data of a test', 'test/areas/x.test.ts', "const x = 'a text that nobody reads';"],
      ] satisfies [string, string, string][]
    ).map(([what, file, text]) => [what, plant(file, text)] as const),
  )('accepts %s', (_, violations) => {
    expect(violations()).toEqual([]);
  });
});
