import ts from 'typescript';

import type { Declaration, Sources } from './sources.ts';

/** A kind of row, as an entity declares it. */
export interface Kind {
  /** The name of the entity. */
  name: string;
  /** The partition keys of its rows: `#name#*` after the id of an environment, or all of a key of the stage, such as `stage#name#*`. */
  key: string;
}

/** Functions of the kernel that make an entity of a name. */
const FACTORIES = new Set(['pageSessions', 'offers', 'serverSecret']);

/** The kind of row of a declaration, which is its entity, its collection, or a factory's object; undefined for all others. */
export function readKind(sources: Sources, declaration: Declaration): Kind | undefined {
  const call = readCall(declaration);
  const callee = call === undefined ? undefined : readName(call.expression);
  if (call === undefined || callee === undefined) return undefined;
  const reader = new Reader(sources, declaration);
  if (FACTORIES.has(callee)) return reader.readFactory(call);
  if (callee === 'entity') return reader.readEntity(call);
  if (callee !== 'collection') return undefined;
  const [entity] = sources.listUses(declaration).filter(({ passedTo }) => passedTo === 'collection');
  const kind = entity === undefined ? undefined : readKind(sources, entity.of);
  if (kind === undefined) throw new Error(`${declaration.file}: ${declaration.name} is a collection of no entity`);
  return kind;
}

function readCall({ nodes: [node] }: Declaration): ts.CallExpression | undefined {
  if (node === undefined || !ts.isVariableDeclaration(node) || node.initializer === undefined) return undefined;
  return ts.isCallExpression(node.initializer) ? node.initializer : undefined;
}

const readName = (node: ts.Expression): string | undefined => (ts.isIdentifier(node) ? node.text : undefined);

function findProperty(node: ts.Node | undefined, name: string): ts.Expression | undefined {
  if (node === undefined || !ts.isObjectLiteralExpression(node)) return undefined;
  const found = node.properties.find((each) => each.name !== undefined && each.name.getText() === name);
  return found !== undefined && ts.isPropertyAssignment(found) ? found.initializer : undefined;
}

/** Reads the literals with which a declaration calls the functions of `kernel/storage/record.ts`. */
class Reader {
  readonly #sources: Sources;
  readonly #declaration: Declaration;

  constructor(sources: Sources, declaration: Declaration) {
    this.#sources = sources;
    this.#declaration = declaration;
  }

  readFactory({ arguments: [given] }: ts.CallExpression): Kind {
    const name = this.#readText(findProperty(given, 'kind') ?? given);
    return { name, key: `#${name}#*` };
  }

  readEntity({ arguments: [schema] }: ts.CallExpression): Kind {
    if (schema !== undefined && ts.isCallExpression(schema) && readName(schema.expression) === 'ownedRecord') {
      const name = this.#readText(schema.arguments[0]);
      return { name, key: `#${name}#*` };
    }
    const model = findProperty(schema, 'model');
    if (model === undefined || !ts.isCallExpression(model)) throw this.#fail('model');
    const primary = findProperty(findProperty(schema, 'indexes'), 'primary');
    return { name: this.#readText(model.arguments[0]), key: this.#readKey(primary) };
  }

  #readKey(primary: ts.Expression | undefined): string {
    if (primary !== undefined && ts.isCallExpression(primary)) {
      const [kind, ...parts] = primary.arguments;
      const maker = readName(primary.expression);
      const isOne = maker === 'environmentKey' || (maker === 'childKey' && parts.length === 0);
      return `#${this.#readText(kind)}${isOne ? '' : '#*'}`;
    }
    const pk = findProperty(primary, 'pk');
    if (pk !== undefined && ts.isCallExpression(pk)) {
      const [, kind, ...parts] = pk.arguments;
      return `#${this.#readText(kind)}${parts.length === 0 ? '' : '#*'}`;
    }
    const [fixed = '', ...parts] = this.#readText(findProperty(pk, 'template'))
      .replace('${environmentId}', '')
      .split(/\$\{\w+\}/);
    if (fixed === '') throw this.#fail('primary key');
    return parts.length === 0 ? fixed : `${fixed}*`;
  }

  /** The text of a literal, or of the constant that a name means. */
  #readText(node: ts.Expression | undefined): string {
    if (node !== undefined && ts.isStringLiteralLike(node)) return node.text;
    if (node !== undefined && ts.isIdentifier(node)) {
      const constant = this.#sources.listUses(this.#declaration).find(({ of }) => of.name === node.text)?.of.nodes[0];
      if (constant !== undefined && ts.isVariableDeclaration(constant)) return this.#readText(constant.initializer);
    }
    throw this.#fail(`text ${node?.getText() ?? ''}`);
  }

  #fail(part: string): Error {
    const { file, name } = this.#declaration;
    return new Error(`${file}: the ${part} of ${name} is not written as literals, so its keys are not known`);
  }
}
