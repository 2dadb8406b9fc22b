import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage } from '../../../kernel/pagination.ts';
import { pageWithin } from '../../../kernel/storage/reading.ts';
import { findUserMemberships } from '../../../tenancy/modules/memberships/public.ts';
import { findOrganization, organizationNotFound } from '../../../tenancy/organizations/public.ts';
import { findUser, userNotFound } from '../../../tenancy/modules/users/public.ts';
import { findFlagsThatAreOn } from '../target/find.ts';
import { ambiguousCursor, cursorNotFound, flagNotFound } from './errors.ts';
import { Flag, FlagList, ListFlags, ListFlagsOfOrganization, ListFlagsOfUser, presentFlag } from './schema.ts';
import { loadFlags } from './set.ts';
import { stageFlagChange } from './stage.ts';

const listFlags = operation({
  id: 'feature_flags.list',
  method: 'GET',
  path: '/feature-flags',
  summary: 'List the feature flags of the environment',
  description:
    'The list is strongly consistent. A cursor that is not a flag of this environment is rejected with a 404.',
  auth: apiKey,
  operator: 'config.read',
  query: ListFlags,
  responses: { 200: FlagList },
  errors: [ambiguousCursor, cursorNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query, fail }) {
    const { before, after } = query;
    if (before !== undefined && after !== undefined) throw fail(ambiguousCursor);
    const flags = [...(await loadFlags(environmentId)).bySlug.values()];
    const cursor = before ?? after;
    if (cursor !== undefined && flags.every(({ id }) => id !== cursor)) throw fail(cursorNotFound);
    return { status: 200, body: await readPage(query, async (window) => pageWithin(flags, window), presentFlag) };
  },
});

export const getFlag = operation({
  id: 'feature_flags.get',
  method: 'GET',
  path: '/feature-flags/{slug}',
  summary: 'Get a feature flag by its slug',
  auth: apiKey,
  operator: 'config.read',
  etag: true,
  responses: { 200: Flag },
  errors: [flagNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const flag = (await loadFlags(environmentId)).bySlug.get(params.slug);
    if (flag === undefined) throw fail(flagNotFound);
    return { status: 200, body: presentFlag(flag) };
  },
});

const switchOperation = (verb: 'enable' | 'disable', summary: string, description: string) =>
  operation({
    id: `feature_flags.${verb}`,
    method: 'PUT',
    path: `/feature-flags/{slug}/${verb}` as '/feature-flags/{slug}/enable',
    summary,
    description,
    auth: apiKey,
    operator: 'config.change',
    responses: { 200: Flag },
    errors: [flagNotFound],
    emits: ['flag.updated'],
    idempotency: 'none',
    async handle({ environmentId, params, unit, fail }) {
      const set = await loadFlags(environmentId);
      const flag = set.bySlug.get(params.slug);
      if (flag === undefined) throw fail(flagNotFound);
      return { status: 200, body: presentFlag(await stageFlagChange(unit, set, flag, { enabled: verb === 'enable' })) };
    },
  });

const enableFlag = switchOperation(
  'enable',
  'Enable a feature flag',
  'The flag is then on for its targets, and has its default value for all others.',
);
const disableFlag = switchOperation(
  'disable',
  'Disable a feature flag',
  'The flag is then off for everyone, including its targets.',
);

const listFlagsOfOrganization = operation({
  id: 'feature_flags.list_of_organization',
  method: 'GET',
  path: '/organizations/{organizationId}/feature-flags',
  summary: 'List the feature flags that are on for an organization',
  auth: apiKey,
  operator: 'config.read',
  query: ListFlagsOfOrganization,
  responses: { 200: FlagList },
  errors: [organizationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params: { organizationId }, query, fail }) {
    const [organization, flags] = await awaitAll([
      findOrganization(environmentId, organizationId),
      findFlagsThatAreOn(environmentId, [organizationId]),
    ]);
    if (organization === undefined) throw fail(organizationNotFound);
    return { status: 200, body: await readPage(query, async (window) => pageWithin(flags, window), presentFlag) };
  },
});

const listFlagsOfUser = operation({
  id: 'feature_flags.list_of_user',
  method: 'GET',
  path: '/user_management/users/{userId}/feature-flags',
  summary: 'List the feature flags that are on for a user',
  description:
    'Lists the flags that are on for the user, or for any organization of which the user is an active member.',
  auth: apiKey,
  query: ListFlagsOfUser,
  responses: { 200: FlagList },
  errors: [userNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params: { userId }, query, fail }) {
    const [user, memberships] = await awaitAll([
      findUser(environmentId, userId),
      findUserMemberships(environmentId, userId),
    ]);
    if (user === undefined) throw fail(userNotFound);
    const active = memberships.filter(({ status }) => status === 'active');
    const ids = [userId, ...active.map(({ organizationId }) => organizationId)];
    const flags = await findFlagsThatAreOn(environmentId, ids);
    return { status: 200, body: await readPage(query, async (window) => pageWithin(flags, window), presentFlag) };
  },
});

/** Operations on feature flags that are in the contract. */
export const flagOperations = [
  listFlags,
  getFlag,
  enableFlag,
  disableFlag,
  listFlagsOfOrganization,
  listFlagsOfUser,
] as const;
