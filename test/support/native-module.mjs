import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const requireNatively = createRequire(import.meta.url);
// A package's exports change only with this file, and a source's exports with the source, since none re-exports all of another.
const lock = readFileSync(new URL('../../package-lock.json', import.meta.url));
const self = readFileSync(new URL(import.meta.url));

/**
 * A Jest transform for what a worker loads once instead of once for each test file: the sources of the product, and packages.
 * Each file is the module that `environment.mjs` loads outside of Jest, so that none of those that it imports is loaded inside.
 */
export default {
  process: (_source, path, { supportsStaticESM }) => ({
    code: supportsStaticESM ? reexport(path) : `module.exports = globalThis.loadNatively(${JSON.stringify(path)});`,
  }),
  getCacheKey: (source, path, { supportsStaticESM }) =>
    createHash('sha256')
      .update(self)
      .update(`${path} ${supportsStaticESM}`)
      .update(path.includes('/node_modules/') ? lock : source)
      .digest('hex'),
};

/** The text of an ES module with the exports of another. */
function reexport(path) {
  const names = Object.keys(requireNatively(path)).filter(
    (name) => !name.startsWith('__') && name !== 'module.exports',
  );
  const lines = names.map((name, at) => `const e${at} = native[${JSON.stringify(name)}];`);
  const list = names.map((name, at) => `e${at} as ${name}`).join(', ');
  return `const native = globalThis.loadNatively(${JSON.stringify(path)});\n${lines.join('\n')}\nexport { ${list} };\n`;
}
