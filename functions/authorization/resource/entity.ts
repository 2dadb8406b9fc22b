import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
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
} from '../../kernel/storage/record.ts';
import { unguarded, type Write } from '../../kernel/storage/write.ts';

const attributes = {
  ...recordAttributes,
  ...ownedAttributes,
  organizationId: { type: 'string', required: true, readOnly: true },
  typeSlug: { type: 'string', required: true, readOnly: true },
  externalId: { type: 'string', required: true, readOnly: true },
  name: { type: 'string', required: true },
  description: { type: 'string' },
  /** The parent resource: that of the organization, which has no row, or another one. This member is authoritative. */
  parentId: { type: 'string', required: true },
  /**
   * A prediction of the resources above, the nearest first and without the organization's: moves do not update it in
   * resources below.
   */
  ancestors: { type: 'list', items: { type: 'string' }, required: true },
} as const;

/** The record by its id. */
const ResourceEntity = entity({
  model: model('authorization-resource'),
  attributes,
  indexes: {
    primary: recordKey('authorization-resource'),
    /** Those of an organization by creation: one Query a page, eventually consistent. */
    byOrganization: childIndex('authorization-resource', 'organizationId'),
    /** Those of a type in an organization by creation: one Query a page, eventually consistent. */
    byType: attributeIndex('authorization-resource', 'organizationId', 'typeSlug'),
    owned: ownedIndex,
  },
});

/** The same record by organization, type and external id: it makes these unique and finds it in one read. */
const PlaceEntity = entity({
  model: model('authorization-resource-place'),
  attributes,
  indexes: {
    primary: {
      pk: partition('pk', 'authorization-resource-place', 'organizationId', 'typeSlug'),
      sk: sortedBy('sk', 'externalId'),
    },
    /** Those of a type in all organizations by creation: one Query a page, eventually consistent. */
    byType: childIndex('authorization-resource-place', 'typeSlug'),
    /** Those of a type with an external id in all organizations: one Query a page, eventually consistent. */
    byExternalId: attributeIndex('authorization-resource-place', 'typeSlug', 'externalId'),
    owned: ownedIndex,
  },
});

/** The same record in its parent's partition: children of a type, or of any, by creation and strongly consistent. */
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
  /** For a new one: the write that fails if another resource has the external id. */
  claim?: Write;
}

/** A new resource, created now or at the given times. 3 rows and 7 index entries: 13 write units in a transaction. */
export function createResource(fields: NewResource, createdAt?: string, updatedAt?: string): ResourceChange {
  const owner = ownerKey('organization', fields.organizationId);
  const { record, write } = resources.create({ ...fields, owner }, createdAt, updatedAt);
  const claim = places.create(record, record.createdAt, record.updatedAt).write;
  return { record, writes: [write, children.create(record, record.createdAt, record.updatedAt).write], claim };
}

/** A new state of a resource, possibly with another parent; it fails if it was changed since it was read. */
export function reviseResource(
  record: ResourceRecord,
  changes: Partial<Pick<ResourceRecord, 'name' | 'parentId' | 'ancestors'>> & { description?: string | undefined },
): ResourceChange {
  const { record: next, write } = resources.revise(record, changes);
  const child = children.revise(record, changes, next.updatedAt).write;
  // The position among other siblings is new, and the version of the first row protects it.
  const placed = next.parentId === record.parentId ? [child] : [children.remove(record), unguarded(child)];
  return { record: next, writes: [write, places.revise(record, changes, next.updatedAt).write, ...placed] };
}

/** The writes that remove a resource; they fail if it was changed since it was read. */
export const removalOfResource = (record: ResourceRecord): Write[] => [
  resources.remove(record),
  places.remove(record),
  children.remove(record),
];
