import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { declareError } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { countHolders } from '../../modules/role-holders/public.ts';
import type { Model } from '../model/compiled.ts';
import { loadModel } from '../model/load.ts';
import { isTypeOfOrganizationRoles } from '../organization-role/entity.ts';
import { applyDocument } from './apply.ts';
import { planSteps, roleEffects } from './plan.ts';
import { issuesOf } from './rules.ts';
import {
  AuthorizationModel,
  AuthorizationModelPlan,
  type ModelDocument,
  PutAuthorizationModel,
  PutModelQuery,
} from './schema.ts';

const versionConflict = declareError({
  status: 409,
  code: 'authorization_model_version_conflict',
  message: 'The model has changed since this version. Get it again and apply your changes to it.',
});

const typeInUse = declareError({
  status: 409,
  code: 'resource_type_in_use',
  message: 'Organizations have roles of a resource type that is not in the document. Delete these roles first.',
});

const typeUpdateInProgress = declareError({
  status: 409,
  code: 'resource_type_update_in_progress',
  message: 'A resource type of the document is being removed with its resources. Try again when it is gone.',
});

const getModel = operation({
  id: 'authorization_model.get',
  method: 'GET',
  path: '/x/authorization/model',
  summary: 'Get the model: resource types, permissions and roles of the environment as one document',
  description: 'It does not contain the permissions of the service or the roles of organizations.',
  auth: apiKey,
  operator: 'config.read',
  responses: { 200: AuthorizationModel },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId }) {
    const model = await loadModel(environmentId);
    const body = { object: 'authorization_model' as const, version: model.version, ...toDocument(model) };
    return { status: 200, body };
  },
});

const putModel = operation({
  id: 'authorization_model.put',
  method: 'PUT',
  path: '/x/authorization/model',
  summary: 'Replace the model, or return what a replacement would change',
  description:
    'Entries that are not in the document are deleted: memberships with a deleted role keep their other roles or get the default role, and ' +
    'the resources of a deleted type are removed in the background. The document is applied in separate changes, additions first. Changes of permissions and roles emit events; changes of resource types and of the roles’ order emit none. After a failure, send the same document again, without `version`. With `dry_run=true` nothing is changed. `effects` ' +
    'lists the permissions that each role gains and loses, and how many assignments it has.',
  auth: apiKey,
  operator: 'config.change',
  query: PutModelQuery,
  body: PutAuthorizationModel,
  responses: { 200: AuthorizationModelPlan },
  errors: [versionConflict, typeInUse, typeUpdateInProgress],
  emits: [
    'permission.created',
    'permission.updated',
    'permission.deleted',
    'role.created',
    'role.updated',
    'role.deleted',
  ],
  idempotency: 'none',
  async handle({ environmentId, caller, query, body, fail, invalid }) {
    const model = await loadModel(environmentId);
    if (body.version !== undefined && body.version !== model.version) throw fail(versionConflict);
    const issues = issuesOf(body, model);
    if (issues.length > 0) throw invalid(issues);
    if (body.resource_types.some(({ slug }) => model.types.get(slug)?.isLeaving === true))
      throw fail(typeUpdateInProgress);
    const steps = planSteps(environmentId, model, body);
    const changes = steps.map(({ change }) => change);
    const removed = changes.filter(({ action, kind }) => action === 'delete' && kind === 'resource_type');
    const used = await awaitAll(removed.map(({ slug }) => isTypeOfOrganizationRoles(environmentId, slug)));
    if (used.includes(true)) throw fail(typeInUse);
    const isDryRun = query.dry_run === 'true';
    const effects = await findEffects(environmentId, model, body);
    const onChanged = body.version === undefined ? undefined : fail(versionConflict);
    if (!isDryRun) await applyDocument(environmentId, caller.actor, body, { model, steps, onChanged });
    const { version } = isDryRun ? model : await loadModel(environmentId);
    const object = 'authorization_model_plan' as const;
    return { status: 200, body: { object, version, dry_run: isDryRun, changes, effects } };
  },
});

export function toDocument(model: Model): ModelDocument {
  const [, ...types] = [...model.types.values()];
  return {
    resource_types: types
      .filter(({ isLeaving }) => !isLeaving)
      .map(({ slug, name, description = null, parents }) => ({ slug, name, description, parents: [...parents] })),
    permissions: [...model.permissions.values()]
      .filter(({ isSystem }) => !isSystem)
      .map(({ slug, name, description = null, resourceType }) => ({
        slug,
        name,
        description,
        resource_type_slug: resourceType,
      })),
    roles: [...model.roles.values()].map(({ slug, name, description = null, resourceType, permissions }) => ({
      slug,
      name,
      description,
      resource_type_slug: resourceType,
      permissions: [...permissions],
    })),
    default_role: model.defaultRole.slug,
  };
}

async function findEffects(environmentId: string, model: Model, document: ModelDocument) {
  const effects = roleEffects(model, document);
  return awaitAll(
    effects.map(async ({ role, gained, lost }) => ({
      role: role.slug,
      gained,
      lost,
      ...(await countHolders(environmentId, role.id)),
    })),
  );
}

export const documentOperations = [getModel, putModel] as const;
