import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import {
  attributeIndex,
  creationIndex,
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../kernel/storage/record.ts';
import { rotationAttributes } from '../../kernel/tokens/rotation.ts';

const SessionEntity = entity({
  model: model('agent-session'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...expiringAttributes,
    instanceId: { type: 'string', required: true, readOnly: true },
    blueprintId: { type: 'string', required: true, readOnly: true },
    organizationId: { type: 'string', required: true, readOnly: true },
    /** The delegating user, their membership and their session; of a chain those of its root. */
    userId: { type: 'string', readOnly: true },
    membershipId: { type: 'string', readOnly: true },
    userSessionId: { type: 'string', readOnly: true },
    /** The sessions from which it was delegated, the root first: a list of {@link SessionLink}. */
    ancestors: { type: 'any', readOnly: true },
    /** Slugs of the last mint or refresh. */
    permissions: { type: 'list', items: { type: 'string' }, required: true },
    intent: { type: 'string' },
    /** Its creation and `max_age_seconds` of the blueprint at that time. */
    lifetimeEndsAt: { type: 'string', required: true, readOnly: true },
    /** The time when it expires unless it is refreshed before; never after `lifetimeEndsAt`. */
    endsAt: { type: 'string', required: true },
    /** The time when it was revoked. */
    endedAt: { type: 'string' },
    ...rotationAttributes,
  },
  indexes: {
    primary: recordKey('agent-session'),
    byCreation: creationIndex('agent-session'),
    /** Sessions in an organization: one Query a page. Sessions of a blueprint or an instance are linked to it. */
    byOrganization: attributeIndex('agent-session', 'organizationId'),
    owned: ownedIndex,
  },
});

/** A session of an agent with its instance and blueprint, by their ids. */
export interface SessionLink {
  sessionId: string;
  instanceId: string;
  blueprintId: string;
}

type Stored = RecordOf<typeof SessionEntity>;

export interface SessionRecord extends Omit<Stored, 'ancestors'> {
  ancestors?: SessionLink[];
}

/** Agents' sessions: `get` one GetItem, `list` one Query a page, which lags by moments. */
export const agentSessions = collection(SessionEntity, {
  events: ['agent.instance.session.created', 'agent.instance.session.revoked'],
  // A refresh replaces the token, moves the end and computes the permissions again. Rows of sessions that ended are removed.
  silent: ['generationHash', 'former', 'endsAt', 'permissions', 'intent', 'expiresAt', 'removal'],
});

/** A session, whatever its status: one strongly consistent GetItem. */
export const findSession = (environmentId: string, id: string): Promise<SessionRecord | undefined> =>
  agentSessions.get(environmentId, id);
