import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

import ts from 'typescript';

/** A use of a name in a declaration. */
export interface Use {
  /** The declaration that the name means. */
  of: Declaration;
  /** The member that is read from it, and that of its result: `get` of `things.get(…)`, `entity.query` of `things.entity().query`; undefined for the value itself. */
  member: string | undefined;
  /** The function to which the value itself is passed, if it is called by its name. */
  passedTo: string | undefined;
}

/** A declaration of a file's top level: a function, a class, a variable, or all other statements together. */
export interface Declaration {
  /** The path of the file from the root of the repository. */
  file: string;
  /** Its name; `(statements)` for the statements that declare nothing, which run when the file is loaded. */
  name: string;
  nodes: readonly ts.Node[];
}

interface SourceFile {
  declarations: Map<string, Declaration>;
  /** Exported names of other files: the file, and the name in it. */
  forwarded: Map<string, Binding>;
  /** Files of which all is exported. */
  stars: string[];
  imports: Map<string, Binding>;
}

interface Binding {
  file: string;
  /** `*` for all of the file. */
  name: string;
}

/** The declaration of statements that declare nothing. */
const STATEMENTS = '(statements)';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The text of a file of the repository by its path. @throws Error if there is none */
export const readSource = (path: string): string => readFileSync(posix.join(root, path), 'utf8');

/**
 * The declarations of source files, and what each uses. Files are parsed when they are first needed, without types: a local
 * name that hides one of the file's top level counts as a use of that one. So a declaration may seem to use more than it does, and
 * never less.
 */
export class Sources {
  readonly #read: (path: string) => string;
  readonly #files = new Map<string, SourceFile>();
  readonly #uses = new Map<Declaration, Use[]>();

  /** @param read returns the text of a file by its path in the repository */
  constructor(read: (path: string) => string = readSource) {
    this.#read = read;
  }

