import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import { model, ownedAttributes, ownedIndex, recordAttributes, recordKey } from '../../kernel/storage/record.ts';

/**
 * The browsers in which a user is signed in to the hosted pages: one row, so that all of them end with one write. Its id
 * is the user's.
 */
const BrowserSessionsEntity = entity({
  model: model('browser-sessions'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    /** A list of {@link BrowserSession}, the oldest first. */
    open: { type: 'any', required: true },
  },
  indexes: { primary: recordKey('browser-sessions'), owned: ownedIndex },
});

export type BrowserSessionsRecord = RecordOf<typeof BrowserSessionsEntity>;
export const browserSessions = collection(BrowserSessionsEntity, 'internal');

/** One browser in which a user is signed in to the hosted pages. */
export interface BrowserSession {
  /** SHA-256 of the browser's cookie. */
  hash: string;
  /** The time and method of the user's last authentication there; milliseconds since the epoch. */
  authenticatedAt: number;
  method: string;
  provider?: string | undefined;
  /** True if a second factor was used. */
  mfa: boolean;
  /** The user's `credentialEpoch` at that time: under another one the session is invalid. */
  epoch: number;
  /** Milliseconds since the epoch. */
  endsAt: number;
}
