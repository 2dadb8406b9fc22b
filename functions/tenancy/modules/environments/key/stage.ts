import { clock } from '../../../../kernel/clock.ts';
import { type CredentialRecord, credentials, findCredential } from '../../../../kernel/storage/environment.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';

/** Reports whether a key is accepted at a time. */
export const isLive = ({ revokedAt, endsAt }: CredentialRecord, now: string): boolean =>
  revokedAt === undefined && (endsAt === undefined || endsAt > now);

/**
 * Stages the revocation of a key, which has no effect on a revoked one. Functions that have cached the key accept it for up to five
 * seconds.
 * @returns the key; undefined if there is none
 */
export async function stageRevocation(
  unit: Pick<Unit, 'stage'>,
  environmentId: string,
  keyId: string,
): Promise<CredentialRecord | undefined> {
  const key = await findCredential(environmentId, keyId);
  if (key === undefined || key.revokedAt !== undefined) return key;
  const { record, write } = credentials.revise(key, { revokedAt: clock.timestamp() });
  unit.stage(write);
  return record;
}
