import type * as sdk from '@aws-sdk/lib-dynamodb';

import { type Attributes, decodeAttributes, encodeAttributes } from './attribute-values.ts';
import { newUuid } from '../ids.ts';

/** A call of DynamoDB whose rows are plain objects, as in the SDK's document client. */
export abstract class Command<Input extends object, Output> {
  abstract readonly operation: string;
  readonly input: Input;
  /** Only the compiler reads it. */
  declare readonly output: Output;

  constructor(input: Input) {
    this.input = input;
  }

  /** The input in the form of the protocol. */
  encode(): object {
    return encodeRow(this.input as Members);
  }

  /** Converts the response from the form of the protocol. */
  decode(body: Members): Output {
    return decodeRow(body) as Output;
  }
}

type Members = Record<string, unknown>;

/** The members of requests that are attributes of a row. */
const ENCODED = ['Item', 'Key', 'ExclusiveStartKey', 'ExpressionAttributeValues'] as const;

function encodeRow(input: Members): Members {
  const encoded: Members = { ...input };
  for (const name of ENCODED) if (input[name] !== undefined) encoded[name] = encodeAttributes(input[name] as object);
  return encoded;
}

/** The members of responses that are attributes of a row. */
const DECODED = ['Item', 'Attributes', 'LastEvaluatedKey'] as const;

function decodeRow(body: Members): Members {
  for (const name of DECODED) if (body[name] !== undefined) body[name] = decodeAttributes(body[name] as Attributes);
  if (body.Items !== undefined) body.Items = (body.Items as Attributes[]).map(decodeAttributes);
  return body;
}

/** Reads a row by its key. */
export class GetCommand extends Command<sdk.GetCommandInput, sdk.GetCommandOutput> {
  readonly operation = 'GetItem';
}

/** Writes a whole row. */
export class PutCommand extends Command<sdk.PutCommandInput, sdk.PutCommandOutput> {
  readonly operation = 'PutItem';
}

/** Changes attributes of a row. */
export class UpdateCommand extends Command<sdk.UpdateCommandInput, sdk.UpdateCommandOutput> {
  readonly operation = 'UpdateItem';
}

/** Removes a row. */
export class DeleteCommand extends Command<sdk.DeleteCommandInput, sdk.DeleteCommandOutput> {
  readonly operation = 'DeleteItem';
}

/** Reads rows of a partition of the table or of an index. */
export class QueryCommand extends Command<sdk.QueryCommandInput, sdk.QueryCommandOutput> {
  readonly operation = 'Query';
}

interface KeysOfTable {
  Keys: Members[];
}

/** Reads up to 100 rows by their keys. */
export class BatchGetCommand extends Command<sdk.BatchGetCommandInput, sdk.BatchGetCommandOutput> {
  readonly operation = 'BatchGetItem';

  override encode(): object {
    const tables = this.input.RequestItems as unknown as Record<string, KeysOfTable>;
    const encodeKeys = (table: KeysOfTable) => ({ ...table, Keys: table.Keys.map(encodeAttributes) });
    return { ...this.input, RequestItems: mapValues(tables, encodeKeys) };
  }

  override decode(body: Members): sdk.BatchGetCommandOutput {
    const { Responses = {}, UnprocessedKeys = {} } = body as {
      Responses?: Record<string, Attributes[]>;
      UnprocessedKeys?: Record<string, { Keys: Attributes[] }>;
    };
    return {
      ...body,
      Responses: mapValues(Responses, (rows) => rows.map(decodeAttributes)),
      UnprocessedKeys: mapValues(UnprocessedKeys, (table) => ({ ...table, Keys: table.Keys.map(decodeAttributes) })),
    } as unknown as sdk.BatchGetCommandOutput;
  }
}

interface BatchEntry {
  PutRequest?: { Item: Attributes };
  DeleteRequest?: { Key: Attributes };
}

const mapEntries = (convert: (row: never) => object) => (entries: readonly BatchEntry[]) =>
  entries.map(({ PutRequest, DeleteRequest }) =>
    PutRequest === undefined
      ? { DeleteRequest: { Key: convert(DeleteRequest?.Key as never) } }
      : { PutRequest: { Item: convert(PutRequest.Item as never) } },
  );

/** Writes and removes up to 25 rows without conditions. */
export class BatchWriteCommand extends Command<sdk.BatchWriteCommandInput, sdk.BatchWriteCommandOutput> {
  readonly operation = 'BatchWriteItem';

  override encode(): object {
    const tables = this.input.RequestItems as unknown as Record<string, BatchEntry[]>;
    return { ...this.input, RequestItems: mapValues(tables, mapEntries(encodeAttributes)) };
  }

  override decode(body: Members): sdk.BatchWriteCommandOutput {
    const tables = (body.UnprocessedItems ?? {}) as Record<string, BatchEntry[]>;
    return { ...body, UnprocessedItems: mapValues(tables, mapEntries(decodeAttributes)) } as never;
  }
}

/** Writes up to 100 rows, all or none. Its attempts have one token, so it is executed once. */
export class TransactWriteCommand extends Command<sdk.TransactWriteCommandInput, sdk.TransactWriteCommandOutput> {
  readonly operation = 'TransactWriteItems';

  override encode(): object {
    const { TransactItems = [], ClientRequestToken = newUuid() } = this.input;
    const items = TransactItems as readonly Record<string, Members>[];
    return { ...this.input, ClientRequestToken, TransactItems: items.map((item) => mapValues(item, encodeRow)) };
  }
}

function mapValues<From, To>(
  members: Readonly<Record<string, From>>,
  convert: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, convert(value)]));
}
