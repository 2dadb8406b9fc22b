import { apiKey } from '../../kernel/authentication/api-key.ts';
import type { FailureDetails } from '../../kernel/errors.ts';
import { isId } from '../../kernel/id-format.ts';
import { operation } from '../../kernel/operation.ts';
import { findOrganization, organizationExistsCheck, organizationNotFound } from '../../organizations/public.ts';
import { findUser, userExistsCheck, userNotFound } from '../../users/public.ts';
import { flagNotFound } from '../flag/errors.ts';
import { loadFlags } from '../flag/set.ts';
import { invalidResourceId, MAX_ALL_TARGETS, MAX_TARGETS } from './errors.ts';
import { customTarget, customTargetIssues, MAX_CUSTOM_TYPES } from './custom.ts';
import { stageTarget, stageTargetRemoval } from './stage.ts';

/**
 * Finds a flag and a target, and whether the target is a user.
 * @throws Failure for a flag or target that does not exist, or an id of another kind
 */
async function findFlagAndTarget(
  environmentId: string,
  { slug, resourceId }: Readonly<Record<'slug' | 'resourceId', string>>,
  fail: (error: typeof flagNotFound | typeof invalidResourceId, details?: FailureDetails) => Error,
) {
  const isUser = isId('user', resourceId);
  if (!isUser && !isId('org', resourceId)) throw fail(invalidResourceId, { members: { statusCode: 400 } });
  const [{ bySlug }, target] = await Promise.all([
    loadFlags(environmentId),
    (isUser ? findUser : findOrganization)(environmentId, resourceId),
  ]);
  const flag = bySlug.get(slug);
  if (flag === undefined) throw fail(flagNotFound);
  if (target === undefined) throw fail(isUser ? userNotFound : organizationNotFound);
  return { flag, isUser };
}

const addTarget = operation({
  id: 'feature_flags.add_target',
  method: 'POST',
  path: '/feature-flags/{slug}/targets/{resourceId}',
  summary: 'Add a user or an organization to the targets of a feature flag',
  description:
    'While the flag is enabled, it is on for its targets. Adding a target that the flag already has changes nothing. A flag has at most ' +
    `${MAX_TARGETS} targets, and an environment ${MAX_ALL_TARGETS}.`,
  auth: apiKey,
  operator: 'config.change',
  responses: { 204: null },
  errors: [flagNotFound, userNotFound, organizationNotFound, invalidResourceId],
  emits: ['flag.rule_updated'],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params, unit, fail, invalid }) {
    const { flag, isUser } = await findFlagAndTarget(environmentId, params, fail);
    const issue = await stageTarget(unit, flag, params.resourceId, 'resourceId');
    if (issue !== undefined) throw invalid([issue]);
    const existsCheck = isUser ? userExistsCheck : organizationExistsCheck;
    if (!unit.isEmpty) unit.stage(existsCheck(environmentId, params.resourceId));
    return { status: 204 };
  },
});

const removeTarget = operation({
  id: 'feature_flags.remove_target',
  method: 'DELETE',
  path: '/feature-flags/{slug}/targets/{resourceId}',
  summary: 'Remove a user or an organization from the targets of a feature flag',
  description:
    'The default value of the flag then applies to it. Removing a target that the flag does not have changes nothing.',
  auth: apiKey,
  operator: 'config.change',
  responses: { 204: null },
  errors: [flagNotFound, userNotFound, organizationNotFound, invalidResourceId],
  emits: ['flag.rule_updated'],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params, unit, fail }) {
    const { flag } = await findFlagAndTarget(environmentId, params, fail);
    await stageTargetRemoval(unit, flag, params.resourceId);
    return { status: 204 };
  },
});

const addCustomTarget = operation({
  id: 'feature_flags.add_custom_target',
  method: 'POST',
  path: '/x/feature-flags/{slug}/targets/{type}/{id}',
  summary: 'Add a custom target, such as a team, to a feature flag',
  description:
    'The runtime client of the official SDK and OFREP evaluate custom targets: `{ team: { id: "42" } }` in the context ' +
    'matches the target `team/42`. The lists of a user’s or organization’s flags and the access tokens do not. Adding a target that the flag ' +
    `already has changes nothing. A flag has at most ${MAX_CUSTOM_TYPES} types.`,
  auth: apiKey,
  operator: 'config.change',
  responses: { 204: null },
  errors: [flagNotFound],
  emits: ['flag.rule_updated'],
  idempotency: 'none',
  async handle({ environmentId, params: { slug, type, id }, unit, fail, invalid }) {
    const targetId = customTarget(type, id);
    if (targetId === undefined) throw invalid(customTargetIssues(type, id));
    const flag = (await loadFlags(environmentId)).bySlug.get(slug);
    if (flag === undefined) throw fail(flagNotFound);
    const issue = await stageTarget(unit, flag, targetId, 'id');
    if (issue !== undefined) throw invalid([issue]);
    return { status: 204 };
  },
});

const removeCustomTarget = operation({
  id: 'feature_flags.remove_custom_target',
  method: 'DELETE',
  path: '/x/feature-flags/{slug}/targets/{type}/{id}',
  summary: 'Remove a custom target of a feature flag',
  description:
    'The default value of the flag then applies to it. Removing a target that the flag does not have changes nothing.',
  auth: apiKey,
  operator: 'config.change',
  responses: { 204: null },
  errors: [flagNotFound],
  emits: ['flag.rule_updated'],
  idempotency: 'none',
  async handle({ environmentId, params: { slug, type, id }, unit, fail, invalid }) {
    const targetId = customTarget(type, id);
    if (targetId === undefined) throw invalid(customTargetIssues(type, id));
    const flag = (await loadFlags(environmentId)).bySlug.get(slug);
    if (flag === undefined) throw fail(flagNotFound);
    await stageTargetRemoval(unit, flag, targetId);
    return { status: 204 };
  },
});

/** Operations on the targets of feature flags. */
export const targetOperations = [addTarget, removeTarget, addCustomTarget, removeCustomTarget] as const;
