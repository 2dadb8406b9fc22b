import { OPERATORS_ENVIRONMENT_ID } from '../../../kernel/authentication/environment-id.ts';
import type { LogLine } from '../../../kernel/http/operators-log.ts';
import { log } from '../../../kernel/log.ts';
import { ingest } from './ingest.ts';

/** The owner of the keys of lines. No API key has this text. */
const PROOF = 'operators-log';

/** The version of the form of lines. */
const VERSION = 1;

/**
 * Records a line of the operators' log as an event of their organization's audit log, once: the line's id is the idempotency key.
 */
export async function recordLine({ id, ...body }: LogLine): Promise<void> {
  const outcome = await ingest({
    environmentId: OPERATORS_ENVIRONMENT_ID,
    proof: PROOF,
    idempotencyKey: id,
    rawBody: id,
    body,
    version: VERSION,
  });
  log.debug('operators log', { line: id, outcome });
}
