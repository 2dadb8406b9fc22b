import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { type Failure, type FailureDetails, general, type Issue } from '../../../kernel/errors.ts';
import { isId } from '../../../kernel/id-format.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage } from '../../../kernel/pagination.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import {
  findOrganization,
  organizationExistsCheck,
  organizationNotFound,
} from '../../../tenancy/organizations/public.ts';
import { findUser, userExistsCheck, userNotFound } from '../../../tenancy/modules/users/public.ts';
import type { FlagRecord } from '../flag/entity.ts';
import { flagNotFound } from '../flag/errors.ts';
import { loadFlags } from '../flag/set.ts';
import { invalidResourceId, MAX_ALL_TARGETS, MAX_TARGETS } from './errors.ts';
import { customTarget, customTargetIssues, MAX_CUSTOM_TYPES } from './custom.ts';
import { flagMembers } from './entity.ts';
import { FlagTargetList, ListTargets, presentTarget } from './schema.ts';
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
  const [{ bySlug }, target] = await awaitAll([
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
  errors: [flagNotFound, userNotFound, organizationNotFound, invalidResourceId, general.invalidParameters],
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

/** The parts of the declaration that both operations on custom targets share. */
const customTargetChange = {
  path: '/x/feature-flags/{slug}/targets/{type}/{id}',
  auth: apiKey,
  operator: 'config.change',
  responses: { 204: null },
  errors: [flagNotFound, general.invalidParameters],
  emits: ['flag.rule_updated'],
  idempotency: 'none',
} as const;

/** A flag and the id under which a custom target of it is stored. @throws Failure for an unknown flag or an invalid target */
async function findFlagAndCustomTarget(
  environmentId: string,
  { slug, type, id }: { slug: string; type: string; id: string },
  { fail, invalid }: { fail: (error: typeof flagNotFound) => Failure; invalid: (issues: readonly Issue[]) => Failure },
): Promise<{ flag: FlagRecord; targetId: string }> {
  const targetId = customTarget(type, id);
  if (targetId === undefined) throw invalid(customTargetIssues(type, id));
  const flag = (await loadFlags(environmentId)).bySlug.get(slug);
  if (flag === undefined) throw fail(flagNotFound);
  return { flag, targetId };
}

const addCustomTarget = operation({
  ...customTargetChange,
  id: 'feature_flags.add_custom_target',
  method: 'POST',
  summary: 'Add a custom target, such as a team, to a feature flag',
  description:
    'The runtime client of the official SDK and OFREP evaluate custom targets: `{ team: { id: "42" } }` in the context ' +
    'matches the target `team/42`. The lists of a user’s or organization’s flags and the access tokens do not. Adding a target that the flag ' +
    `already has changes nothing. A flag has at most ${MAX_CUSTOM_TYPES} types.`,
  async handle({ environmentId, params, unit, fail, invalid }) {
    const { flag, targetId } = await findFlagAndCustomTarget(environmentId, params, { fail, invalid });
    const issue = await stageTarget(unit, flag, targetId, 'id');
    if (issue !== undefined) throw invalid([issue]);
    return { status: 204 };
  },
});

const removeCustomTarget = operation({
  ...customTargetChange,
  id: 'feature_flags.remove_custom_target',
  method: 'DELETE',
  summary: 'Remove a custom target of a feature flag',
  description:
    'The default value of the flag then applies to it. Removing a target that the flag does not have changes nothing.',
  async handle({ environmentId, params, unit, fail, invalid }) {
    const { flag, targetId } = await findFlagAndCustomTarget(environmentId, params, { fail, invalid });
    await stageTargetRemoval(unit, flag, targetId);
    return { status: 204 };
  },
});

const listTargets = operation({
  id: 'feature_flags.list_targets',
  method: 'GET',
  path: '/x/feature-flags/{slug}/targets',
  summary: 'List the targets of a feature flag',
  description: 'Lists users, organizations and custom targets, in the order of their ids.',
  auth: apiKey,
  operator: 'people.read',
  query: ListTargets,
  responses: { 200: FlagTargetList },
  errors: [flagNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, query, fail }) {
    const flag = (await loadFlags(environmentId)).bySlug.get(params.slug);
    if (flag === undefined) throw fail(flagNotFound);
    const fetch = async (window: Window) =>
      flagMembers.list('primary', { environmentId, flagId: flag.id }).toPage(window);
    return { status: 200, body: await readPage(query, fetch, presentTarget) };
  },
});

/** Operations on the targets of feature flags. */
export const targetOperations = [listTargets, addTarget, removeTarget, addCustomTarget, removeCustomTarget] as const;
