import { pageLinks } from '../../../../kernel/pages/link.ts';
import { collection } from '../../../../kernel/storage/collection.ts';
import { dueAttributes, dueIndex } from '../../../../kernel/storage/due.ts';
import { entity, type RecordOf } from '../../../../kernel/storage/entity.ts';
import {
  childKey,
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../../../kernel/storage/record.ts';
import { RESET_STATES } from './rules.ts';

/** A reset of a factor that waits for its time. */
const FactorResetEntity = entity({
  model: model('factor-reset'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...expiringAttributes,
    ...dueAttributes,
    userId: { type: 'string', required: true, readOnly: true },
    kind: { type: ['auth_factor', 'passkey'] as const, required: true, readOnly: true },
    factorId: { type: 'string', required: true, readOnly: true },
    state: { type: RESET_STATES, required: true },
    /** The time from which the factor is removed (ISO 8601). */
    executeAt: { type: 'string', required: true, readOnly: true },
    operatorId: { type: 'string', required: true, readOnly: true },
    operatorName: { type: 'string', readOnly: true },
    /** True for an emergency access, which has no role that could be taken away. */
    isBreakGlass: { type: 'boolean', readOnly: true },
  },
  indexes: {
    /** The resets of a user in one partition: a strongly consistent Query. */
    primary: childKey('factor-reset', 'userId'),
    due: dueIndex('factor-reset'),
    owned: ownedIndex,
  },
});

export type FactorResetRecord = RecordOf<typeof FactorResetEntity>;
export const factorResets = collection(FactorResetEntity, 'silent');

/** A link that stops a reset, whose id is the hash of its token. */
const StopLinkEntity = entity({
  model: model('factor-reset-link'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...expiringAttributes,
    userId: { type: 'string', required: true, readOnly: true },
    resetId: { type: 'string', required: true, readOnly: true },
  },
  indexes: { primary: recordKey('factor-reset-link'), owned: ownedIndex },
});

export type StopLinkRecord = RecordOf<typeof StopLinkEntity>;
export const stopLinks = collection(StopLinkEntity, 'internal');

/** The tokens of links that stop a reset, with the prefix `factor_reset_`. */
export const stopTokens = pageLinks('factor_reset_', stopLinks);
