import base from '../jest.config.mjs';

/** The configuration of Jest for the random histories of trust: `npm run soak -- trust`. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/areas/trust/*.soak.ts'],
  reporters: ['default'],
  maxWorkers: 1,
  setupFilesAfterEnv: [],
};
