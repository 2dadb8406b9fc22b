/**
 * A Jest transform of packages that take long to load, such as the CDK: each file hands on what Node loads outside of Jest, so
 * that nothing of them is loaded inside.
 */
export default {
  process: (_source, path) => ({ code: `module.exports = globalThis.requireNatively(${JSON.stringify(path)});` }),
};
