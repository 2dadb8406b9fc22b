import { newId } from '../../../kernel/ids.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { type InstanceRecord, instances, type PlaceRecord, places, makeSubject } from './entity.ts';
import { makeInstancesParent, links } from './link.ts';
import { presentInstance } from './schema.ts';

/** The member or organization of an instance. */
export interface InstanceSubject {
  environmentId: string;
  blueprintId: string;
  organizationId: string;
  userId: string | undefined;
  membershipId: string | undefined;
}

/** The parents that list an instance. */
const listParents = (blueprintId: string, membershipId: string | undefined): string[] => [
  makeInstancesParent(blueprintId),
  ...(membershipId === undefined ? [] : [membershipId]),
];

/** Reads the place of an instance by one strongly consistent GetItem. The caller checks its parts with `fitsKey`. */
export const findPlace = (
  environmentId: string,
  blueprintId: string,
  subject: { organizationId: string; userId?: string | undefined },
): Promise<PlaceRecord | undefined> => places.getAt({ environmentId, blueprintId, subject: makeSubject(subject) });

/**
 * Returns the instance of a member or organization, or stages a new one with its event. Of parallel calls one creates it; the
 * others conflict on its place, and find it at their next attempt.
 */
export function stageInstance(
  unit: Unit<'agent.instance.created'>,
  { environmentId, blueprintId, organizationId, userId, membershipId }: InstanceSubject,
  place: PlaceRecord | undefined,
): { instanceId: string; isNew: boolean } {
  if (place !== undefined && place.membershipId === membershipId) return { instanceId: place.instanceId, isNew: false };
  const owner = ownerKey('organization', organizationId);
  const id = newId('agent');
  const common = { environmentId, owner };
  const created = instances.create({ ...common, id, blueprintId, organizationId, userId, membershipId });
  unit.announce(created, 'agent.instance.created', presentInstance, { organizationId });
  const subject = makeSubject({ organizationId, userId });
  const { write } =
    place === undefined
      ? places.create({ ...common, id: subject, blueprintId, subject, instanceId: id, membershipId })
      : places.revise(place, { instanceId: id, membershipId });
  unit.stage(write);
  unit.stage(listParents(blueprintId, membershipId).map((parentId) => links.create({ ...common, id, parentId }).write));
  return { instanceId: id, isNew: true };
}

/** Stages the removal of an instance with its event. The next session of the same member or organization gets a new instance. */
export function stageInstanceRemoval(
  unit: Unit<'agent.instance.deleted'>,
  record: InstanceRecord,
  place: PlaceRecord | undefined,
): void {
  const { environmentId, id, blueprintId, membershipId, organizationId } = record;
  unit.announce({ record, write: instances.remove(record) }, 'agent.instance.deleted', presentInstance, {
    organizationId,
  });
  if (place?.instanceId === id) unit.stage(places.remove(place));
  const parents = listParents(blueprintId, membershipId);
  unit.stage(parents.map((parentId) => links.removeByKey({ environmentId, id, parentId })));
}
