import { basename } from 'node:path';

import ts from 'typescript';

import { withPureConstants } from './pure-constants.ts';

/** The beginning and the end of each file of ElectroDB. */
const REQUIRED = /^const (?:(?<members>\{[^}]*\})|(?<name>\w+)) = require\((?<from>"[^"]+")\)(?:\.(?<member>\w+))?;$/gm;
const EXPORTED = /^module\.exports = (\{[^}]*\});$/m;

/**
 * Converts a file of ElectroDB to a module. CommonJS wraps each file in a function, which V8 parses twice and from
 * which nothing can be tree-shaken.
 * @throws Error for a file with another structure
 */
function asModule(path: string, source: string): string {
  const imported = (...groups: unknown[]) => {
    const { members, name, from, member } = groups.at(-1) as Record<string, string | undefined>;
    return `import ${members ?? (member === undefined ? `* as ${name}` : `{ ${member} as ${name} }`)} from ${from};`;
  };
  const contents = source
    .replaceAll(REQUIRED, imported)
    .replace(EXPORTED, (_, members: string) => `export ${members.replaceAll(/(\w+): (\w+)/g, '$2 as $1')};`);
  if (/\brequire\(|\bmodule\.exports\b/.test(contents))
    throw new Error(`${path} is no module when its head is rewritten`);
  return contents;
}

/**
 * Methods of ElectroDB's entities that only its own other forms of cursors, loggers and expressions call, which functions do not use:
 * lists here have cursors of their own (`kernel/pagination.ts`). A bundler keeps every method of a class.
 */
const UNUSED_METHODS = new Set([
  '_addLogger',
  '_fromCompositeToCursor',
  '_fromCompositeToCursorByIndex',
  '_fromCompositeToKeys',
  '_fromCursorToComposite',
  '_fromCursorToCompositeByIndex',
  '_fromCursorToKeys',
  '_fromCursorToKeysByIndex',
  '_fromKeysToComposite',
  '_fromKeysToCompositeByIndex',
  '_fromKeysToCursor',
  '_fromKeysToCursorByIndex',
  '_normalizeLimitValue',
  '_parseComposedKey',
  '_parseFacets',
  '_safeMinimum',
  '_updateExpressionBuilder',
  '_verifyKeys',
  'addListeners',
  'cleanseRetrievedData',
  'deserializeCursor',
  'ownsCursor',
  'ownsPager',
  'serializeCursor',
  'setIdentifier',
]);

/**
 * The source of an entity without {@link UNUSED_METHODS}.
 * @throws Error if one is missing, or is mentioned anywhere else in the source
 */
function withoutUnusedMethods(path: string, source: string): string {
  const found: ts.ClassElement[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isMethodDeclaration(node) && ts.isIdentifier(node.name) && UNUSED_METHODS.has(node.name.text))
      found.push(node);
    else ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest));
  const contents = found.reduceRight((text, { pos, end }) => text.slice(0, pos) + text.slice(end), source);
  const mentioned = [...UNUSED_METHODS].filter((name) => new RegExp(`\\b${name}\\b`).test(contents));
  if (found.length !== UNUSED_METHODS.size || mentioned.length > 0)
    throw new Error(`${path} uses its methods differently: ${mentioned.join(', ')}`);
  return contents;
}

/** Links of chains of calls (`entity.scan`, collections, batches, transactions) that no function uses. */
const UNUSED_CLAUSES = [
  'batchDelete',
  'batchGet',
  'batchPut',
  'check',
  'clusteredCollection',
  'collection',
  'compositeCollection',
  'scan',
];

/**
 * The source of the clauses without {@link UNUSED_CLAUSES}, also where they are named as the next link of another clause.
 * @throws Error if one is missing, or is used by another clause
 */
function withoutUnusedClauses(path: string, source: string): string {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    const isClause = ts.isPropertyAssignment(node) && ts.isObjectLiteralExpression(node.initializer);
    if (isClause && ts.isIdentifier(node.name) && UNUSED_CLAUSES.includes(node.name.text)) found.push(node);
    else ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest));
  const names = UNUSED_CLAUSES.join('|');
  const contents = found
    .reduceRight((text, { pos, end }) => text.slice(0, pos) + text.slice(end).replace(/^,/, ''), source)
    .replaceAll(new RegExp(`"(?:${names})",?`, 'g'), '');
  if (found.length !== UNUSED_CLAUSES.length || new RegExp(`\\bclauses\\.(?:${names})\\b`).test(contents))
    throw new Error(`${path} declares its clauses differently`);
  return contents;
}

/**
 * The source of a file that adds clauses to those of `clauses.js`, such as `where`.
 * @throws Error if it names one of {@link UNUSED_CLAUSES}, which would then be undefined when the chain is built
 */
function withoutMention(path: string, source: string): string {
  const mentioned = UNUSED_CLAUSES.filter((name) => source.includes(`"${name}"`));
  if (mentioned.length > 0) throw new Error(`${path} uses clauses that are left out: ${mentioned.join(', ')}`);
  return source;
}

/** The registration of a JSON schema of models at the validator, which is left out (`lean.ts`). */
const REGISTERED = /^v\.addSchema\(\w+, "[^"]+"\);$/gm;

/** A file of ElectroDB as a module, without what functions do not use. @throws Error if ElectroDB's source has changed */
export function leanElectroDb(path: string, source: string): string {
  const contents = asModule(path, source);
  switch (basename(path)) {
    case 'entity.js':
      return withoutUnusedMethods(path, contents);
    case 'clauses.js':
      return withoutUnusedClauses(path, contents);
    case 'filters.js':
    case 'where.js':
      return withoutMention(path, contents);
    case 'validations.js':
      if (!REGISTERED.test(contents)) throw new Error(`${path} registers its schemas differently`);
      return withPureConstants(path, contents.replaceAll(REGISTERED, ''));
    default:
      return contents;
  }
}
