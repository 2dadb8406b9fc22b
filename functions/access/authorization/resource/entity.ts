import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  attributeIndex,
  childIndex,
  model,
  ownedAttributes,
  ownedIndex,
  ownerKey,
  partition,
  recordAttributes,
  recordKey,
  sortedBy,
} from '../../../kernel/storage/record.ts';
import { unguarded, type Write } from '../../../kernel/storage/write.ts';

const attributes = {
  ...recordAttributes,
  ...ownedAttributes,
  organizationId: { type: 'string', required: true, readOnly: true },
  typeSlug: { type: 'string', required: true, readOnly: true },
  externalId: { type: 'string', required: true, readOnly: true },
  name: { type: 'string', required: true },
  description: { type: 'string' },
  /** The parent resource: the organization's own, which has no row, or another one. This attribute is authoritative. */
  parentId: { type: 'string', required: true },
  /**
   * The resources above as a prediction, the nearest first and without the organization's own: moves do not update it in
   * resources below.
   */
  ancestors: { type: 'list', items: { type: 'string' }, required: true },
} as const;

/** A resource by its id. */
const ResourceEntity = entity({
  model: model('authorization-resource'),
  attributes,
  indexes: {
    primary: recordKey('authorization-resource'),
    /** The resources of an organization by creation: one Query for each page, eventually consistent. */
    byOrganization: childIndex('authorization-resource', 'organizationId'),
    /** The resources of a type in an organization by creation: one Query for each page, eventually consistent. */
    byType: attributeIndex('authorization-resource', 'organizationId', 'typeSlug'),
    owned: ownedIndex,
  },
});

/**
 * The same resource by organization, type and external id. This row makes these unique and finds the resource in one read.
 */
const PlaceEntity = entity({
  model: model('authorization-resource-place'),
  attributes,
  indexes: {
    primary: {
      pk: partition('pk', 'authorization-resource-place', 'organizationId', 'typeSlug'),
      sk: sortedBy('sk', 'externalId'),
    },
    /** The resources of a type in all organizations by creation: one Query for each page, eventually consistent. */
    byType: childIndex('authorization-resource-place', 'typeSlug'),
    /** The resources of a type with an external id in all organizations: one Query for each page, eventually consistent. */
    byExternalId: attributeIndex('authorization-resource-place', 'typeSlug', 'externalId'),
    owned: ownedIndex,
  },
});

/** The same resource in its parent's partition: children of one type, or of any, by creation and strongly consistent. */
const ChildEntity = entity({
  model: model('authorization-resource-child'),
  attributes,
  indexes: {
    primary: {
      pk: partition('pk', 'authorization-resource-child', 'parentId'),
      sk: sortedBy('sk', 'typeSlug', 'id'),
    },
    owned: ownedIndex,
  },
});

export type ResourceRecord = RecordOf<typeof ResourceEntity>;

/** Resources by id. The three rows of a resource are one record and are always written together. */
export const resources = collection(ResourceEntity, 'silent');
/** Resources by organization, type and external id. */
export const places = collection(PlaceEntity, 'internal');
/** Resources by parent. */
export const children = collection(ChildEntity, 'internal');

/** The fields of a new resource. */
export type NewResource = Pick<
  ResourceRecord,
  'environmentId' | 'id' | 'organizationId' | 'typeSlug' | 'externalId' | 'name' | 'parentId' | 'ancestors'
> & { description?: string | undefined };

/** A resource and the writes of its rows. */
export interface ResourceChange {
  record: ResourceRecord;
  writes: Write[];
  /** The write for a new resource that fails if another resource has the external id. */
  claim?: Write;
}

/**
 * A new resource, created at the current or at the given times. It has 3 rows and 7 index entries, which cost 13 write
 * units in a transaction.
 */
export function createResource(fields: NewResource, createdAt?: string, updatedAt?: string): ResourceChange {
  const owner = ownerKey('organization', fields.organizationId);
  const { record, write } = resources.create({ ...fields, owner }, createdAt, updatedAt);
  const claim = places.create(record, record.createdAt, record.updatedAt).write;
  return { record, writes: [write, children.create(record, record.createdAt, record.updatedAt).write], claim };
}

/**
 * A new state of a resource, possibly with another parent. The write fails if the resource was changed since it was read.
 */
export function reviseResource(
  record: ResourceRecord,
  changes: Partial<Pick<ResourceRecord, 'name' | 'parentId' | 'ancestors'>> & { description?: string | undefined },
  updatedAt?: string,
): ResourceChange {
  const { record: next, write } = resources.revise(record, changes, updatedAt);
  const child = children.revise(record, changes, next.updatedAt).write;
  // The row below a new parent is new, so it has no condition of its own; the version of the first row protects it.
  const placed = next.parentId === record.parentId ? [child] : [children.remove(record), unguarded(child)];
  return { record: next, writes: [write, places.revise(record, changes, next.updatedAt).write, ...placed] };
}

/**
 * The writes of a resource that change nothing but its version. A call that depends on the resource commits them, and then a deletion
 * of the resource, which may have found nothing below it, reads again; after a deletion, the call does.
 */
export const touchResource = (record: ResourceRecord): Write[] => reviseResource(record, {}, record.updatedAt).writes;

/** A condition check that a resource exists at the commit. */
export const presenceOfResource = (environmentId: string, id: string): Write =>
  resources.existenceCheck(environmentId, id);

/** The writes that remove a resource. They fail if it was changed since it was read. */
export const removalOfResource = (record: ResourceRecord): Write[] => [
  resources.remove(record),
  places.remove(record),
  children.remove(record),
];
