import { findGroupsById } from '../../../tenancy/groups/public.ts';
import { type Assignment, presentAssignment } from './schema.ts';

/** Role assignments as callers see them, with the names of their groups by one BatchGetItem for each hundred groups. */
export async function presentAssignments(
  environmentId: string,
  assignments: readonly Assignment[],
): Promise<ReturnType<typeof presentAssignment>[]> {
  const ids = assignments.flatMap(({ group }) => group?.groupId ?? []);
  const found = ids.length === 0 ? [] : await findGroupsById(environmentId, [...new Set(ids)]);
  const names = new Map(found.map(({ id, name }) => [id, name]));
  return assignments.map((assignment) => presentAssignment(assignment, names.get(assignment.group?.groupId ?? '')));
}
