import { createHash } from 'node:crypto';

import { ulidAt } from '../../../kernel/id-format.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  childIndex,
  environmentKey,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../../kernel/storage/record.ts';
import { LIST_TYPES } from '../engine/controls.ts';

/** An entry of the block list, the allow list or both. Its id is derived from type and entry. */
const ListEntryEntity = entity({
  model: model('radar-list-entry'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    type: { type: LIST_TYPES, required: true, readOnly: true },
    /** The entry in its normalized form. */
    entry: { type: 'string', required: true, readOnly: true },
    allow: { type: 'boolean', required: true },
    block: { type: 'boolean', required: true },
  },
  indexes: {
    /** Entries by type and value: those that an attempt can match are one BatchGetItem of up to a dozen keys. */
    primary: recordKey('radar-list-entry'),
    /** Entries of a type: one Query for each page. Their order has no meaning. */
    byType: childIndex('radar-list-entry', 'type'),
    owned: ownedIndex,
  },
});

export type ListEntryRecord = RecordOf<typeof ListEntryEntity>;

export const listEntries = collection(ListEntryEntity, 'silent');

/**
 * An entry that cannot be found by key when an attempt is assessed: a network with a prefix, or a country, which is known
 * only with the location of the address. All of an environment are in one partition, at most 1,000.
 */
const WideEntryEntity = entity({
  model: model('radar-wide-entry'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    allow: { type: 'boolean', required: true },
    block: { type: 'boolean', required: true },
  },
  indexes: { primary: environmentKey('radar-wide-entry'), owned: ownedIndex },
});

export type WideEntryRecord = RecordOf<typeof WideEntryEntity>;

/** The networks and countries of lists, which repeat rows of {@link listEntries}; the id is the network or the country. */
export const wideEntries = collection(WideEntryEntity, 'internal');

/** The prefix of the ids of entries. */
export const ENTRY_PREFIX = 'radar_list_entry';

/** The id of an entry: 80 bits of a hash, in the form of ids by which lists have pages. */
export const entryId = (type: string, entry: string): string =>
  `${ENTRY_PREFIX}_${ulidAt(0, createHash('sha256').update(`${type} ${entry}`).digest())}`;
