import * as z from 'zod';

import { awaitAll } from '../../../kernel/concurrency.ts';
import { importedId, importKind, type ImportKind, lineFailure } from '../../../kernel/import.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { timestampInput } from '../../../kernel/values.ts';
import { findOrganization } from '../../organizations/public.ts';
import { groups } from '../group/entity.ts';
import { findGroupById } from '../group/find.ts';
import { CreateGroup } from '../group/schema.ts';
import { stageGroup } from '../group/stage.ts';
import { MAX_GROUPS } from '../member/errors.ts';
import { findMember } from '../member/find.ts';
import { isMember, stageAddition } from '../member/stage.ts';

const GroupLine = CreateGroup.extend({
  object: z.literal('group'),
  id: importedId('group'),
  organization_id: z.string().min(1).max(255),
  created_at: timestampInput.optional(),
  updated_at: timestampInput.optional(),
});

const MemberLine = z.object({
  object: z.literal('group_member'),
  group_id: z.string().min(1).max(255),
  organization_membership_id: z.string().min(1).max(255),
});

async function takeGroup(unit: Unit, environmentId: string, line: z.output<typeof GroupLine>): Promise<boolean> {
  const { id, organization_id: organizationId, name, description, created_at: createdAt } = line;
  const [known, organization] = await awaitAll([
    groups.get(environmentId, id),
    findOrganization(environmentId, organizationId),
  ]);
  if (organization === undefined) throw lineFailure(`organization_id: there is no organization ${organizationId}`);
  if (known !== undefined && known.organizationId !== organizationId) {
    throw lineFailure('id: it is that of a group of another organization');
  }
  if (known !== undefined) return false;
  const updatedAt = line.updated_at ?? createdAt;
  stageGroup(unit, {
    environmentId,
    organizationId,
    name,
    description: description ?? undefined,
    id,
    createdAt,
    updatedAt,
  });
  return true;
}

async function takeMember(unit: Unit, environmentId: string, line: z.output<typeof MemberLine>): Promise<boolean> {
  const { group_id: groupId, organization_membership_id: membershipId } = line;
  const found = await findGroupById(environmentId, groupId);
  if (found === undefined) throw lineFailure(`group_id: there is no group ${groupId}; import it before its members`);
  const member = await findMember(environmentId, found.group.organizationId, membershipId);
  if (member === undefined) {
    throw lineFailure(`organization_membership_id: the group’s organization has no membership ${membershipId}`);
  }
  if (isMember(member, groupId)) return false;
  if (!(await stageAddition(unit, member, found.group))) {
    throw lineFailure(`organization_membership_id: a membership can be in ${MAX_GROUPS} groups`);
  }
  return true;
}

/** The lines of groups and their members. */
export const groupKinds: readonly ImportKind[] = [
  importKind('group', GroupLine, takeGroup),
  importKind('group_member', MemberLine, takeMember),
];
