import type { Binding } from '../../../kernel/http/cookies.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import { expiringAttributes, ownedRecord } from '../../../kernel/storage/record.ts';

/** A sign-in to the console that a browser has begun. Its id is the hash of the `state`, so that the response finds it. */
const ConsoleSignInEntity = entity(
  ownedRecord('console-sign-in', {
    ...expiringAttributes,
    /** The hash of the cookie of the browser that began the sign-in. */
    browserHash: { type: 'string', required: true },
    /** The time when it began, in milliseconds since the epoch. */
    startedAt: { type: 'number', required: true },
    /** The path and query of the page of the console to which it returns. */
    returnTo: { type: 'string', required: true },
    /** The operator who proves again who they are; absent for a sign-in. */
    userId: { type: 'string' },
    /** The form that waits for the proof, encrypted under the browser's cookie. */
    sealed: { type: 'any' },
    /** True for a row that is kept after its response for its form. */
    isDone: { type: 'boolean' },
  }),
);

export type ConsoleSignInRecord = RecordOf<typeof ConsoleSignInEntity>;
export const consoleSignIns = collection(ConsoleSignInEntity, 'internal');

/** The cookie of the browser that began a sign-in. */
export const signInBinding = (id: string): Binding => ({ purpose: 'console_sign_in', id });

/** Seconds within which a sign-in to the console must return. */
export const SIGN_IN_SECONDS = 600;
