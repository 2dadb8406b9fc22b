/**
 * A Jest transform for packages that take long to load, such as the CDK: each file returns what Node loads outside of Jest,
 * so that none of them is loaded inside.
 */
export default {
  process: (_source, path) => ({ code: `module.exports = globalThis.requireNatively(${JSON.stringify(path)});` }),
};
