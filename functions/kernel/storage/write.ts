import type { Failure } from '../errors.ts';
import type { EventName } from '../events/catalogue/names.ts';

/** Parameters of one DynamoDB write, in the form of ElectroDB's `.params()`. */
export interface WriteParams {
  TableName: string;
  Item?: Record<string, unknown>;
  Key?: Record<string, unknown>;
  UpdateExpression?: string;
  ConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
}

/** The way in which clients are informed of changes of a kind of record. Each collection declares it. */
export type Announcement<Attribute extends string = string> =
  /** No response shows these rows, or they repeat data of other rows. */
  | 'internal'
  /** Responses show the records, and no event reports their changes. */
  | 'silent'
  | {
      /** Each unit of work that changes a record has one of these events. */
      events: readonly EventName[];
      /** The changes that need no event: changes of only these attributes, or the creation or removal of a record. */
      silent?: readonly (Attribute | 'creation' | 'removal')[];
    };

/** A write as a change of a record, which tests compare with the events of its unit of work. */
export interface RecordChange {
  /** The entity's name. */
  kind: string;
  id: string;
  announcement: Announcement;
  /** The attributes that differ, or `creation` or `removal`. */
  changed: readonly string[];
}

/** One write of a unit of work. */
export interface Write {
  kind: 'Put' | 'Update' | 'Delete' | 'ConditionCheck';
  params: WriteParams;
  /** The change; absent if the write changes no record, or repeats data of another. */
  change?: RecordChange;
  /** True if all changes of a set of rows write this row, so that a call which conflicts in it only has to wait for its turn. */
  isTurn?: boolean;
}

/** A write with the meaning of its failed condition: an error, or (if absent) a conflict that is retried. */
export interface StagedWrite extends Write {
  onConditionFailed?: Failure | undefined;
}

/** A Put or Delete without its condition, for a row that another write of its transaction protects. */
export function unguarded(write: Write): Write {
  const {
    ConditionExpression: _condition,
    ExpressionAttributeNames: _names,
    ExpressionAttributeValues: _values,
    ...params
  } = write.params;
  return { ...write, params };
}
