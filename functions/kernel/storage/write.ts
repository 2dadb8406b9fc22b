import type { Failure } from '../errors.ts';

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

/** One write of a unit of work. */
export interface Write {
  kind: 'Put' | 'Update' | 'Delete' | 'ConditionCheck';
  params: WriteParams;
}

/** A write with the meaning of its failed condition: an error, or (if absent) a conflict that is retried. */
export interface StagedWrite extends Write {
  otherwise?: Failure | undefined;
}

/** A Put or Delete without its condition, for a row that another write of its transaction protects. */
export function unguarded(write: Write): Write {
  const {
    ConditionExpression: _condition,
    ExpressionAttributeNames: _names,
    ExpressionAttributeValues: _values,
    ...params
  } = write.params;
  return { kind: write.kind, params };
}
