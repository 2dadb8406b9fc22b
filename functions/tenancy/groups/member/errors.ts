import { declareError, notFound } from '../../../kernel/errors.ts';

export const membershipNotFound = notFound('organization membership');

export const notMember = notFound('member of this group');

/** Maximum number of groups of a membership, because a check reads the roles of each of them. */
export const MAX_GROUPS = 50;

export const groupMembershipLimitExceeded = declareError({
  status: 400,
  code: 'group_membership_limit_exceeded',
  message: `The organization membership is in ${MAX_GROUPS} groups, the most that it can be in. Remove it from another group first.`,
});
