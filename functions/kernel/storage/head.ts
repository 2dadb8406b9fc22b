import { randomInt } from 'node:crypto';

import { collection } from './collection.ts';
import { entity } from './entity.ts';
import { model, ownedAttributes, ownedIndex, recordAttributes } from './record.ts';
import type { RowKey } from './row.ts';
import { unguarded, type Write } from './write.ts';

/**
 * Number of copies of a version row. One row accepts 3,000 strongly consistent reads a second, and every check of a busy
 * environment reads one: at 5,000 checks, 3,000 refreshes and 300 sign-ins a second, a copy
 * serves a quarter of that. To add a copy, write it in one release and read it in the next, after every version was incremented once.
 */
const HEAD_COPIES = 12;

/**
 * The version of a set of rows that instances cache. It is incremented in the transaction of each change of them, and read
 * before each use. So a cached set is current without any time limit, and changes of one set are serialized.
 */
const HeadEntity = entity({
  model: model('head'),
  attributes: { ...recordAttributes, ...ownedAttributes, copy: { type: 'number', required: true, readOnly: true } },
  indexes: {
    primary: {
      pk: {
        field: 'pk',
        composite: ['environmentId', 'id', 'copy'],
        template: '${environmentId}#head#${id}#${copy}',
        casing: 'none',
      },
      sk: { field: 'sk', composite: [], template: 'record', casing: 'none' },
    },
    owned: ownedIndex,
  },
});

const heads = collection(HeadEntity, 'internal');

/** The version of a set of rows, 0 when it was never changed, by one strongly consistent GetItem. */
export async function readVersion(environmentId: string, name: string): Promise<number> {
  const copy = randomInt(HEAD_COPIES);
  return (await heads.getAt({ environmentId, id: name, copy }))?.version ?? 0;
}

/**
 * The writes that increment a version, a row for each copy. They fail if it was changed since it was read, which the condition of the
 * first copy notices for all.
 */
export function raiseHead(environmentId: string, name: string, from: number): Write[] {
  return Array.from({ length: HEAD_COPIES }, (_, copy) => {
    const created = heads.create({ environmentId, id: name, copy });
    const { write } = from === 0 ? created : heads.revise({ ...created.record, version: from }, {});
    return copy === 0 ? { ...write, isTurn: true } : unguarded(write);
  });
}

/** A condition on a set that was never changed, for the transaction that writes its first rows. */
export function expectNoHead(environmentId: string, name: string): Write {
  const { params } = heads.create({ environmentId, id: name, copy: 0 }).write;
  const { pk, sk } = params.Item as unknown as RowKey;
  return {
    kind: 'ConditionCheck',
    params: { TableName: params.TableName, Key: { pk, sk }, ConditionExpression: 'attribute_not_exists(pk)' },
  };
}
