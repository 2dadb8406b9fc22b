import { httpEntry } from '../../kernel/http/entry.ts';
import { scheduleEntry } from '../../kernel/http/worker.ts';
import { accountArea } from './area.ts';
import { executeResets } from './factor-reset/execute.ts';

export const http = httpEntry(accountArea);

/** The Lambda entry of the scheduled worker that carries out delayed resets of factors. */
export const resetFactors = scheduleEntry('account-reset-factors', executeResets);