  /** The declaration that a file has or exports under a name; undefined if it has none. */
  find(file: string, name: string): Declaration | undefined {
    const { declarations, forwarded, stars } = this.#open(file);
    const other = forwarded.get(name);
    if (other !== undefined) return this.find(other.file, other.name);
    const own = declarations.get(name);
    if (own !== undefined) return own;
    for (const star of stars) {
      const found = this.find(star, name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** All uses of other declarations in a declaration, and the statements of its file. */
  listUses(declaration: Declaration): readonly Use[] {
    const known = this.#uses.get(declaration);
    if (known !== undefined) return known;
    const uses = declaration.nodes.flatMap((node) => this.#collect(declaration, node));
    const statements = this.#open(declaration.file).declarations.get(STATEMENTS);
    if (statements !== undefined && statements !== declaration) uses.push(asWhole(statements));
    this.#uses.set(declaration, uses);
    return uses;
  }

  /** All declarations that a declaration reaches, itself included, each with the one from which it was first reached. */
  reach(start: Declaration): Map<Declaration, Declaration | undefined> {
    const reached = new Map<Declaration, Declaration | undefined>([[start, undefined]]);
    // A map visits the entries that are added while it is iterated.
    for (const [declaration] of reached) {
      for (const { of } of this.listUses(declaration)) if (!reached.has(of)) reached.set(of, declaration);
    }
    return reached;
  }

  #collect(declaration: Declaration, start: ts.Node): Use[] {
    const { declarations, imports } = this.#open(declaration.file);
    const uses: Use[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
      const loaded = readDynamicImport(node);
      if (loaded !== undefined) uses.push(...this.#all(resolve(declaration.file, loaded)));
      if (!ts.isIdentifier(node)) return ts.forEachChild(node, visit);
      if (isNameOnly(node)) return;
      const own = declarations.get(node.text);
      const imported = imports.get(node.text);
      const { member, passedTo } = describeUse(node);
      if (own !== undefined) {
        if (own !== declaration) uses.push({ of: own, member, passedTo });
      } else if (imported?.name === '*') {
        const [name] = member?.split('.') ?? [];
        const found = name === undefined ? undefined : this.find(imported.file, name);
        uses.push(...(found === undefined ? this.#all(imported.file) : [asWhole(found)]));
      } else if (imported !== undefined) {
        const found = this.find(imported.file, imported.name);
        if (found !== undefined) uses.push({ of: found, member, passedTo });
      }
    };
    visit(start);
    return uses;
  }

  #all(path: string): Use[] {
    if (!path.endsWith('.ts')) return [];
    const { declarations, forwarded, stars } = this.#open(path);
    const others = [...forwarded.values()].flatMap(({ file, name }) => this.find(file, name) ?? []);
    return [...[...declarations.values(), ...others].map(asWhole), ...stars.flatMap((star) => this.#all(star))];
  }

  #open(path: string): SourceFile {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const parsed = ts.createSourceFile(path, this.#read(path), ts.ScriptTarget.Latest, true);
    const file = readFile(path, parsed);
    this.#files.set(path, file);
    return file;
  }
}

const asWhole = (of: Declaration): Use => ({ of, member: undefined, passedTo: undefined });

const resolve = (from: string, specifier: string): string => posix.join(posix.dirname(from), specifier);

function readFile(path: string, { statements }: ts.SourceFile): SourceFile {
  const file: SourceFile = { declarations: new Map(), forwarded: new Map(), stars: [], imports: new Map() };
  const declare = (name: string, node: ts.Node): void => {
    const nodes = [...(file.declarations.get(name)?.nodes ?? []), node];
    file.declarations.set(name, { file: path, name, nodes });
  };
  for (const statement of statements) {
    if (ts.isImportDeclaration(statement)) readImport(path, statement, file.imports);
    else if (ts.isExportDeclaration(statement)) readExport(path, statement, file);
    else if (ts.isVariableStatement(statement)) {
      const { declarations } = statement.declarationList;
      declarations.flatMap((each) => listNames(each.name).map((name) => declare(name, each)));
    } else if ((ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name)
      declare(statement.name.text, statement);
    else if (ts.isExportAssignment(statement)) declare('default', statement);
    else if (!ts.isInterfaceDeclaration(statement) && !ts.isTypeAliasDeclaration(statement))
      declare(STATEMENTS, statement);
  }
  // A name that is imported and exported again.
  for (const [name, { file: from, name: local }] of file.forwarded) {
    const imported = from === path ? file.imports.get(local) : undefined;
    if (imported !== undefined) file.forwarded.set(name, imported);
    else if (from === path && name === local) file.forwarded.delete(name);
  }
  return file;
}

/** The specifier of a relative import; undefined for packages. */
function readSpecifier(node: ts.Expression | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteral(node) && node.text.startsWith('.') ? node.text : undefined;
}

function readImport(path: string, statement: ts.ImportDeclaration, imports: SourceFile['imports']): void {
  const specifier = readSpecifier(statement.moduleSpecifier);
  const clause = statement.importClause;
  if (specifier === undefined || clause === undefined || clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return;
  const file = resolve(path, specifier);
  if (!file.endsWith('.ts')) return;
  if (clause.name !== undefined) imports.set(clause.name.text, { file, name: 'default' });
  const bindings = clause.namedBindings;
  if (bindings === undefined) return;
  if (ts.isNamespaceImport(bindings)) imports.set(bindings.name.text, { file, name: '*' });
  else {
    for (const { isTypeOnly, name, propertyName } of bindings.elements) {
      if (!isTypeOnly) imports.set(name.text, { file, name: (propertyName ?? name).text });
    }
  }
}

function readExport(path: string, statement: ts.ExportDeclaration, { forwarded, stars }: SourceFile): void {
  if (statement.isTypeOnly) return;
  const specifier = readSpecifier(statement.moduleSpecifier);
  const file = specifier === undefined ? path : resolve(path, specifier);
  const { exportClause: clause } = statement;
  if (clause === undefined) stars.push(file);
  else if (ts.isNamedExports(clause)) {
    for (const { isTypeOnly, name, propertyName } of clause.elements) {
      if (!isTypeOnly) forwarded.set(name.text, { file, name: (propertyName ?? name).text });
    }
  }
}

const listNames = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : listNames(element.name)));

function readDynamicImport(node: ts.Node): string | undefined {
  return ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
    ? readSpecifier(node.arguments[0])
    : undefined;
}

/** Reports whether an identifier only names a member, a parameter or a local variable. */
function isNameOnly(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isBindingElement(parent)) {
    return parent.name === node || (ts.isBindingElement(parent) && parent.propertyName === node);
  }
  const named = parent as { name?: ts.Node };
  return named.name === node && !ts.isShorthandPropertyAssignment(parent);
}

function describeUse(node: ts.Identifier): Pick<Use, 'member' | 'passedTo'> {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node) {
    const member = parent.name.text;
    const call = parent.parent;
    if (!ts.isCallExpression(call) || call.expression !== parent) return { member, passedTo: undefined };
    const next = call.parent;
    if (ts.isPropertyAccessExpression(next)) return { member: `${member}.${next.name.text}`, passedTo: undefined };
    return { member, passedTo: member === 'entity' ? readCallee(next, call) : undefined };
  }
  return { member: undefined, passedTo: readCallee(parent, node) };
}

function readCallee(call: ts.Node, argument: ts.Expression): string | undefined {
  return ts.isCallExpression(call) && call.arguments.includes(argument) && ts.isIdentifier(call.expression)
    ? call.expression.text
    : undefined;
}
