import { CreateKeyCommand } from '@aws-sdk/client-kms';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';

import { kmsClient } from '../../../functions/kernel/keys/shared.ts';
import { settings } from '../../../functions/kernel/settings.ts';
import { tableClient } from '../../../functions/kernel/storage/client.ts';
import { scanRows } from '../../support/documents.ts';
import { openTarget, type Target } from '../../contract/target.ts';

/** A row of the table. */
export type Row = Record<string, unknown> & { pk: string; sk: string };

/** A response with its JSON body. */
export interface InsideResponse<T> {
  status: number;
  body: T;
}

/** The service in this process, with access to its tables and its KMS, as an intruder would have. */
export interface Inside {
  target: Target;
  call: <T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    key?: string,
  ) => Promise<InsideResponse<T>>;
  stop: () => Promise<void>;
}

export async function openInside(): Promise<Inside> {
  const target = await openTarget();
  return {
    target,
    call: async <T>(
      method: string,
      path: string,
      body?: unknown,
      key = target.keys.here,
    ): Promise<InsideResponse<T>> => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const { status, json } = await target.apiWith(key).send(method, path, sent);
      return { status, body: json as T };
    },
    stop: () => target.stop(),
  };
}

/** A KMS key of a customer. */
export async function newKmsKey(): Promise<string> {
  const { KeyMetadata } = await kmsClient().send(new CreateKeyCommand({}));
  return KeyMetadata?.Arn ?? '';
}

/** All rows of both tables. */
export async function allRows(): Promise<Row[]> {
  const { GATEHOUSE_TABLE, GATEHOUSE_KEY_TABLE } = settings();
  const rows: Row[] = [];
  for (const TableName of [GATEHOUSE_TABLE, GATEHOUSE_KEY_TABLE]) {
    rows.push(...((await scanRows({ TableName })) as Row[]));
  }
  return rows;
}

/** The row of a kind and id in the main table. */
export async function readRow(environmentId: string, kind: string, id: string): Promise<Row> {
  const Key = { pk: `${environmentId}#${kind}#${id}`, sk: 'record' };
  const { Item } = await tableClient().send(new GetCommand({ TableName: settings().GATEHOUSE_TABLE, Key }));
  return Item as Row;
}

/** Writes rows directly, like a restored backup or an intruder. */
export async function put(...rows: readonly Row[]): Promise<void> {
  for (const Item of rows) {
    await tableClient().send(new PutCommand({ TableName: settings().GATEHOUSE_TABLE, Item }));
  }
}
