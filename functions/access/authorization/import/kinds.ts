import * as z from 'zod';

import { MAX_GRANTS } from '../../../tenancy/groups/public.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { importedId, importKind, type ImportKind, lineRejections, lineFailure } from '../../../kernel/import.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { timestampInput } from '../../../kernel/values.ts';
import { findOrganization } from '../../../tenancy/organizations/public.ts';
import { stageAssignment } from '../assignment/change.ts';
import { isAssignmentId } from '../assignment/ids.ts';
import { findGroupRoles } from '../group-assignment/find.ts';
import { findPlace, isAt, newAssignment, stageAssignments } from '../group-assignment/stage.ts';
import { stageResource } from '../resource/change.ts';
import { resources } from '../resource/entity.ts';
import { findByExternalId } from '../resource/find.ts';
import { organizationIdOfResource } from '../resource/rules.ts';
import { checkNaming, CreateResource, namingMembers, reference } from '../resource/schema.ts';

const times = { created_at: timestampInput.optional(), updated_at: timestampInput.optional() };

const ResourceLine = CreateResource.safeExtend({
  object: z.literal('authorization_resource'),
  id: importedId('authz_resource').optional(),
  ...times,
});

const AssignmentLine = z
  .object({
    object: z.literal('role_assignment'),
    id: z
      .string()
      .refine((text) => isAssignmentId(text), 'is no id such as role_assignment_01JX…')
      .optional(),
    organization_membership_id: reference,
    role_slug: reference,
    ...namingMembers,
    ...times,
  })
  .superRefine((line, context) => checkNaming(line, context));

const GroupAssignmentLine = z
  .object({
    object: z.literal('group_role_assignment'),
    id: importedId('gra').optional(),
    group_id: reference,
    role_slug: reference,
    ...namingMembers,
    ...times,
  })
  .superRefine((line, context) => checkNaming(line, context, { isOptional: true }));

async function takeResource(unit: Unit, environmentId: string, line: z.output<typeof ResourceLine>): Promise<boolean> {
  const { id, organization_id: organizationId, resource_type_slug: typeSlug, external_id: externalId } = line;
  const [known, there] = await awaitAll([
    id === undefined ? undefined : resources.get(environmentId, id),
    findByExternalId(environmentId, organizationId, typeSlug, externalId),
  ]);
  if (known !== undefined && known.id !== there?.id) {
    throw lineFailure('id: it is that of a resource with another external id, type or organization');
  }
  if (there !== undefined && id !== undefined && there.id !== id) {
    throw lineFailure(`external_id: another resource of this type has it, ${there.id}`);
  }
  if (there !== undefined) return false;
  const own = id === undefined ? undefined : organizationIdOfResource(id);
  if (own !== undefined && (await findOrganization(environmentId, own)) !== undefined) {
    throw lineFailure('id: it is that of an organization’s own resource');
  }
  const kept = { id, createdAt: line.created_at, updatedAt: line.updated_at ?? line.created_at };
  await stageResource(unit, environmentId, line, lineRejections, kept);
  return true;
}

async function takeAssignment(
  unit: Unit,
  environmentId: string,
  line: z.output<typeof AssignmentLine>,
): Promise<boolean> {
  const { id, organization_membership_id: membershipId, role_slug: slug, created_at: createdAt } = line;
  await stageAssignment(unit, { environmentId, membershipId, named: line, slug }, lineRejections, { id, createdAt });
  return !unit.isEmpty;
}

async function takeGroupAssignment(
  unit: Unit,
  environmentId: string,
  line: z.output<typeof GroupAssignmentLine>,
): Promise<boolean> {
  const found = await findGroupRoles(environmentId, line.group_id);
  if (found === undefined)
    throw lineFailure(`group_id: there is no group ${line.group_id}; import it before its roles`);
  const place = await findPlace(found, line, lineRejections);
  const { assignments } = found;
  if (assignments.some((each) => isAt(each, place))) return false;
  if (assignments.length >= MAX_GRANTS) throw lineFailure(`role_slug: a group may have ${MAX_GRANTS} roles`);
  const made = newAssignment(found.group.id, place);
  const { id = made.id, created_at: createdAt = made.createdAt } = line;
  if (assignments.some((each) => each.id === id))
    throw lineFailure('id: it is that of another assignment of the group');
  await stageAssignments(unit, found, [...assignments, { ...made, id, createdAt }]);
  return true;
}

/** The lines of resources and role assignments. */
export const authorizationKinds: readonly ImportKind[] = [
  importKind('authorization_resource', ResourceLine, takeResource),
  importKind('role_assignment', AssignmentLine, takeAssignment),
  importKind('group_role_assignment', GroupAssignmentLine, takeGroupAssignment),
];
