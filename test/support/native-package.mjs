import { createHash } from 'node:crypto';

/**
 * A Jest transform for packages that take long to load, such as the CDK: each file is what `environment.mjs` loads, which
 * is outside of Jest as a rule, so that none of them is loaded inside.
 */
const code = (path) => `globalThis.loadPackage(${JSON.stringify(path)}, module);`;

export default {
  process: (_source, path) => ({ code: code(path) }),
  getCacheKey: (_source, path) => createHash('sha256').update(code(path)).digest('hex'),
};
