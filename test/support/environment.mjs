import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { promisify, types } from 'node:util';
import { compileFunction } from 'node:vm';

import { TestEnvironment } from 'jest-environment-node';

import { setQuickPasswords } from './quick-passwords.ts';

/**
 * The test environment: Node's own, with the `require` from outside of Jest, by which `native-package.mjs` loads a package
 * once for a worker, instead of once for each test file. A file with `@packages isolated` in its first comment has them inside,
 * so that its fake timers are theirs.
 */
export default class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    // This path shows which responses belong to a test of behaviour (test/support/declarations).
    this.global.testPath = context.testPath;
    this.isIsolated = context.docblockPragmas.packages === 'isolated';
    // Packages outside read the variables that a test sets, and each side recognizes the errors and times of the other.
    this.global.process.env = process.env;
    this.variables = { ...process.env };
    recognize(this.global.Error, types.isNativeError);
    recognize(this.global.Date, types.isDate);
  }

  async setup() {
    await super.setup();
    const isQuick = process.env.GATEHOUSE_REAL_PASSWORDS === undefined;
    setQuickPasswords(isQuick && !this.global.testPath.includes('/test/rules/'));
    this.endLongTimers = trackLongTimers(this.global);
    const context = this.getVmContext();
    this.global.loadPackage = this.isIsolated ? (path, module) => compile(path, module, context) : loadOnce;
  }

  async teardown() {
    this.endLongTimers();
    for (const name of Object.keys(process.env)) if (!(name in this.variables)) delete process.env[name];
    Object.assign(process.env, this.variables);
    await super.teardown();
  }
}

/** Time in ms from which a timer is only a limit of something else. */
const LONG_TIMER_MS = 30_000;

/**
 * Tracks the long timers of a test file, and returns the function that ends them after it. The official SDK never clears the limit
 * of 60 s of a call whose response has no body, such as a deletion, so that the worker could not exit.
 */
function trackLongTimers(global) {
  const { setTimeout, clearTimeout } = global;
  const timers = new Set();
  global.setTimeout = Object.assign((call, ms, ...args) => {
    const timer = setTimeout(call, ms, ...args);
    if (ms >= LONG_TIMER_MS) timers.add(timer);
    return timer;
  }, setTimeout);
  global.setTimeout[promisify.custom] = setTimeout[promisify.custom];
  return () => timers.forEach((timer) => clearTimeout(timer));
}

const requireNatively = createRequire(import.meta.url);

function loadOnce(path, module) {
  module.exports = requireNatively(path);
}

/** Runs a package's file within a test file's context. */
function compile(path, module, parsingContext) {
  const names = ['exports', 'require', 'module', '__filename', '__dirname'];
  const run = compileFunction(readFileSync(path, 'utf8'), names, { filename: path, parsingContext });
  run.call(module.exports, module.exports, (id) => module.require(id), module, path, dirname(path));
}

/** Makes values of every context instances of a class that each context has. Subclasses are compared as usual. */
function recognize(Class, isOne) {
  const isInstance = Function.prototype[Symbol.hasInstance];
  Object.defineProperty(Class, Symbol.hasInstance, {
    configurable: true,
    value(value) {
      return isInstance.call(this, value) || (this === Class && isOne(value));
    },
  });
}

recognize(Error, types.isNativeError);
recognize(Date, types.isDate);
