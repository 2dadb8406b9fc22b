import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { operation } from '../../../kernel/operation.ts';
import { flagNotFound, flagSlugConflict } from './errors.ts';
import { getFlag } from './operations.ts';
import { MAX_FLAGS } from './rules.ts';
import { CreateFlag, Flag, presentFlag, UpdateFlag } from './schema.ts';
import { loadFlags } from './set.ts';
import { stageFlag, stageFlagChange, stageFlagRemoval } from './stage.ts';

const createFlag = operation({
  id: 'feature_flags.create',
  method: 'POST',
  path: '/x/feature-flags',
  summary: 'Create a feature flag',
  description: `An environment has at most ${MAX_FLAGS} feature flags.`,
  auth: apiKey,
  operator: 'config.change',
  body: CreateFlag,
  responses: { 201: Flag },
  errors: [flagSlugConflict],
  emits: ['flag.created'],
  idempotency: 'replay',
  dryRun: true,
  async handle({ environmentId, body, unit, fail, invalid }) {
    const set = await loadFlags(environmentId);
    if (set.bySlug.has(body.slug)) throw fail(flagSlugConflict);
    if (set.bySlug.size >= MAX_FLAGS) {
      const message = `would be one too many: there can be ${MAX_FLAGS} feature flags. Delete one first`;
      throw invalid([{ field: 'slug', code: 'too_big', message }]);
    }
    return { status: 201, body: presentFlag(stageFlag(unit, environmentId, set, body)) };
  },
});

const updateFlag = operation({
  id: 'feature_flags.update',
  method: 'PATCH',
  path: '/x/feature-flags/{slug}',
  summary: 'Update a feature flag',
  description:
    'Absent fields are unchanged; a null description or owner clears it. The slug never changes. A change of the default ' +
    'emits `flag.rule_updated`, any other change `flag.updated`.',
  auth: apiKey,
  operator: 'config.change',
  ifMatch: getFlag,
  body: UpdateFlag,
  responses: { 200: Flag },
  errors: [flagNotFound],
  emits: ['flag.updated', 'flag.rule_updated'],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params, body, unit, fail }) {
    const set = await loadFlags(environmentId);
    const flag = set.bySlug.get(params.slug);
    if (flag === undefined) throw fail(flagNotFound);
    return { status: 200, body: presentFlag(await stageFlagChange(unit, set, flag, body)) };
  },
});

const deleteFlag = operation({
  id: 'feature_flags.delete',
  method: 'DELETE',
  path: '/x/feature-flags/{slug}',
  summary: 'Delete a feature flag',
  description:
    'The flag is off for everyone once this response is sent. Its targets are removed in the background, without an event for each. ' +
    'A new flag with the same slug has no targets at first, even if this removal is not complete.',
  auth: apiKey,
  operator: 'config.change',
  responses: { 204: null },
  errors: [flagNotFound],
  emits: ['flag.deleted'],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params, unit, fail }) {
    const set = await loadFlags(environmentId);
    const flag = set.bySlug.get(params.slug);
    if (flag === undefined) throw fail(flagNotFound);
    await stageFlagRemoval(unit, set, flag);
    return { status: 204 };
  },
});

/** Operations that create and change feature flags, which the contract does not have. */
export const flagExtensionOperations = [createFlag, updateFlag, deleteFlag] as const;
