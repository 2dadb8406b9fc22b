/**
 * The parts that all records of the table share, for use in `entity.ts`: attributes, key templates and the four generic
 * indexes.
 *
 * Every key starts with the environment id, so that an unscoped read cannot be written. ElectroDB's entity version
 * stays '1' because ElectroDB ignores rows of another version. The attributes of a row are only added: a new attribute
 * is optional, and code that reads it handles rows without it.
 */
import { chooseShard } from '../partitions.ts';

/** Attributes of every record, for an entity to spread into its own. */
export const recordAttributes = {
  environmentId: { type: 'string', required: true, readOnly: true },
  id: { type: 'string', required: true, readOnly: true },
  /**
   * The number of the row's format. It is 1 in every row so far, and no code reads it, because attributes have only been
   * added.
   */
  schema: { type: 'number', required: true, default: 1 },
  /** Incremented by every update and checked by it, which prevents lost updates. */
  version: { type: 'number', required: true, default: 1 },
  createdAt: { type: 'string', required: true, readOnly: true },
  updatedAt: { type: 'string', required: true },
} as const;

/**
 * The attribute of records that expire, in seconds since the epoch. DynamoDB may delete them days late, so reads compare it
 * with the clock.
 */
export const expiringAttributes = { expiresAt: { type: 'number' } } as const;

/**
 * The owner of records directly below an environment. Such a record is created with one of several owners, by its id
 * ({@link environmentOwner}): otherwise all callers would write one partition of the index.
 */
export const ENVIRONMENT_OWNER = 'environment';

/** Number of owners of an environment's records. Each has a partition, for 1,000 new records a second. It may only grow. */
const ENVIRONMENT_OWNERS = 24;

/** The owner of a record directly below its environment. */
export const environmentOwner = (id: string): string => `${ENVIRONMENT_OWNER}#${chooseShard(id, ENVIRONMENT_OWNERS)}`;

/** The owner that a row names, without the partition of an environment's owner. */
export const withoutPartition = (owner: string): string =>
  owner.startsWith(`${ENVIRONMENT_OWNER}#`) ? ENVIRONMENT_OWNER : owner;

/** All owners of records directly below an environment. Older rows have the first. */
export const environmentOwners = (): string[] => [
  ENVIRONMENT_OWNER,
  ...Array.from({ length: ENVIRONMENT_OWNERS }, (_, shard) => `${ENVIRONMENT_OWNER}#${shard}`),
];

export const ownerKey = (kind: 'organization' | 'user', id: string): string => `${kind}#${id}`;

/**
 * The attribute of records that are erased with their owner, which are found through {@link ownedIndex}. `owner` is
 * `<kind>#<id>`, made by {@link ownerKey}; a record that is created without an owner belongs to the environment.
 */
export const ownedAttributes = { owner: { type: 'string', readOnly: true, default: ENVIRONMENT_OWNER } } as const;

/**
 * The same attribute of records that expire in any case. Without an owner they are not in the index, which saves its write, and they
 * remain after their environment until they expire.
 */
export const perhapsOwnedAttributes = { owner: { type: 'string', readOnly: true } } as const;

/**
 * The partition key of the rows of a kind that have the same values of some attributes, in an environment, for the table or
 * for an index.
 */
export const partition = <const Field extends string, const Attributes extends readonly string[]>(
  field: Field,
  kind: string,
  ...attributes: Attributes
) => ({
  field,
  composite: ['environmentId', ...attributes] as ['environmentId', ...Attributes],
  template: ['${environmentId}', kind, ...attributes.map((name) => `\${${name}}`)].join('#'),
  casing: 'none' as const,
});

/** The sort key, which orders rows within a partition; without attributes there is only one row. */
export const sortedBy = <const Field extends string, const Attributes extends readonly string[]>(
  field: Field,
  ...attributes: Attributes
) => ({
  field,
  composite: attributes,
  template: attributes.length === 0 ? 'record' : attributes.map((name) => `\${${name}}`).join('#'),
  casing: 'none' as const,
});

/**
 * The key of a record in its parent's partition. It is read by parent and id with one GetItem, and listed below the parent
 * with one Query, both strongly consistent. It is for kinds of which a parent has hundreds, not millions.
 * @param parents attributes that identify the parent together
 */
export const childKey = <const Parents extends readonly string[]>(kind: string, ...parents: Parents) => ({
  pk: partition('pk', kind, ...parents),
  sk: sortedBy('sk', 'id'),
});

/**
 * The key of records in one partition of their environment. They are read by id with one GetItem and listed with one Query,
 * both strongly consistent. It is for kinds of which an environment has hundreds, not millions.
 */
export const environmentKey = (kind: string) => ({ pk: partition('pk', kind), sk: sortedBy('sk', 'id') });

/** The key of a record by environment and id: one strongly consistent GetItem. */
export const recordKey = (kind: string) => recordKeyBy(kind, 'id');

/** The key of a record by other attributes, which together name one record in its environment. */
export const recordKeyBy = <const Attributes extends readonly string[]>(kind: string, ...attributes: Attributes) => ({
  pk: partition('pk', kind, ...attributes),
  sk: sortedBy('sk'),
});

/**
 * The index gsi1 with all records of a kind in one environment, by creation: one Query for each page. They are in one
 * partition, which DynamoDB does not split further, so one environment can have 1,000 writes a second of one kind.
 */
export const creationIndex = (kind: string) => childIndex(kind);

/**
 * The index gsi1 with the records of a kind below a parent, by creation: one Query for each page.
 * @param parents attributes that identify it together
 */
export const childIndex = <const Parents extends readonly string[]>(kind: string, ...parents: Parents) => ({
  index: 'gsi1' as const,
  pk: partition('gsi1pk', kind, ...parents),
  sk: sortedBy('gsi1sk', 'id'),
});

/**
 * The index gsi2 with the records of a kind by the values of attributes, in the order of their creation: one Query,
 * eventually consistent.
 */
export const attributeIndex = <const Attributes extends readonly string[]>(
  kind: string,
  ...attributes: Attributes
) => ({
  index: 'gsi2' as const,
  pk: partition('gsi2pk', kind, ...attributes),
  sk: sortedBy('gsi2sk', 'id'),
});

/**
 * The index gsi4 with all rows of an owner. Only the erasure reads it, in pages. It has every row of its kinds, unless
 * {@link perhapsOwnedAttributes} permits a row without an owner.
 */
export const ownedIndex = {
  index: 'gsi4',
  condition: ({ owner }: { owner?: unknown }) => Boolean(owner),
  pk: { field: 'gsi4pk', composite: ['environmentId', 'owner'], template: '${environmentId}#${owner}', casing: 'none' },
  sk: { field: 'gsi4sk', composite: ['id'], template: '${id}', casing: 'none' },
} as const;

/** The head of an entity's model for ElectroDB. */
export const model = <const Kind extends string>(kind: Kind) =>
  ({ entity: kind, version: '1', service: 'gatehouse' }) as const;

/**
 * The declaration of records that are only read by their ids and are erased with their owner, for `entity(…)`.
 * @param attributes Their own, in addition to those of every record and `owner`
 */
export const ownedRecord = <const Kind extends string, const Attributes extends object>(
  kind: Kind,
  attributes: Attributes,
) => ({
  model: model(kind),
  attributes: { ...recordAttributes, ...ownedAttributes, ...attributes },
  indexes: { primary: recordKey(kind), owned: ownedIndex },
});
