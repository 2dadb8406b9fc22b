/**
 * The parts that all records of the table share, for use in `entity.ts`: attributes, key templates and the four generic
 * indexes.
 *
 * Every key starts with the environment id, so that an unscoped read cannot be written. ElectroDB's entity version
 * stays '1' because ElectroDB ignores rows of another version. The attributes of a row are only added: a new attribute
 * is optional, and code that reads it handles rows without it.
 */

/** Attributes of every record. Spread into the entity's own. */
export const recordAttributes = {
  environmentId: { type: 'string', required: true, readOnly: true },
  id: { type: 'string', required: true, readOnly: true },
  /** The number of the row's shape. It is 1 in every row so far, and no code reads it: shapes have only grown. */
  schema: { type: 'number', required: true, default: 1 },
  /** Incremented by every update and checked by it, which prevents lost updates. */
  version: { type: 'number', required: true, default: 1 },
  createdAt: { type: 'string', required: true, readOnly: true },
  updatedAt: { type: 'string', required: true },
} as const;

/**
 * For records that are erased with their owner: the cascade finds them through {@link ownedIndex}. `owner` is
 * `<kind>#<id>`, made by {@link ownerKey}.
 */
export const ownedAttributes = { owner: { type: 'string', readOnly: true } } as const;

/**
 * For records that expire: seconds since the epoch; DynamoDB may delete days late, so reads compare it with the clock.
 */
export const expiringAttributes = { expiresAt: { type: 'number' } } as const;

/** The owner of records directly below an environment. */
export const ENVIRONMENT_OWNER = 'environment';

export const ownerKey = (kind: 'organization' | 'user', id: string): string => `${kind}#${id}`;

const none = [] as const;

/**
 * A record in its parent's partition: read by parent and id with one GetItem, and listed below the parent with one
 * Query, both strongly consistent. For kinds of which a parent has hundreds, not millions.
 */
export const childKey = <const Kind extends string, const Parent extends string>(kind: Kind, parent: Parent) =>
  ({
    pk: {
      field: 'pk',
      composite: ['environmentId', parent],
      template: `\${environmentId}#${kind}#\${${parent}}`,
      casing: 'none',
    },
    sk: { field: 'sk', composite: ['id'], template: '${id}', casing: 'none' },
  }) as const;

/**
 * Records of a kind in one partition of their environment: read by id with one GetItem and listed with one Query, both
 * strongly consistent. For kinds of which an environment has hundreds, not millions.
 */
export const environmentKey = <const Kind extends string>(kind: Kind) =>
  ({
    pk: { field: 'pk', composite: ['environmentId'], template: `\${environmentId}#${kind}`, casing: 'none' },
    sk: { field: 'sk', composite: ['id'], template: '${id}', casing: 'none' },
  }) as const;

/** The record itself: one strongly consistent GetItem by environment and id. */
export const recordKey = <const Kind extends string>(kind: Kind) =>
  ({
    pk: {
      field: 'pk',
      composite: ['environmentId', 'id'],
      template: `\${environmentId}#${kind}#\${id}`,
      casing: 'none',
    },
    sk: { field: 'sk', composite: none, template: 'record', casing: 'none' },
  }) as const;

/**
 * gsi1, all records of a kind in one environment by creation: one Query a page.
 * One partition: 1,000 writes a second of one kind in one environment, which DynamoDB splits no further.
 */
export const creationIndex = <const Kind extends string>(kind: Kind) =>
  ({
    index: 'gsi1',
    pk: { field: 'gsi1pk', composite: ['environmentId'], template: `\${environmentId}#${kind}`, casing: 'none' },
    sk: { field: 'gsi1sk', composite: ['id'], template: '${id}', casing: 'none' },
  }) as const;

/** gsi1, records of a kind below a parent by creation: one Query a page. */
export const childIndex = <const Kind extends string, const Parent extends string>(kind: Kind, parent: Parent) =>
  ({
    index: 'gsi1',
    pk: {
      field: 'gsi1pk',
      composite: ['environmentId', parent],
      template: `\${environmentId}#${kind}#\${${parent}}`,
      casing: 'none',
    },
    sk: { field: 'gsi1sk', composite: ['id'], template: '${id}', casing: 'none' },
  }) as const;

/** gsi2, records of a kind by one of their attributes, in the order of their creation: one Query (eventually consistent). */
export const attributeIndex = <const Kind extends string, const Attribute extends string>(
  kind: Kind,
  attribute: Attribute,
) =>
  ({
    index: 'gsi2',
    pk: {
      field: 'gsi2pk',
      composite: ['environmentId', attribute],
      template: `\${environmentId}#${kind}#\${${attribute}}`,
      casing: 'none',
    },
    sk: { field: 'gsi2sk', composite: ['id'], template: '${id}', casing: 'none' },
  }) as const;

/** gsi4, all rows of an owner: only the cascade reads it, in pages. A record without an owner is not in it. */
export const ownedIndex = {
  index: 'gsi4',
  condition: ({ owner }: { owner?: unknown }) => Boolean(owner),
  pk: { field: 'gsi4pk', composite: ['environmentId', 'owner'], template: '${environmentId}#${owner}', casing: 'none' },
  sk: { field: 'gsi4sk', composite: ['id'], template: '${id}', casing: 'none' },
} as const;

/** The model head of an entity. */
export const model = <const Kind extends string>(kind: Kind) =>
  ({ entity: kind, version: '1', service: 'gatehouse' }) as const;
