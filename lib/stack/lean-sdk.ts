import { basename } from 'node:path';

import { changeSource, type SourceChange } from './source-changes.ts';

/**
 * The part of an object in a middleware of the SDK that copies a client's configuration, and its replacement, by which the object
 * inherits it. The configuration has fifty members in a hash table, so a copy takes some fifty times the CPU time of inheriting it.
 */
const inherited = (copy: string): SourceChange => ({ from: copy, to: copy.replace('...config', '__proto__: config') });

/** The changes of files of `@smithy/core` in a bundle, by their names. */
const CHANGES: Readonly<Record<string, readonly SourceChange[]>> = {
  // It imports a class of `node:fs` that loads the streams of files, 4 % of a module init, for bodies that no function sends.
  // So the class is read only for a body of an unknown kind.
  calculateBodyLength: [
    { from: 'import { ReadStream, fstatSync, lstatSync }', to: 'import fs, { fstatSync, lstatSync }' },
    { from: 'instanceof ReadStream', to: 'instanceof fs.ReadStream' },
  ],
  // Three middlewares copy the configuration for each call. They read members of the copy by name.
  endpointMiddleware: [inherited('{ ...config }')],
  schemaSerializationMiddleware: [inherited('...config,\n        ...context,')],
  schemaDeserializationMiddleware: [inherited('...config,\n            ...context,')],
  // It makes an error with its stack for each call, which is replaced before anything reads it.
  retryMiddleware: [{ from: 'let lastError = new Error();', to: 'let lastError;' }],
};

/** The files of the SDK that {@link leanSdk} changes. */
export const LEAN_SDK = new RegExp(
  `[/\\\\]@smithy[/\\\\]core[/\\\\]dist-es[/\\\\].*[/\\\\](?:${Object.keys(CHANGES).join('|')})\\.js$`,
);

/**
 * The source of a file of the SDK without work that has no effect on a call.
 * @throws Error if the SDK's source has changed
 */
export const leanSdk = (path: string, source: string): string =>
  changeSource(path, source, CHANGES[basename(path, '.js')] ?? []);
