import { builtinModules } from 'node:module';

import type { Plugin } from 'esbuild';

const NAMED = 'gatehouse-builtin';
const WHOLE = 'gatehouse-builtin-whole';
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

const known: ReadonlySet<string> = new Set(builtinModules);

/** A module for named imports, which the bundler keeps; no other member of Node's module is read. */
function named(name: string): string {
  const members = Object.keys(process.getBuiltinModule(`node:${name}`) as object);
  return [
    `const whole = /* @__PURE__ */ process.getBuiltinModule('node:${name}');`,
    'const member = (name) => whole[name];',
    'export default whole;',
    ...members
      .filter((one) => one !== 'default' && IDENTIFIER.test(one))
      .map((one) => `const $${one} = /* @__PURE__ */ member('${one}'); export { $${one} as ${one} };`),
  ].join('\n');
}

/** A module for importers of the whole module, whose members are read when they are used. */
const whole = (name: string): string => `module.exports = process.getBuiltinModule('node:${name}');`;

/**
 * Loads Node's own modules without importing them. An import reads every member of such a module to offer it by name, and
 * some members load many other modules: `node:http`, for example, loads all of `fetch` and WebSockets, which takes 40 ms of a cold
 * start without being used.
 */
export const builtins: Plugin = {
  name: NAMED,
  setup: (build) => {
    build.onResolve({ filter: /^(?:node:)?[a-z_]\w*(?:\/[a-z]\w*)?$/ }, ({ path, kind }) => {
      const name = path.replace(/^node:/, '');
      if (!known.has(name)) return undefined;
      return { path: name, namespace: kind === 'import-statement' ? NAMED : WHOLE };
    });
    build.onLoad({ filter: /^/, namespace: NAMED }, ({ path }) => ({ contents: named(path) }));
    build.onLoad({ filter: /^/, namespace: WHOLE }, ({ path }) => ({ contents: whole(path) }));
  },
};
