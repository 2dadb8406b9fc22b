import { awaitAll } from '../../../kernel/concurrency.ts';
import type { DeclaredError, Failure, FailureDetails, Issue } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { findOrganization, organizationNotFound } from '../../../tenancy/organizations/public.ts';
import { loadModel, type Model, type ResourceType } from '../../../tenancy/roles/public.ts';
import { createResource, reviseResource, type ResourceRecord, touchResource } from './entity.ts';
import {
  externalIdConflict,
  organizationResourceExists,
  organizationResourceIsFixed,
  parentNotFound,
  resourceNotFound,
  typeUpdateInProgress,
} from './errors.ts';
import { findNamed, type FoundResource, organizationResource } from './find.ts';
import { noteResource } from './notes.ts';
import { ORGANIZATION_TYPE } from './rules.ts';
import { type Named, parentNamed, type ResourceView } from './schema.ts';

/** The errors of a new resource. */
export const creationErrors = [
  organizationNotFound,
  parentNotFound,
  externalIdConflict,
  organizationResourceExists,
  typeUpdateInProgress,
] as const;

/** The errors of a change of a resource. */
export const changeErrors = [
  resourceNotFound,
  parentNotFound,
  organizationResourceIsFixed,
  typeUpdateInProgress,
] as const;

/** The errors with which a creation or a change is rejected. */
interface Rejections<Rejection extends DeclaredError> {
  fail: (error: Rejection, details?: FailureDetails) => Failure;
  invalid: (issues: readonly Issue[]) => Failure;
}

/** A resource in a request. */
export interface WantedResource {
  organization_id: string;
  resource_type_slug: string;
  external_id: string;
  name: string;
  description?: string | null | undefined;
  parent_resource_id?: string | null | undefined;
  parent_resource_external_id?: string | undefined;
  parent_resource_type_slug?: string | undefined;
}

/** The members of a resource that an update does not change. */
export interface KeptMembers {
  id?: string | undefined;
  createdAt?: string | undefined;
  updatedAt?: string | undefined;
}

/**
 * Stages a new resource. It reads the model, the organization and the parent in one wave. The parent's row is not locked,
 * since many resources are created below one parent: if the parent is deleted concurrently, the second sweep removes the
 * resource.
 * @returns the new resource
 */
export async function stageResource(
  unit: Pick<Unit, 'stage'>,
  environmentId: string,
  wanted: WantedResource,
  rejections: Rejections<(typeof creationErrors)[number]>,
  { id = newId('authz_resource'), createdAt, updatedAt }: KeptMembers = {},
): Promise<ResourceRecord> {
  const { fail, invalid } = rejections;
  const { organization_id: organizationId, resource_type_slug: typeSlug } = wanted;
  const named = parentNamed(wanted);
  const [model, organization, found] = await awaitAll([
    loadModel(environmentId),
    findOrganization(environmentId, organizationId),
    isNamed(named) ? findNamed(environmentId, organizationId, named) : undefined,
  ]);
  if (organization === undefined) throw fail(organizationNotFound);
  if (typeSlug === ORGANIZATION_TYPE) throw fail(organizationResourceExists);
  const type = requireType(model, typeSlug, rejections);
  if (isNamed(named) && found === undefined) throw fail(parentNotFound);
  const parent = found?.view ?? organizationResource(environmentId, organization);
  checkParentType(type, parent, found !== undefined, invalid);
  const change = createResource(
    {
      environmentId,
      id,
      organizationId,
      typeSlug,
      externalId: wanted.external_id,
      name: wanted.name,
      description: wanted.description ?? undefined,
      ...above(parent),
    },
    createdAt,
    updatedAt,
  );
  unit.stage(change.writes);
  if (change.claim !== undefined) unit.stage(change.claim, fail(externalIdConflict));
  noteResource(change.record);
  return change.record;
}

const isNamed = ({ resource_id: id, resource_external_id: externalId }: Named): boolean =>
  (id !== undefined && id !== null) || externalId !== undefined;

/** The position of a resource below its parent. */
const above = (parent: ResourceView): { parentId: string; ancestors: string[] } => ({
  parentId: parent.id,
  ancestors: parent.parentId === undefined ? [] : [parent.id, ...parent.ancestors],
});

/** The type of a resource that can be created or changed. */
function requireType(
  model: Model,
  slug: string,
  { fail, invalid }: Rejections<typeof typeUpdateInProgress>,
): ResourceType {
  const type = model.types.get(slug);
  if (type === undefined) {
    const message = 'is no resource type of this environment. GET /x/authorization/model lists the types';
    throw invalid([{ field: 'resource_type_slug', code: 'unknown_resource_type', message }]);
  }
  if (type.isLeaving) throw fail(typeUpdateInProgress);
  return type;
}

/**
 * Checks that the type may have this parent.
 * @throws Failure for a parent whose type the model does not allow
 */
function checkParentType(
  type: ResourceType,
  parent: ResourceView,
  isNamedParent: boolean,
  invalid: (issues: readonly Issue[]) => Failure,
): void {
  if (type.parents.includes(parent.typeSlug)) return;
  const allowed = type.parents.map((slug) => `“${slug}”`).join(' or ');
  const message = isNamedParent
    ? `is of type “${parent.typeSlug}”; the parent of a “${type.slug}” must be of type ${allowed}`
    : `is required: the parent of a “${type.slug}” must be of type ${allowed}`;
  throw invalid([{ field: 'parent_resource_id', code: 'invalid_parent_type', message }]);
}

/** The changes that a request makes to a resource. */
export interface WantedChanges {
  name?: string | undefined;
  description?: string | null | undefined;
  parent_resource_id?: string | undefined;
  parent_resource_external_id?: string | undefined;
  parent_resource_type_slug?: string | undefined;
}

/**
 * Stages a resource's new state, and writes nothing if nothing changes. A move changes only this record and the version of its new
 * parent, however many resources are below it, and takes effect with the commit.
 */
export async function stageResourceChange(
  unit: Pick<Unit, 'stage'>,
  { view, record: former }: FoundResource,
  wanted: WantedChanges,
  rejections: Rejections<(typeof changeErrors)[number]>,
): Promise<ResourceView> {
  const { fail, invalid } = rejections;
  if (former === undefined) throw fail(organizationResourceIsFixed);
  const { environmentId, organizationId } = view;
  const named = parentNamed(wanted);
  const [model, parent] = await awaitAll([
    loadModel(environmentId),
    isNamed(named) ? findNamed(environmentId, organizationId, named) : undefined,
  ]);
  const type = requireType(model, view.typeSlug, rejections);
  if (isNamed(named) && parent === undefined) throw fail(parentNotFound);
  if (parent !== undefined) checkParentType(type, parent.view, true, invalid);
  const moved = parent === undefined || parent.view.id === former.parentId ? {} : above(parent.view);
  const changes = {
    name: wanted.name ?? former.name,
    description: wanted.description === undefined ? former.description : (wanted.description ?? undefined),
    ...moved,
  };
  const isSame =
    changes.name === former.name && changes.description === former.description && Object.keys(moved).length === 0;
  if (isSame) return former;
  const { record, writes } = reviseResource(former, changes);
  unit.stage(writes);
  if ('parentId' in moved && parent?.record !== undefined) unit.stage(touchResource(parent.record));
  return record;
}
