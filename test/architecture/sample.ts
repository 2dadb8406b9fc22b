/**
 * `node bin/run.mjs test/architecture/sample.ts [REVISION] [--size N]`: draws 40 comments and 40 test titles (or N of each)
 * of a revision, `HEAD` by default. The draw depends only on the hash of the revision, so that another person gets the same
 * sample. A reader who does not know the project decides whether each one is plain English and can be understood without the
 * code.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';

import ts from 'typescript';

import { readOptions } from '../../bin/usage.ts';

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
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  for (const [line, text] of listComments(source)) comments.push(`${path}:${line}\n  ${text}`);
  if (path.startsWith('test/'))
    for (const [line, text] of listTitles(source)) titles.push(`${path}:${line}\n  ${text}`);
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
function listComments(source: ts.SourceFile): [number, string][] {
  const ranges = new Map<number, ts.CommentRange>();
  const add = (node: ts.Node): void => {
    // Only tokens have comments of their own; the position of a token is the end of the one before it.
    const children = node.getChildren(source);
    children.forEach(add);
    if (children.length > 0) return;
    for (const list of [ts.getLeadingCommentRanges, ts.getTrailingCommentRanges]) {
      for (const range of list(source.text, node.pos) ?? []) ranges.set(range.pos, range);
    }
  };
  add(source);
  const found: { from: number; to: number; text: string; isLine: boolean }[] = [];
  for (const { pos, end, kind } of [...ranges.values()].toSorted((one, other) => one.pos - other.pos)) {
    const isLine = kind === ts.SyntaxKind.SingleLineCommentTrivia;
    const value = source.text.slice(pos + 2, isLine ? end : end - 2);
    if (/^\s*(?:oxlint|@ts|!)/.test(value)) continue;
    const text = value
      .replaceAll(/^[\s*]+/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim();
    const [from, to] = [pos, end].map((at) => findLine(source, at)) as [number, number];
    const last = found.at(-1);
    if (isLine && last?.isLine === true && last.to === from - 1) {
      last.text += ` ${text}`;
      last.to = to;
    } else found.push({ from, to, text, isLine });
  }
  return found.map(({ from, text }) => [from, text]);
}

/** The titles of the tests of a file, each after those of the groups that contain it. */
function listTitles(source: ts.SourceFile): [number, string][] {
  const found: [number, string][] = [];
  const visit = (node: ts.Node, groups: readonly string[]): void => {
    const name = ts.isCallExpression(node) ? formatName(node.expression) : undefined;
    const title =
      name !== undefined && TESTS.test(name) ? formatText((node as ts.CallExpression).arguments[0]) : undefined;
    const titles = title === undefined ? groups : [...groups, title];
    if (title !== undefined && (name === 'it' || name === 'test')) {
      found.push([findLine(source, node.getStart(source)), titles.join(' › ')]);
    }
    ts.forEachChild(node, (child) => visit(child, titles));
  };
  visit(source, []);
  return found;
}

function findLine(source: ts.SourceFile, position: number): number {
  return source.getLineAndCharacterOfPosition(position).line + 1;
}

/** The function that is called at the root of `test`, `describe.each([...])` and the like. */
function formatName(callee: ts.Expression): string | undefined {
  if (ts.isCallExpression(callee) || ts.isPropertyAccessExpression(callee)) return formatName(callee.expression);
  if (ts.isTaggedTemplateExpression(callee)) return formatName(callee.tag);
  return ts.isIdentifier(callee) ? callee.text : undefined;
}

/** The text of a title; a placeholder of a template is shown as an ellipsis. */
function formatText(node: ts.Expression | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join('…');
}
