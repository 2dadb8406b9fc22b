import * as z from 'zod';

import type { Held } from './held.ts';
import type { Finding } from './ask.ts';
import type { Facts } from './facts.ts';
import type { Node } from './chain.ts';
import { checkNaming, namingMembers, reference } from '../resource/schema.ts';

/** Maximum number of questions in one call. */
const MOST_CHECKS = 100;

export const Check = z
  .object({ permission_slug: reference, ...namingMembers })
  .superRefine((body, context) => checkNaming(body, context))
  .meta({ id: 'CheckAuthorizationDto' });

export const CheckResult = z.object({ authorized: z.boolean() }).meta({ id: 'AuthorizationCheck' });

export const CheckMany = z
  .object({ organization_membership_id: reference, checks: z.array(Check).min(1).max(MOST_CHECKS) })
  .meta({ id: 'XCheckManyDto' });

const Outcome = z.object({
  authorized: z.boolean(),
  code: z.literal('not_found').nullable().describe('`not_found` if the permission or the resource does not exist.'),
});

export const CheckManyResult = z
  .object({
    object: z.literal('authorization_checks'),
    data: z.array(Outcome).describe('The results, in the order of the checks.'),
  })
  .meta({ id: 'XAuthorizationChecks' });

export const Explain = z
  .object({ organization_membership_id: reference, permission_slug: reference, ...namingMembers })
  .superRefine((body, context) => checkNaming(body, context))
  .meta({ id: 'XExplainDto' });

const ResourceReference = z.object({ id: z.string(), external_id: z.string(), resource_type_slug: z.string() });
const SlimRole = z.object({ slug: z.string() });

const Reason = z.object({
  role: SlimRole,
  resource: ResourceReference,
  role_assignment_id: z.string(),
  source: z.object({
    type: z.enum(['direct', 'group']),
    group_id: z.string().nullable(),
    group_role_assignment_id: z.string().nullable(),
  }),
});

export const Explanation = z
  .object({
    object: z.literal('authorization_explanation'),
    authorized: z.boolean(),
    obstacle: z
      .enum(['membership_not_active', 'no_role_with_permission'])
      .nullable()
      .describe('The reason for the denial; null if access is authorized.'),
    organization_membership_id: z.string(),
    permission_slug: z.string(),
    chain: z.array(ResourceReference).describe('The resource, then its parents up to the organization.'),
    reasons: z.array(Reason).describe('The roles on resources of the chain that have the permission.'),
    would_authorize: z
      .array(z.object({ resource: ResourceReference, roles: z.array(SlimRole) }))
      .describe(
        'If access is denied: the roles that would permit it, for each resource of the chain on which they can be assigned.',
      ),
  })
  .meta({ id: 'XAuthorizationExplanation' });

const refer = ({ id, externalId, typeSlug }: Node) => ({
  id,
  external_id: externalId,
  resource_type_slug: typeSlug,
});

const presentReason = ({ role, node, assignmentId, group }: Held): z.output<typeof Reason> => ({
  role: { slug: role.slug },
  resource: refer(node),
  role_assignment_id: assignmentId,
  source: {
    type: group === undefined ? 'direct' : 'group',
    group_id: group?.groupId ?? null,
    group_role_assignment_id: group?.groupRoleAssignmentId ?? null,
  },
});

/** The explanation of the finding of a check, as the API shows it. */
export function presentExplanation(facts: Facts, finding: Finding, slug: string): z.output<typeof Explanation> {
  const { permission, chain, held, isAuthorized } = finding;
  const hasPermission = ({ permissionIds }: Held['role']): boolean =>
    permission !== undefined && permissionIds.has(permission.id);
  const reasons = held.filter(({ role }) => hasPermission(role));
  const candidates = [...facts.roles.roles.values()].filter(hasPermission);
  const wouldAuthorize = chain.map((node) => ({
    resource: refer(node),
    roles: candidates.filter(({ resourceType }) => resourceType === node.typeSlug).map((role) => ({ slug: role.slug })),
  }));
  return {
    object: 'authorization_explanation',
    authorized: isAuthorized,
    obstacle: isAuthorized ? null : reasons.length > 0 ? 'membership_not_active' : 'no_role_with_permission',
    organization_membership_id: facts.membershipId,
    permission_slug: slug,
    chain: chain.map(refer),
    reasons: reasons.map(presentReason),
    would_authorize: reasons.length > 0 ? [] : wouldAuthorize.filter(({ roles }) => roles.length > 0),
  };
}
