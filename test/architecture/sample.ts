/**
 * `node bin/run.mjs test/architecture/sample.ts [REVISION] [--size N]`: draws 40 comments and 40 test titles (or N of each)
 * of a revision, `HEAD` by default. The draw depends only on the hash of the revision, so that another person gets the same
 * sample. A reader who does not know the project decides whether each one is plain English and can be understood without the
 * code.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';

import { parser } from 'typescript-eslint';

import { readOptions } from '../../bin/usage.ts';

/** A node of a syntax tree, with the members that are read here. */
interface Node {
  type: string;
  loc: { start: { line: number }; end: { line: number } };
  range: [number, number];
  value?: unknown;
  name?: string;
  callee?: Node;
  tag?: Node;
  object?: Node;
  arguments?: Node[];
  quasis?: { value: { cooked: string } }[];
  comments?: Node[];
}

const parse = (text: string): Node =>
  (parser as { parseForESLint: (text: string, options: object) => { ast: Node } }).parseForESLint(text, {
    comment: true,
    loc: true,
    range: true,
  }).ast;
/** `it`, `test`, `describe`, and functions such as `describeInChromium`. */
const TESTS = /^(?:it|test|describe(?:[A-Z]\w*)?)$/;
const USAGE = `usage: node bin/run.mjs test/architecture/sample.ts [REVISION] [--size N]
Draws 40 comments and 40 test titles (or N of each) of a revision, HEAD by default. The draw depends only on its hash.`;
const { positionals, values } = readOptions(USAGE, {
  allowPositionals: true,
  options: { size: { type: 'string', default: '40' } },
});
const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1e9 });
const revision = git('rev-parse', positionals[0] ?? 'HEAD').trim();

const comments: string[] = [];
const titles: string[] = [];
const files = git('ls-tree', '-r', '--name-only', revision, 'functions', 'lib', 'bin', 'test')
  .split('\n')
  .filter((path) => path.endsWith('.ts'));
for (const [path, text] of readFiles(files)) {
  const ast = parse(text);
  for (const [line, text] of listComments(ast.comments ?? [])) comments.push(`${path}:${line}\n  ${text}`);
  if (path.startsWith('test/')) for (const [line, text] of listTitles(ast)) titles.push(`${path}:${line}\n  ${text}`);
}

console.log(`Revision ${revision}: ${comments.length} comments, ${titles.length} test titles.\n`);
for (const [name, all] of Object.entries({ comments, titles })) {
  console.log(`## ${name}\n`);
  for (const [at, each] of draw(all, Number(values.size)).entries()) console.log(`${at + 1}. ${each}`);
  console.log();
}

/** The paths and texts of files of the revision, by one process of git: one for each file took a minute. */
function* readFiles(paths: readonly string[]): Generator<[path: string, text: string]> {
  const input = paths.map((path) => `${revision}:${path}\n`).join('');
  const output = execFileSync('git', ['cat-file', '--batch'], { input, maxBuffer: 1e9 });
  let at = 0;
  for (const path of paths) {
    // Each file follows a line with its hash, its type and its length in bytes, and ends with a line break.
    const end = output.indexOf(10, at);
    const length = Number(output.toString('latin1', at, end).split(' ')[2]);
    yield [path, output.toString('utf8', end + 1, end + 1 + length)];
    at = end + length + 2;
  }
}

/** Draws items in the order of a hash of the revision and the item. */
function draw(items: readonly string[], size: number): string[] {
  const rank = (item: string): string => createHash('sha256').update(revision).update(item).digest('hex');
  return items
    .map((item) => ({ item, rank: rank(item) }))
    .toSorted((one, other) => (one.rank < other.rank ? -1 : 1))
    .slice(0, size)
    .map(({ item }) => item);
}

/** The comments of a file; lines of `//` that follow each other are one comment. Directives are left out. */
function listComments(all: readonly Node[]): [number, string][] {
  const found: { from: number; to: number; text: string; isLine: boolean }[] = [];
  for (const { type, value: raw, loc } of all) {
    const value = String(raw);
    if (/^\s*(?:eslint|oxlint|@ts|!)/.test(value)) continue;
    const text = value
      .replaceAll(/^[\s*]+/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim();
    const isLine = type === 'Line';
    const last = found.at(-1);
    if (isLine && last?.isLine === true && last.to === loc.start.line - 1) {
      last.text += ` ${text}`;
      last.to = loc.end.line;
    } else found.push({ from: loc.start.line, to: loc.end.line, text, isLine });
  }
  return found.map(({ from, text }) => [from, text]);
}

/** The titles of the tests of a file, each after those of the groups that contain it. */
function listTitles(ast: Node): [number, string][] {
  const calls: { node: Node; title: string; isGroup: boolean }[] = [];
  visit(ast, (node) => {
    if (node.type !== 'CallExpression') return;
    const name = formatName(node.callee);
    const title = formatText(node.arguments?.[0]);
    if (name !== undefined && TESTS.test(name) && title !== undefined) {
      calls.push({ node, title, isGroup: name !== 'it' && name !== 'test' });
    }
  });
  return calls
    .filter(({ isGroup }) => !isGroup)
    .map(({ node, title }) => {
      const groups = calls.filter(
        (each) => each.isGroup && each.node.range[0] < node.range[0] && each.node.range[1] > node.range[1],
      );
      return [node.loc.start.line, [...groups.map((each) => each.title), title].join(' › ')];
    });
}

/** Calls a function with each node of a tree, parents first. */
function visit(node: Node, call: (node: Node) => void): void {
  call(node);
  for (const [key, value] of Object.entries(node) as [string, unknown][]) {
    if (key === 'parent' || key === 'comments' || key === 'tokens') continue;
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof child === 'object' && child !== null && 'type' in child && 'range' in child)
        visit(child as Node, call);
    }
  }
}

/** The function that is called at the root of `test`, `describe.each([...])` and the like. */
function formatName(callee: Node | undefined): string | undefined {
  if (callee?.type === 'CallExpression') return formatName(callee.callee);
  if (callee?.type === 'TaggedTemplateExpression') return formatName(callee.tag);
  if (callee?.type === 'MemberExpression') return formatName(callee.object);
  return callee?.type === 'Identifier' ? callee.name : undefined;
}

/** The text of a title; a placeholder of a template is shown as an ellipsis. */
function formatText(node: Node | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  return node?.type === 'TemplateLiteral' ? node.quasis?.map(({ value }) => value.cooked).join('…') : undefined;
}
