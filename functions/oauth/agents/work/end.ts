import { systemActor } from '../../../kernel/authentication/caller.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import type { List } from '../../../kernel/storage/list.ts';
import { listIds } from '../../../kernel/storage/window.ts';
import { type Task, workKind } from '../../../kernel/storage/work.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import { findUserMemberships } from '../../../tenancy/modules/memberships/public.ts';
import { instances } from '../instance/entity.ts';
import { makeInstancesParent, listLinked } from '../instance/link.ts';
import { findPlace, stageInstanceRemoval } from '../instance/stage.ts';
import { removeRegistrations } from '../registration/end.ts';
import { findSessions, listIndexed } from '../session/find.ts';
import { stageRemoval, stageRevocation } from '../session/stage.ts';

/**
 * A record that was deleted or has ended. The sessions below it are invalid already; a worker revokes or removes their rows,
 * each with its event. `session` is a session of a user or of an agent.
 */
export interface Ended {
  below: 'session' | 'instance' | 'membership' | 'user' | 'blueprint' | 'organization' | 'environment';
  id: string;
  /** True if the instances are removed too; otherwise only the sessions of a membership or blueprint are revoked. */
  removes?: boolean;
  /**
   * Sessions after this time (ISO 8601) are kept, because the record may be active again. Absent if it can never be active
   * again.
   */
  until?: string;
}

/** The end of the sessions: their rows are revoked or removed. */
type Manner = Pick<Ended, 'removes' | 'until'>;
const REVOKED: Manner = {};
const REMOVED: Manner = { removes: true };

/** The work that ends the sessions below a record that was deleted or has ended, and the sessions that those delegated. */
export const sessionsEnd = workKind<Ended>('agents.end-sessions', { runs: 2 });

/** Number of sessions in one step and in one transaction, with two writes each. */
const PAGE = 100;
const BATCH = 40;

/** A list of records, or of the rows that link them. */
type Listed = List<{ id: string }>;

/** Yields all ids of a list, a page at a time. */
async function* readPages(list: Listed): AsyncGenerator<string[]> {
  let after: string | undefined;
  do {
    const { records, reached } = await list.toPage(pageAfter(after));
    if (records.length > 0) yield listIds(records);
    after = reached;
  } while (after !== undefined);
}

const pageAfter = (after: string | undefined): Window => ({
  scan: 'asc',
  limit: PAGE,
  ...(after === undefined ? {} : { after }),
});

/** Ends sessions, and the sessions that they delegated. */
async function endSessions(environmentId: string, ids: readonly string[], manner: Manner): Promise<void> {
  for (let at = 0; at < ids.length; at += BATCH) {
    const batch = ids.slice(at, at + BATCH);
    await applyWork(environmentId, systemActor, async (unit) => {
      for (const session of await findSessions(environmentId, batch)) {
        if (manner.until !== undefined && session.createdAt > manner.until) continue;
        if (manner.removes === true) stageRemoval(unit, session);
        else stageRevocation(unit, session);
      }
    });
    // Sessions that a removed session delegated belong to other instances, where their rows stay with the status `revoked`.
    for (const id of batch) await endAll(environmentId, listLinked(environmentId, id), { ...manner, removes: false });
  }
}

async function endAll(environmentId: string, list: Listed, manner: Manner): Promise<void> {
  for await (const ids of readPages(list)) await endSessions(environmentId, ids, manner);
}

/** Ends the sessions of instances, and removes the instances if required. */
async function endInstances(environmentId: string, ids: readonly string[], manner: Manner): Promise<void> {
  for (const id of ids) {
    await endAll(environmentId, listLinked(environmentId, id), manner);
    if (manner.removes !== true) continue;
    await applyWork(environmentId, systemActor, async (unit) => {
      const record = await instances.get(environmentId, id);
      if (record === undefined) return;
      stageInstanceRemoval(unit, record, await findPlace(environmentId, record.blueprintId, record));
    });
  }
}

async function endBelowMembership(environmentId: string, membershipId: string, manner: Manner): Promise<void> {
  for await (const ids of readPages(listLinked(environmentId, membershipId)))
    await endInstances(environmentId, ids, manner);
}

/**
 * Performs one step: one page of a target with many sessions, or all sessions of one with few.
 * @returns the last id of the page
 */
export async function endStep({ environmentId, data, progress }: Task<Ended>): Promise<string | undefined> {
  const { id, until, removes = false } = data;
  const manner: Manner = until === undefined ? { removes } : { removes, until };
  switch (data.below) {
    case 'session':
      return void (await endAll(environmentId, listLinked(environmentId, id), REVOKED));
    case 'membership':
      return void (await endBelowMembership(environmentId, id, manner));
    case 'user': {
      const memberships = await findUserMemberships(environmentId, id);
      for (const membership of memberships) await endBelowMembership(environmentId, membership.id, manner);
      return undefined;
    }
    case 'instance':
      return endPage(environmentId, listLinked(environmentId, id), progress, REMOVED);
    // The list lags by moments, without effect on validity, which the stops decide.
    case 'organization':
      return endPage(environmentId, listIndexed(environmentId, id), progress, manner);
    case 'environment':
      return endPage(environmentId, listIndexed(environmentId, undefined), progress, manner);
    case 'blueprint':
      return endBlueprint(environmentId, id, progress, manner);
  }
}

/** The progress of a deleted blueprint whose sessions are removed, and whose instances are removed next. */
const INSTANCES = 'instances';

async function endBlueprint(
  environmentId: string,
  id: string,
  progress: string | undefined,
  manner: Manner,
): Promise<string | undefined> {
  if (progress !== INSTANCES) {
    const next = await endPage(environmentId, listLinked(environmentId, id), progress, manner);
    return next ?? (manner.removes === true ? INSTANCES : undefined);
  }
  // The instances of a page are removed, so the next page begins at the start again.
  const { records, reached } = await listLinked(environmentId, makeInstancesParent(id)).toPage(pageAfter(undefined));
  await endInstances(environmentId, listIds(records), REMOVED);
  return reached === undefined ? undefined : INSTANCES;
}

async function endPage(
  environmentId: string,
  list: Listed,
  after: string | undefined,
  manner: Manner,
): Promise<string | undefined> {
  const { records, reached } = await list.toPage(pageAfter(after));
  await endSessions(environmentId, listIds(records), manner);
  return reached;
}

/** Removes the sessions, instances and registrations of a deleted organization, with their events. It may run again. */
export async function endAgentsOfOrganization(environmentId: string, organizationId: string): Promise<void> {
  await endAll(environmentId, listIndexed(environmentId, organizationId), REMOVED);
  const list = instances.list('byOrganization', { environmentId, organizationId });
  for await (const ids of readPages(list)) await endInstances(environmentId, ids, REMOVED);
  await removeRegistrations(environmentId, organizationId);
}
