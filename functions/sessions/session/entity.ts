import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import {
  childKey,
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
} from '../../kernel/storage/record.ts';
import { AUTH_METHODS } from './auth-method.ts';

/**
 * A user's session, in the partition of that user's sessions: all of them are one strongly consistent Query, so nothing
 * that guards one rests on a list index. `owner` is the user.
 */
const SessionEntity = entity({
  model: model('session'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...expiringAttributes,
    userId: { type: 'string', required: true, readOnly: true },
    organizationId: { type: 'string' },
    authMethod: { type: AUTH_METHODS, required: true },
    /** Of `oauth`, in the contract's spelling: each refresh tells it again. */
    provider: { type: 'string' },
    /** What the client was that opened it: only its like may refresh it. */
    client: { type: ['public', 'confidential'] as const, required: true },
    ipAddress: { type: 'string' },
    userAgent: { type: 'string' },
    /** `{ email, reason }` of who acts as the user. */
    impersonator: { type: 'any' },
    /** When the user last proved who they are. */
    authenticatedAt: { type: 'string', required: true },
    /** When it ends whatever is done with it. */
    lifetimeEndsAt: { type: 'string', required: true },
    /** When it ends unless it is refreshed before; never after `lifetimeEndsAt`. */
    endsAt: { type: 'string', required: true },
    /** When it was revoked. */
    endedAt: { type: 'string' },
    /** SHA-256 of what all refresh tokens of the session share: who knows it once held a genuine one. */
    familyHash: { type: 'string', required: true },
    /** SHA-256 of what the refresh token in force has of its own. */
    generationHash: { type: 'string', required: true },
    /** The refresh tokens that were replaced a moment ago, oldest first: a list of {@link FormerGeneration}. */
    former: { type: 'any' },
  },
  indexes: {
    /** All sessions of a user: one strongly consistent Query. */
    primary: childKey('session', 'userId'),
    owned: ownedIndex,
  },
});

export type SessionRecord = RecordOf<typeof SessionEntity>;

/** A refresh token that was replaced, for as long as presenting it is no misuse. */
export interface FormerGeneration {
  /** SHA-256 of what the token had of its own. */
  hash: string;
  /** Its successor, sealed under the token's own secrets. */
  sealed: Uint8Array;
  /** When it was replaced, in milliseconds since the epoch. */
  replacedAt: number;
  /** SHA-256 of the network and user agent that replaced it; absent in rows of before it was noted, which nobody's equals. */
  client?: string;
}

export const sessions = collection(SessionEntity);

/** Every row of a user's sessions, ended ones that are still kept included, oldest first: one strong Query. */
export async function sessionRows(environmentId: string, userId: string): Promise<SessionRecord[]> {
  const { data } = await sessions
    .entity()
    .query.primary({ environmentId, userId })
    .go({ consistent: true, pages: 'all', order: 'asc' });
  return data;
}

/**
 * Where a session is, by its id alone: a logout in a browser names nothing else. The one row whose key does not begin
 * with an environment; it says no more than whose the session is.
 */
const LocatorEntity = entity({
  model: model('session-locator'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...expiringAttributes,
    userId: { type: 'string', required: true, readOnly: true },
  },
  indexes: {
    primary: {
      pk: { field: 'pk', composite: ['id'], template: 'stage#session#${id}', casing: 'none' },
      sk: { field: 'sk', composite: [], template: 'record', casing: 'none' },
    },
    owned: ownedIndex,
  },
});

export type SessionLocator = RecordOf<typeof LocatorEntity>;

export const sessionLocators = collection(LocatorEntity);
