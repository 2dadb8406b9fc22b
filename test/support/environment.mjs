import { createRequire } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';

import { setQuickPasswords } from './quick-passwords.ts';

/**
 * The test environment: Node's own, with the `require` from outside of Jest, by which `native-package.mjs` loads a package
 * once for a worker, instead of once for each test file.
 */
export default class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    // This path shows which responses belong to a test of behaviour (test/support/declarations).
    this.global.testPath = context.testPath;
  }

  async setup() {
    await super.setup();
    const isQuick = process.env.GATEHOUSE_REAL_PASSWORDS === undefined;
    setQuickPasswords(isQuick && !this.global.testPath.includes('/test/rules/'));
    this.global.requireNatively = createRequire(import.meta.url);
  }
}
