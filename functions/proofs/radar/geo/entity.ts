import { collection } from '../../../kernel/storage/collection.ts';
import { entity } from '../../../kernel/storage/entity.ts';
import { model, recordAttributes } from '../../../kernel/storage/record.ts';

/**
 * A page of the table of locations: ranges of addresses in order (`table.ts`), some 3.5 KB. The table belongs to the stage,
 * so its key has no environment; all environments read the same facts, and none writes them.
 */
const PlacePageEntity = entity({
  model: model('radar-place-page'),
  attributes: {
    ...recordAttributes,
    /** The version of the table. */
    table: { type: 'string', required: true, readOnly: true },
    /** The first address, as 32 hexadecimal digits. */
    first: { type: 'string', required: true, readOnly: true },
    /** The ranges in base64. */
    ranges: { type: 'string', required: true },
  },
  indexes: {
    /**
     * The pages of a table by their first address. The page of an address is the last one that begins at or before it: one
     * Query of one row.
     */
    primary: {
      pk: { field: 'pk', composite: ['table'], template: 'stage#radar-place-page#${table}', casing: 'none' },
      sk: { field: 'sk', composite: ['first'], template: '${first}', casing: 'none' },
    },
  },
});

export const placePages = collection(PlacePageEntity, 'internal');

/** A table of places that was loaded. */
export interface LoadedTable {
  /** The table's version, which is a part of the ids of its pages. */
  table: string;
  ranges: number;
  /** The time of the load, in ISO 8601. */
  loadedAt: string;
}

/** The row of the stage that names the current table; its id is {@link CURRENT}. */
const PlaceTableEntity = entity({
  model: model('radar-place-table'),
  attributes: {
    ...recordAttributes,
    /** The current table; absent if there is none. */
    table: { type: 'string' },
    ranges: { type: 'number' },
    loadedAt: { type: 'string' },
    /** The former table, a {@link LoadedTable}, whose pages are kept. */
    former: { type: 'any' },
    /** The table whose pages are written at the moment. A load that was interrupted is cleaned up by the next. */
    loading: { type: 'string' },
  },
  indexes: {
    primary: {
      pk: { field: 'pk', composite: ['id'], template: 'stage#radar-place-table#${id}', casing: 'none' },
      sk: { field: 'sk', composite: [], template: 'record', casing: 'none' },
    },
  },
});

export const placeTables = collection(PlaceTableEntity, 'internal');

export const CURRENT = 'current';

/** The value of `environmentId` in rows of the stage. */
export const STAGE = 'stage';
