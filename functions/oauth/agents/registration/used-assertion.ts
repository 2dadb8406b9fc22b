import { clock } from '../../../kernel/clock.ts';
import type { Failure } from '../../../kernel/errors.ts';
import { sha256Hex } from '../../../kernel/keys/hash.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity } from '../../../kernel/storage/entity.ts';
import { inPlaceOfExpired } from '../../../kernel/storage/expiry.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { IdentityAssertion } from './identity-assertion.ts';

/** An identity assertion that was used, until it has expired. Its id is the hash of its issuer and `jti`. */
const UsedAssertionEntity = entity({
  model: model('agent-used-assertion'),
  attributes: { ...recordAttributes, ...expiringAttributes },
  indexes: { primary: recordKey('agent-used-assertion') },
});

const usedAssertions = collection(UsedAssertionEntity, 'internal');

/** Stages the only use of an assertion (RFC 7523 section 3, item 7), which is rejected after another one. */
export function stageUse(
  unit: Pick<Unit, 'stage'>,
  environmentId: string,
  { issuer, jti, expiresAt }: IdentityAssertion,
  used: Failure,
): void {
  const id = sha256Hex(JSON.stringify([issuer, jti]));
  const kept = Math.max(expiresAt, clock.seconds()) + 120;
  unit.stage(inPlaceOfExpired(usedAssertions.create({ environmentId, id, expiresAt: kept }).write), used);
}
