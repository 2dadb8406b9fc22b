import { clock } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/ids.ts';
import { envelopes } from '../../../kernel/keys/shared.ts';
import { log } from '../../../kernel/log.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { type AttemptRecord, attempts, KEPT_SECONDS } from './entity.ts';
import type { AttemptDetails } from './shape.ts';
import { keyPurpose } from '../../../kernel/keys/key-wrapper.ts';

const makeScope = ({ environmentId, organizationId }: Pick<AttemptRecord, 'environmentId' | 'organizationId'>) => ({
  environmentId,
  organizationId,
  purpose: keyPurpose('sso-attempt'),
});

/** The data of a new attempt. */
export type NewAttempt = Pick<AttemptRecord, 'environmentId' | 'connectionId' | 'organizationId' | 'kind'> & {
  [Name in 'ipAddress' | 'userAgent']?: string | undefined;
} & {
  connectionVersion?: number | undefined;
  /** The error of a failed sign-in. */
  error?: { code: string; message: string } | undefined;
};

/**
 * An attempt whose details are encrypted before the unit of work, so that a unit that is applied again does not encrypt them
 * again.
 */
export interface PreparedAttempt {
  id: string;
  sealed: Uint8Array | undefined;
}

/**
 * Encrypts the details of an attempt: at most one call of KMS in a minute. No sign-in depends on it: if the key service
 * does not respond, the attempt is stored without them.
 */
export async function prepareAttempt(
  of: Pick<NewAttempt, 'environmentId' | 'organizationId'>,
  details: AttemptDetails,
): Promise<PreparedAttempt> {
  const id = newId('sso_attempt');
  const sealed = await envelopes()
    .seal(makeScope(of), id, JSON.stringify(details))
    .catch((error: unknown) => {
      log.warn('the details of an attempt could not be encrypted', { error });
      return undefined;
    });
  return { id, sealed };
}

/** Stages an attempt: that of a failed response with its error, any other as pending until the sign-in ends. */
export function stageAttempt(
  unit: Pick<Unit, 'stage'>,
  { error, ...attempt }: NewAttempt,
  { id, sealed }: PreparedAttempt,
): void {
  const { write } = attempts.create({
    ...attempt,
    id,
    owner: ownerKey('organization', attempt.organizationId),
    outcome: error === undefined ? 'pending' : 'failed',
    errorCode: error?.code,
    errorMessage: error?.message,
    sealed,
    expiresAt: clock.seconds() + KEPT_SECONDS,
  });
  unit.stage(write);
}

/** The result of an attempt. */
export type AttemptEnd = {
  userId?: string | undefined;
  consequence?: unknown;
  connectionVersion?: number | undefined;
} & {
  error?: { code: string; message: string } | undefined;
};

/** Stages the result of a pending attempt; it has no effect if there is no pending attempt. */
export function stageEndOfAttempt(
  unit: Pick<Unit, 'stage'>,
  former: AttemptRecord | undefined,
  { error, ...changes }: AttemptEnd,
): void {
  if (former === undefined) return;
  const failed = { outcome: 'failed' as const, errorCode: error?.code, errorMessage: error?.message };
  unit.stage(attempts.revise(former, { ...changes, ...(error ? failed : { outcome: 'succeeded' as const }) }).write);
}

/** Reports whether the retention of an attempt has not ended, because DynamoDB may delete it days late. */
export const isKept = ({ expiresAt = 0 }: AttemptRecord): boolean => expiresAt > clock.seconds();

/** Decrypts the details of an attempt; undefined if there are none. */
export async function openDetails(record: AttemptRecord): Promise<AttemptDetails | undefined> {
  if (record.sealed === undefined) return undefined;
  const opened = await envelopes().openText(makeScope(record), record.id, record.sealed as Uint8Array);
  return JSON.parse(opened) as AttemptDetails;
}
