import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { type Failure, orFail } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage } from '../../../kernel/pagination.ts';
import { ENVIRONMENT_OWNER } from '../../../kernel/storage/record.ts';
import { claim, moveUnique, release } from '../../../kernel/storage/unique.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import { invalidBody, invalidRequest } from '../errors.ts';
import { sessionsEnd } from '../work/end.ts';
import { blueprints, type BlueprintRecord, findBlueprint, nameOf } from './entity.ts';
import { blueprintNotFound, nameAlreadyInUse, referenceErrors } from './errors.ts';
import { readReferences } from './references.ts';
import {
  Blueprint,
  BlueprintList,
  CreateBlueprint,
  DEFAULT_LIMITS,
  ListBlueprints,
  mergeLimits,
  presentBlueprint,
  presentDeletedBlueprint,
  UpdateBlueprint,
} from './schema.ts';

/** The error for an access token that would outlive its session. */
const tooLong = (fail: (error: typeof invalidRequest, details: object) => Failure): Failure =>
  fail(invalidRequest, {
    issues: [
      {
        field: 'session_settings.access_token_ttl_seconds',
        code: 'too_big',
        message: 'must be at most max_age_seconds',
      },
    ],
  });

const listBlueprints = operation({
  id: 'agent_blueprints.list',
  method: 'GET',
  path: '/agents/blueprints',
  summary: 'List agent blueprints',
  auth: apiKey,
  operator: 'config.read',
  query: ListBlueprints,
  responses: { 200: BlueprintList },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query }) {
    const fetch = (window: Window) => blueprints.list('byCreation', { environmentId }).toPage(window);
    const present = (record: unknown) => presentBlueprint(record as BlueprintRecord);
    return { status: 200, body: await readPage(query, fetch, present) };
  },
});

const createBlueprint = operation({
  id: 'agent_blueprints.create',
  method: 'POST',
  path: '/agents/blueprints',
  summary: 'Create an agent blueprint',
  description:
    'Tokens of agents are issued for a blueprint. `permissions` is the maximum that a token of the blueprint can have; `invocable_by` limits the roles and organizations of the users, and `invocable_as` whether agents act for users, for organizations or both. ' +
    'The service uses its default for each absent field of `session_settings`, also if the whole object is absent. The name is compared exactly and is unique in the environment.',
  auth: apiKey,
  operator: 'config.change',
  body: CreateBlueprint,
  bodyError: invalidBody,
  responses: { 201: Blueprint },
  errors: [invalidRequest, nameAlreadyInUse, ...referenceErrors],
  emits: ['agent.blueprint.created'],
  idempotency: 'replay',
  async handle({ environmentId, body, unit, fail }) {
    const { limits, isConsistent } = mergeLimits(DEFAULT_LIMITS, body.session_settings);
    if (!isConsistent) throw tooLong(fail);
    const lists = await readReferences(
      environmentId,
      {
        permissions: body.permissions ?? [],
        roleSlugs: body.invocable_by?.role_slugs ?? [],
        organizationIds: body.invocable_by?.organization_ids ?? [],
      },
      fail,
    );
    const created = blueprints.create({
      environmentId,
      id: newId('agent_blueprint'),
      owner: ENVIRONMENT_OWNER,
      name: body.name,
      description: body.description,
      permissions: [],
      permissionIds: [],
      roleSlugs: [],
      roleIds: [],
      organizationIds: [],
      ...lists,
      instanceTypes: body.invocable_as?.instance_types,
      sessionSettings: limits,
    });
    const record = created.record as BlueprintRecord;
    unit.announce({ record, write: created.write }, 'agent.blueprint.created', presentBlueprint);
    unit.stage(claim(nameOf(environmentId, record.name), record.id, ENVIRONMENT_OWNER), fail(nameAlreadyInUse));
    return { status: 201, body: presentBlueprint(record) };
  },
});

const getBlueprint = operation({
  id: 'agent_blueprints.get',
  method: 'GET',
  path: '/agents/blueprints/{agent_blueprint_id}',
  summary: 'Get an agent blueprint',
  auth: apiKey,
  operator: 'config.read',
  etag: true,
  responses: { 200: Blueprint },
  errors: [blueprintNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const record = await orFail(findBlueprint(environmentId, params.agent_blueprint_id), () => fail(blueprintNotFound));
    return { status: 200, body: presentBlueprint(record) };
  },
});

