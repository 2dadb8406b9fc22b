import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  childKey,
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  sortedBy,
} from '../../../kernel/storage/record.ts';
import { rotationAttributes } from '../../../kernel/tokens/rotation.ts';
import { AUTH_METHODS } from '../../../kernel/events/catalogue/sessions.ts';

/**
 * A user's session, in the partition of that user's sessions, so that all of them are one strongly consistent Query, and no
 * decision about one depends on a list index. `owner` is the user.
 */
const SessionEntity = entity({
  model: model('session'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...expiringAttributes,
    userId: { type: 'string', required: true, readOnly: true },
    organizationId: { type: 'string' },
    /** The proofs of the session (`Authority` in `trust`): absent in older rows, for which `readProofs` reads the following members. */
    proofs: { type: 'any' },
    /** The organization through whose connection the user signed in: single sign-on that it requires was done. */
    ssoOrganizationId: { type: 'string' },
    authMethod: { type: AUTH_METHODS, required: true },
    /** The provider if the method is `oauth`, in the contract's spelling, which each refresh returns again. */
    provider: { type: 'string' },
    /** True if the sign-in used a second factor; absent where that is not known. */
    mfa: { type: 'boolean' },
    /** The kind of client that opened it, because only the same kind may refresh it. */
    client: { type: ['public', 'confidential'] as const, required: true },
    ipAddress: { type: 'string' },
    userAgent: { type: 'string' },
    /** The impersonator, as `{ email, reason }`. */
    impersonator: { type: 'any' },
    /** The impersonator's user in the environment of the operators, and the session of that user, if there is one. */
    operatorId: { type: 'string', readOnly: true },
    operatorSessionId: { type: 'string', readOnly: true },
    /** The time when the user last authenticated. */
    authenticatedAt: { type: 'string', required: true },
    /** The absolute end of the session's lifetime. */
    lifetimeEndsAt: { type: 'string', required: true },
    /** The time when it expires unless it is refreshed before; never after `lifetimeEndsAt`. */
    endsAt: { type: 'string', required: true },
    /** The time when the session was revoked. */
    endedAt: { type: 'string' },
    ...rotationAttributes,
  },
  indexes: {
    /** All sessions of a user: one strongly consistent Query. */
    primary: childKey('session', 'userId'),
    owned: ownedIndex,
  },
});

export type SessionRecord = RecordOf<typeof SessionEntity>;

export const sessions = collection(SessionEntity, {
  events: ['session.created', 'session.revoked'],
  // A refresh needs no event: it replaces the token, changes the end and may change the organization. Rows of ended
  // sessions are removed to make room.
  silent: ['generationHash', 'former', 'endsAt', 'organizationId', 'removal'],
});

/**
 * Every row of a user's sessions, oldest first, including ended ones that are still kept, by one strongly consistent Query.
 */
export const sessionRows = (environmentId: string, userId: string): Promise<SessionRecord[]> =>
  sessions.list('primary', { environmentId, userId }).toArray();

/**
 * The user of a session, found by the session's id, because a logout in a browser names nothing else. This is the only
 * row whose key does not begin with an environment; it contains nothing but the user and environment.
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
      sk: sortedBy('sk'),
    },
    owned: ownedIndex,
  },
});

export type SessionLocator = RecordOf<typeof LocatorEntity>;

export const sessionLocators = collection(LocatorEntity, 'internal');
