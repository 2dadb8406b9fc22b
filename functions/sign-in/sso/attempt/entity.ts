import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  childKey,
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
} from '../../../kernel/storage/record.ts';

/** Seconds for which an attempt is kept. */
export const KEPT_SECONDS = 30 * 86_400;

/** An attempt: the response of an identity provider and its result, in the partition of its connection. */
const AttemptEntity = entity({
  model: model('sso-attempt'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...expiringAttributes,
    connectionId: { type: 'string', required: true, readOnly: true },
    organizationId: { type: 'string', required: true, readOnly: true },
    kind: { type: ['sign_in', 'unsolicited', 'test'] as const, required: true },
    outcome: { type: ['pending', 'succeeded', 'failed'] as const, required: true },
    errorCode: { type: 'string' },
    errorMessage: { type: 'string' },
    userId: { type: 'string' },
    ipAddress: { type: 'string' },
    userAgent: { type: 'string' },
    /** The details: an encrypted `AttemptDetails`; absent if the key service did not respond. */
    sealed: { type: 'any' },
    /** The version of the connection by which the response was verified; after a successful test, that which the test has proved. */
    connectionVersion: { type: 'number' },
    /** The effect that a sign-in would have had, as a `Consequence`; only for a test. */
    consequence: { type: 'any' },
  },
  indexes: {
    /** The attempts of a connection: one strongly consistent Query for each page. */
    primary: childKey('sso-attempt', 'connectionId'),
    owned: ownedIndex,
  },
});

export type AttemptRecord = RecordOf<typeof AttemptEntity>;
export const attempts = collection(AttemptEntity, 'silent');