const updateBlueprint = operation({
  id: 'agent_blueprints.update',
  method: 'PATCH',
  path: '/agents/blueprints/{agent_blueprint_id}',
  summary: 'Update an agent blueprint',
  description:
    'Absent fields are unchanged, also within `invocable_by`, `invocable_as` and `session_settings`; lists are replaced, and a null description ' +
    'clears it. After a permission is removed, `tokens/validate` no longer returns it, also for tokens from before; all other changes apply to tokens that are issued or refreshed afterwards.',
  auth: apiKey,
  operator: 'config.change',
  ifMatch: getBlueprint,
  body: UpdateBlueprint,
  bodyError: invalidBody,
  responses: { 200: Blueprint },
  errors: [invalidRequest, blueprintNotFound, nameAlreadyInUse, ...referenceErrors],
  emits: ['agent.blueprint.updated'],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail }) {
    const lists = {
      permissions: body.permissions,
      roleSlugs: body.invocable_by?.role_slugs,
      organizationIds: body.invocable_by?.organization_ids,
    };
    const [former, found] = await awaitAll([
      findBlueprint(environmentId, params.agent_blueprint_id),
      // If both the blueprint and a permission are unknown, the error is that of the blueprint.
      readReferences(environmentId, lists, fail).catch((error: unknown) => ({ error })),
    ]);
    if (former === undefined) throw fail(blueprintNotFound);
    if ('error' in found) throw found.error;
    const { limits, isConsistent } = mergeLimits(former.sessionSettings ?? DEFAULT_LIMITS, body.session_settings);
    if (!isConsistent) throw tooLong(fail);
    const { name = former.name, description = former.description ?? null } = body;
    const instanceTypes = body.invocable_as?.instance_types ?? former.instanceTypes;
    const changes = { ...found, name, description: description ?? undefined, instanceTypes, sessionSettings: limits };
    const revised = blueprints.revise(former, changes);
    const record = revised.record as BlueprintRecord;
    const { updated_at: _now, ...next } = presentBlueprint(record);
    const { updated_at: at, ...old } = presentBlueprint(former);
    const isSame = JSON.stringify(next) === JSON.stringify(old);
    // A permission that was deleted and created again has the same slug and another id, so the same list of slugs can be a
    // change.
    const isSameRow = isSame && (found.permissionIds ?? former.permissionIds).join() === former.permissionIds.join();
    if (isSameRow && (found.roleIds ?? former.roleIds).join() === former.roleIds.join()) {
      return { status: 200, body: { ...old, updated_at: at } };
    }
    const moved = moveUnique((value) => nameOf(environmentId, value), former.id, {
      former: former.name,
      next: name,
      owner: ENVIRONMENT_OWNER,
    });
    unit.announce({ record, write: revised.write }, 'agent.blueprint.updated', presentBlueprint, { former });
    unit.stage(moved.released);
    unit.stage(moved.claimed, fail(nameAlreadyInUse));
    return { status: 200, body: presentBlueprint(record) };
  },
});

const deleteBlueprint = operation({
  id: 'agent_blueprints.delete',
  method: 'DELETE',
  path: '/agents/blueprints/{agent_blueprint_id}',
  summary: 'Delete an agent blueprint with its instances and sessions',
  description:
    'Once this response is sent, `tokens/validate` rejects its access tokens, and its refresh tokens are invalid. Its instances and sessions are ' +
    'removed in the background within moments, each with its event.',
  auth: apiKey,
  operator: 'config.change',
  responses: { 204: null },
  errors: [blueprintNotFound],
  emits: ['agent.blueprint.deleted'],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params, unit, fail }) {
    const record = await orFail(findBlueprint(environmentId, params.agent_blueprint_id), () => fail(blueprintNotFound));
    unit.announce({ record, write: blueprints.remove(record) }, 'agent.blueprint.deleted', presentDeletedBlueprint);
    unit.stage(release(nameOf(environmentId, record.name), record.id));
    sessionsEnd.stage(unit, environmentId, { below: 'blueprint', id: record.id, removes: true });
    return { status: 204 };
  },
});

export const blueprintOperations = [
  listBlueprints,
  createBlueprint,
  getBlueprint,
  updateBlueprint,
  deleteBlueprint,
] as const;
