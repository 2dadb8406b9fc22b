import { eventEntry } from '../kernel/http/worker.ts';
import { eraseDeleted } from './erase.ts';

/** The Lambda entry of the rule for deleted users and organizations. */
export const erase = eventEntry('erasure-erase', eraseDeleted);
