import { clock } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/ids.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { hashToken, newFamily, newGeneration } from '../../../kernel/tokens/rotation.ts';
import { links } from '../instance/link.ts';
import type { AgentVerdict } from '../registration/assertion.ts';
import { agentSessions, type SessionLink, type SessionRecord } from './entity.ts';
import { writeRefreshToken } from './refresh-token.ts';
import { presentNewSession, presentRevokedSession, statusAt } from './schema.ts';

/** Time for which the row of a session is kept after its end. */
const KEPT_SECONDS = 7 * 86_400;

const toSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1_000);
const toIso = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** The data of a new session; times are milliseconds since the epoch. */
export interface SessionOpening {
  environmentId: string;
  blueprintId: string;
  instanceId: string;
  organizationId: string;
  userId: string | undefined;
  membershipId: string | undefined;
  userSessionId: string | undefined;
  ancestors: SessionLink[];
  permissions: string[];
  intent: string | undefined;
  lifetimeEndsAt: number;
  endsAt: number;
}

/** The time from which the row of a session with this end may be removed, in seconds since the epoch. */
export const removableAfter = (endsAt: number): number => toSeconds(endsAt) + KEPT_SECONDS;

/** Stages a new session with its event, and the rows that list it below its parents. */
export function stageSession(
  unit: Unit<'agent.instance.session.created'>,
  _: AgentVerdict,
  opening: SessionOpening,
): { session: SessionRecord; refreshToken: string } {
  const { environmentId, blueprintId, instanceId, userSessionId, ancestors, organizationId } = opening;
  const owner = ownerKey('organization', organizationId);
  const secrets = { family: newFamily(), generation: newGeneration() };
  const created = agentSessions.create({
    ...opening,
    id: newId('agent_session'),
    owner,
    ancestors: ancestors.length === 0 ? undefined : ancestors,
    lifetimeEndsAt: toIso(opening.lifetimeEndsAt),
    endsAt: toIso(opening.endsAt),
    familyHash: hashToken(secrets.family),
    generationHash: hashToken(secrets.generation),
    expiresAt: removableAfter(opening.endsAt),
  });
  const session = created.record as SessionRecord;
  unit.announce({ record: session, write: created.write }, 'agent.instance.session.created', presentNewSession, {
    organizationId,
  });
  const parents = [blueprintId, instanceId, ancestors.at(-1)?.sessionId ?? userSessionId ?? []].flat();
  const expiresAt = removableAfter(opening.lifetimeEndsAt);
  const common = { environmentId, owner, id: session.id, expiresAt };
  unit.stage(parents.map((parentId) => links.create({ ...common, parentId }).write));
  return { session, refreshToken: writeRefreshToken(session, secrets) };
}

/** A unit of work that may revoke sessions of agents. */
export type RevokingUnit = Unit<'agent.instance.session.revoked'>;

/**
 * Stages that a session is revoked, with its event; it has no effect on one that was revoked or has expired. From the commit
 * on, its tokens and those of the sessions that it delegated are invalid.
 */
export function stageRevocation(unit: RevokingUnit, session: SessionRecord): SessionRecord {
  const now = clock.now();
  if (statusAt(session, now) !== 'active') return session;
  const endedAt = toIso(now);
  const changes = { endedAt, former: undefined, expiresAt: removableAfter(now) };
  const revised = agentSessions.revise(session, changes, endedAt);
  const record = revised.record as SessionRecord;
  const { organizationId } = session;
  return unit.announce({ record, write: revised.write }, 'agent.instance.session.revoked', presentRevokedSession, {
    organizationId,
  });
}

/** Removes a session's row, with the event of its revocation if it was active. */
export function stageRemoval(unit: RevokingUnit, session: SessionRecord): void {
  const now = clock.now();
  unit.stage(agentSessions.remove(session));
  if (statusAt(session, now) !== 'active') return;
  const ended = { ...session, endedAt: toIso(now), updatedAt: toIso(now) };
  unit.emit('agent.instance.session.revoked', presentRevokedSession(ended), { organizationId: session.organizationId });
}
