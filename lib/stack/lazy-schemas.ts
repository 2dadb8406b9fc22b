import { changeSource, type SourceChange } from './source-changes.ts';

/** The definition of a schema: of one that is not built yet, its own part. */
const definition = (schema: string): string => `(${schema}[PENDING]?.def ?? ${schema}._zod.def)`;

/**
 * The changes of each file. Zod builds a schema when it is made: it runs the initializers of all of its traits, which takes some 10 us
 * of a cold start, and a function makes up to a thousand schemas, of which a call uses a few. Here a schema that was only made keeps its
 * definition, and is built when something first reads `_zod`, by Zod's own code. Methods that derive a schema, such as `optional` and
 * `extend`, read only the definition. The first schema of each class is built at once, since this installs the members of the class and
 * shows which members its schemas have themselves: reading one of these builds a schema too.
 */
const changes: Readonly<Record<string, readonly SourceChange[]>> = {
  'core/util.js': [
    {
      from: 'export function clone(inst, def, params) {\n    const cl = new inst._zod.constr(def ?? inst._zod.def);',
      to: `export const PENDING = /*@__PURE__*/ Symbol('pending');
        export function clone(inst, def, params) {
          const source = inst[PENDING];
          const cl = source ? new inst.constructor(def ?? source.def) : new inst._zod.constr(def ?? inst._zod.def);
          const copy = cl[PENDING];
          if (copy) {
            if (!def || params?.parent) copy.parent = inst;
            return cl;
          }`,
    },
    // The members of a trait are the same for each class that composes it, so their descriptors are made once.
    {
      from: 'export function members(proto, table) {\n',
      to: `const described = /*@__PURE__*/ new WeakMap();
        export function members(proto, table) {
          let all = described.get(table);
          if (all === undefined) described.set(table, (all = describeMembers(table)));
          Object.defineProperties(proto, all);
        }
        function describeMembers(table) {
          const all = {};
`,
    },
    {
      from: 'Object.defineProperty(proto, key, { ...desc, enumerable: false });',
      to: 'all[key] = { ...desc, enumerable: false };',
    },
    {
      from: 'defineBound(proto, key, desc.value);\n    }\n',
      to: 'all[key] = describeBound(key, desc.value);\n    }\n    return all;\n',
    },
    {
      from: 'function defineBound(proto, key, fn) {\n    Object.defineProperty(proto, key, {',
      to: 'function describeBound(key, fn) {\n    return ({',
    },
    { from: 'schema._zod.def', to: definition('schema'), everywhere: true },
  ],
  'core/core.js': [
    { from: 'import { members as installMembers }', to: 'import { members as installMembers, PENDING }' },
    {
      from: 'function _(def) {\n        const inst = params?.Parent ? newError(Definition) : this;\n        init(inst, def);',
      to: `let isInstalled = false;
        function _(def) {
          // An error is built at once.
          if (params?.Parent || (typeof def?.type !== 'string' && typeof def?.check !== 'string'))
            return build(params?.Parent ? newError(Definition) : this, def);
          if (isInstalled) {
            this[PENDING] = { def, parent: undefined };
            return this;
          }
          buildParts(def);
          build(this, def);
          installPending(_.prototype, this, buildPending);
          isInstalled = true;
          return this;
        }
        function buildPending(inst) {
          const { def, parent } = inst[PENDING];
          inst[PENDING] = undefined;
          _zodDesc.value = new Internals(def);
          Object.defineProperty(inst, '_zod', _zodDesc);
          _zodDesc.value = undefined;
          build(inst, def);
          if (parent) inst._zod.parent = parent;
        }
        function build(inst, def) {
          init(inst, def);`,
    },
    {
      from: '//////////////////////////////   UTILITIES   ',
      to: `
        // Builds the schemas of a definition. The initializers of the first schema of a class must not be interrupted by those of another.
        function buildParts(def) {
          for (const { value } of Object.values(Object.getOwnPropertyDescriptors(def)))
            for (const part of Array.isArray(value) ? value : [value]) void part?._zod;
        }
        function installPending(proto, first, build) {
          const read = (key) => function () {
            if (this[PENDING] === undefined) return undefined;
            build(this);
            return Object.hasOwn(this, key) ? this[key] : undefined;
          };
          const known = { def() { return this[PENDING]?.def; }, type() { return this[PENDING]?.def.type; } };
          for (const key of Object.getOwnPropertyNames(first)) {
            if (key in proto) continue;
            Object.defineProperty(proto, key, {
              configurable: true,
              get: Object.hasOwn(known, key) ? known[key] : read(key),
              set(value) { Object.defineProperty(this, key, { configurable: true, writable: true, enumerable: true, value }); },
            });
          }
        }
        //////////////////////////////   UTILITIES   `,
    },
  ],
  'classic/schemas.js': [
    { from: 'this._zod.def', to: '(this[util.PENDING]?.def ?? this._zod.def)', everywhere: true },
    { from: 'if (!valueType || !valueType._zod) {', to: "if (!valueType || !('_zod' in valueType)) {" },
  ],
};

/** The files of Zod that {@link withLazySchemas} changes. */
export const LAZY_SCHEMAS = /[/\\]zod[/\\]v4[/\\]((?:core|classic)[/\\](?:core|util|schemas)\.js)$/;

/**
 * A file of Zod whose schemas are built when they are first used.
 * @throws Error if Zod's source has changed
 */
export function withLazySchemas(path: string, source: string): string {
  const [, file = ''] = LAZY_SCHEMAS.exec(path) ?? [];
  return changeSource(path, source, changes[file.replace('\\', '/')] ?? []);
}
