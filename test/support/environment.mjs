import { createRequire } from 'node:module';
import { promisify, types } from 'node:util';

import { TestEnvironment } from 'jest-environment-node';

import { setQuickPasswords } from './quick-passwords.ts';

/** Classes whose values pass between a test file and the modules outside of Jest: each side recognizes those of the other. */
const SHARED = [
  ...['Error', 'TypeError', 'RangeError', 'SyntaxError', 'EvalError', 'ReferenceError', 'URIError', 'AggregateError'],
  ...['Date', 'Map', 'Set', 'WeakMap', 'WeakSet'],
];

const requireNatively = createRequire(import.meta.url);

/**
 * The test environment: Node's own, with the `require` from outside of Jest, by which `native-module.mjs` loads a source or a
 * package once for a worker, instead of once for each test file. After a file the kernel forgets what it has of it.
 */
export default class extends TestEnvironment {
  #usesSources = false;

  constructor(config, context) {
    super(config, context);
    // This path shows which responses belong to a test of behaviour (test/support/declarations).
    this.global.testPath = context.testPath;
    // Modules outside read the variables that a test sets.
    this.global.process.env = process.env;
    this.variables = { ...process.env };
    for (const name of SHARED) this.global[name] = globalThis[name];
  }

  async setup() {
    await super.setup();
    const isQuick = process.env.GATEHOUSE_REAL_PASSWORDS === undefined;
    setQuickPasswords(isQuick && !this.global.testPath.includes('/test/rules/'));
    this.endLongTimers = trackLongTimers(globalThis);
    this.global.setTimeout = globalThis.setTimeout;
    this.global.loadNatively = (path) => {
      this.#usesSources ||= !path.includes('/node_modules/');
      return requireNatively(path);
    };
  }

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    this.endLongTimers();
    for (const name of Object.keys(process.env)) if (!(name in this.variables)) delete process.env[name];
    Object.assign(process.env, this.variables);
    if (this.#usesSources) (await import('./forget.ts')).forgetFile();
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
  const { setTimeout } = global;
  const timers = new Set();
  global.setTimeout = Object.assign((call, ms, ...args) => {
    const timer = setTimeout(call, ms, ...args);
    if (ms >= LONG_TIMER_MS) timers.add(timer);
    return timer;
  }, setTimeout);
  global.setTimeout[promisify.custom] = setTimeout[promisify.custom];
  return () => {
    global.setTimeout = setTimeout;
    timers.forEach((timer) => clearTimeout(timer));
  };
}

/** Makes the values of each context instances of a class: those that its literals and its engine make are not of the shared class. */
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
recognize(RegExp, types.isRegExp);
