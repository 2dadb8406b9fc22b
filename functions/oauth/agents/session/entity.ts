import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  attributeIndex,
  creationIndex,
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../../kernel/storage/record.ts';
import { rotationAttributes } from '../../../kernel/tokens/rotation.ts';

const SessionEntity = entity({
  model: model('agent-session'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...expiringAttributes,
    instanceId: { type: 'string', required: true, readOnly: true },
    blueprintId: { type: 'string', required: true, readOnly: true },
    organizationId: { type: 'string', required: true, readOnly: true },
    /** The user, membership and session that delegated it. In a chain of delegations, those of the first session. */
    userId: { type: 'string', readOnly: true },
    membershipId: { type: 'string', readOnly: true },
    userSessionId: { type: 'string', readOnly: true },
    /** The agents' sessions through which it was delegated, the first one first: a list of {@link SessionLink}. */
    ancestors: { type: 'any', readOnly: true },
    /** Slugs of the permissions at its creation or last refresh. */
    permissions: { type: 'list', items: { type: 'string' }, required: true },
    intent: { type: 'string' },
    /** The absolute end: the creation time plus `max_age_seconds` of the blueprint at that time. */
    lifetimeEndsAt: { type: 'string', required: true, readOnly: true },
    /** The time when it expires unless it is refreshed before; never after `lifetimeEndsAt`. */
    endsAt: { type: 'string', required: true },
    /** The time when the session was revoked. */
    endedAt: { type: 'string' },
    ...rotationAttributes,
  },
  indexes: {
    primary: recordKey('agent-session'),
    byCreation: creationIndex('agent-session'),
    /**
     * Sessions in an organization: one Query for each page. Sessions of a blueprint or an instance are found by `AgentLink`
     * rows.
     */
    byOrganization: attributeIndex('agent-session', 'organizationId'),
    owned: ownedIndex,
  },
});

/** The ids of the session of an agent, of its instance and of its blueprint. */
export interface SessionLink {
  sessionId: string;
  instanceId: string;
  blueprintId: string;
}

type Stored = RecordOf<typeof SessionEntity>;

export interface SessionRecord extends Omit<Stored, 'ancestors'> {
  ancestors?: SessionLink[];
}

/** Agents' sessions: `get` is one GetItem, and `list` is one Query for each page, which lags by moments. */
export const agentSessions = collection(SessionEntity, {
  events: ['agent.instance.session.created', 'agent.instance.session.revoked'],
  // A refresh replaces the token, extends the session and computes its permissions again. Rows of ended sessions are removed.
  silent: ['generationHash', 'former', 'endsAt', 'permissions', 'intent', 'expiresAt', 'removal'],
});

/** Reads a session in any status by one strongly consistent GetItem. */
export const findSession = (environmentId: string, id: string): Promise<SessionRecord | undefined> =>
  agentSessions.get(environmentId, id);
