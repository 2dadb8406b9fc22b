import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  expiringAttributes,
  model,
  perhapsOwnedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../../kernel/storage/record.ts';
import { shardAttributes, shardedIndex } from '../../../kernel/storage/shards.ts';
import { ACTIONS, AUTH_METHODS } from '../engine/controls.ts';

/**
 * An attempt to sign in or up, with all data of its assessment. Ids `radar_att_…` are those of the API,
 * `radar_auth_attempt_…` those of sign-ins of this service.
 */
const AttemptEntity = entity({
  model: model('radar-attempt'),
  attributes: {
    ...recordAttributes,
    ...perhapsOwnedAttributes,
    ...expiringAttributes,
    // An attempt writes some eight units to the index, so that thirty-two accept 4,000 attempts a second.
    ...shardAttributes(32),
    action: { type: ACTIONS, required: true, readOnly: true },
    method: { type: AUTH_METHODS, required: true, readOnly: true },
    email: { type: 'string', required: true, readOnly: true },
    ipAddress: { type: 'string' },
    userAgent: { type: 'string' },
    /** The name of the device. */
    device: { type: 'string' },
    /** The location of the address, if it is known. */
    place: { type: 'any' },
    /** The facts (`PackedFacts`), with which it can be assessed again. */
    facts: { type: 'any', required: true },
    verdict: { type: ['allow', 'block', 'challenge'] as const, required: true },
    reason: { type: 'string', required: true },
    control: { type: 'string' },
    blocklistType: { type: 'string' },
    ruleVersion: { type: 'string', required: true },
    /** The parts of the controls in the assessment, for its explanation. */
    controls: { type: 'any', required: true },
    rules: { type: 'any', required: true },
    /** Names of rules that were evaluated and did not match. */
    unmatched: { type: 'any', required: true },
    challengeStatus: { type: ['success'] as const },
    attemptStatus: { type: ['success'] as const },
    /** True if a sign-in has continued it. Each attempt can be continued once, so that guesses are counted. */
    isContinued: { type: 'boolean' },
  },
  indexes: {
    primary: recordKey('radar-attempt'),
    /** The newest attempts: one Query of each shard for each page; some 2 KB each. */
    byCreation: shardedIndex('radar-attempt'),
    owned: ownedIndex,
  },
});

export type AttemptRecord = RecordOf<typeof AttemptEntity>;

export const attempts = collection(AttemptEntity, 'silent');

/** Maximum length of an attempt's texts that are stored. */
const MOST_TEXT = 512;

/** A text of an attempt as its row has it; undefined if the call did not send it. */
export const storedText = (text: string | null): string | undefined => text?.slice(0, MOST_TEXT);

/** Time in seconds for which an attempt is stored. */
export const STORED_SECONDS = 30 * 86_400;

/** Time in ms within which a success can be reported, or a sign-in can continue the attempt. */
export const OPEN_MS = 24 * 3_600_000;
