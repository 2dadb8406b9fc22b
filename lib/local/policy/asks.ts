import type { Dependency } from '../proxy/dependency.ts';
import type { Ask, ConditionKeys } from './evaluate.ts';

/** A request for a table, a key, the bus or a queue, in the form of its protocol. */
interface Request {
  TableName?: string;
  IndexName?: string;
  Item?: Attributes;
  Key?: Attributes;
  UpdateExpression?: string;
  ConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  RequestItems?: Record<string, unknown>;
  TransactItems?: readonly Record<string, Request>[];
  KeyId?: string;
  EncryptionContext?: Record<string, string>;
  SourceKeyId?: string;
  SourceEncryptionContext?: Record<string, string>;
  DestinationKeyId?: string;
  DestinationEncryptionContext?: Record<string, string>;
  Tags?: readonly { TagKey: string; TagValue: string }[];
  QueueUrl?: string;
  Entries?: readonly { EventBusName?: string }[];
}
type Attributes = Record<string, { S?: string }>;

/** The resources of the local service, by the names that calls have. */
export interface Names {
  arnOf: (service: string, name: string) => string;
  /** The ARN of a key that a call names by its id, its ARN or its alias. */
  keyArn: (name: string) => string;
  /** The condition keys of a KMS key that is not one of the stage's own. */
  listKeys: (arn: string) => ConditionKeys;
}

/** The dependencies that speak the AWS JSON protocol. */
export type Engine = Extract<Dependency, 'table' | 'keys' | 'bus' | 'queues'>;

/** The asks of the dependencies that speak the AWS JSON protocol. */
const ASKS: Readonly<Record<Engine, (names: Names, operation: string, request: Request) => Ask[]>> = {
  table: listTableAsks,
  keys: listKeyAsks,
  bus: ({ arnOf }, operation, { Entries = [] }) =>
    Entries.map(({ EventBusName = 'default' }) => ({
      action: `events:${operation}`,
      resource: arnOf('events', `event-bus/${EventBusName}`),
      keys: {},
    })),
  queues: ({ arnOf }, operation, { QueueUrl = '' }) => [
    {
      action: `sqs:${operation.replace(/Batch$/, '')}`,
      resource: arnOf('sqs', QueueUrl.split('/').at(-1) ?? ''),
      keys: {},
    },
  ],
};

/** Lists every action that a call needs of IAM, each with its resource. All of them must be allowed. */
export const listAsks = (names: Names, engine: Engine, operation: string, input: object): Ask[] =>
  ASKS[engine](names, operation, input);

function listTableAsks(names: Names, operation: string, request: Request): Ask[] {
  const { RequestItems, TransactItems } = request;
  if (TransactItems !== undefined) {
    return TransactItems.flatMap((item) =>
      Object.entries(item).map(([kind, part]) =>
        askOfItem(names, kind === 'ConditionCheck' ? 'ConditionCheckItem' : `${kind}Item`, part),
      ),
    );
  }
  if (RequestItems !== undefined) {
    return Object.entries(RequestItems).map(([table, requests]) => ({
      action: `dynamodb:${operation}`,
      resource: names.arnOf('dynamodb', `table/${table}`),
      keys: operation === 'BatchWriteItem' ? { [LEADING_KEYS]: listLeadingKeys(requests) } : {},
    }));
  }
  return [askOfItem(names, operation, request)];
}

const LEADING_KEYS = 'dynamodb:LeadingKeys';

const listLeadingKeys = (requests: unknown): string[] =>
  (requests as { PutRequest?: Request; DeleteRequest?: Request }[]).flatMap(
    ({ PutRequest, DeleteRequest }) => (PutRequest?.Item ?? DeleteRequest?.Key)?.pk?.S ?? [],
  );

function askOfItem(names: Names, operation: string, request: Request): Ask {
  const { TableName = '', IndexName, Item, Key } = request;
  const table = names.arnOf('dynamodb', `table/${TableName}`);
  const key = (Item ?? Key)?.pk?.S;
  return {
    action: `dynamodb:${operation}`,
    resource: IndexName === undefined ? table : `${table}/index/${IndexName}`,
    keys: {
      ...(key === undefined ? {} : { [LEADING_KEYS]: key }),
      // Only stamps depend on the attributes, and most calls are decided before these are read.
      get 'dynamodb:Attributes'() {
        return operation === 'UpdateItem' ? listAttributes(request) : undefined;
      },
    },
  };
}

/** The names of attributes at the top level that an update names: its key, and those in its expressions. */
function listAttributes({ Key = {}, ...request }: Request): string[] {
  const { UpdateExpression = '', ConditionExpression = '', ExpressionAttributeNames: names = {} } = request;
  const words = `${UpdateExpression} ${ConditionExpression}`.match(/(?<![:.\w#])#?\w+(?!\w|\s*\()/g) ?? [];
  const named = words.filter((word) => !KEYWORDS.has(word)).map((word) => names[word] ?? word);
  return [...new Set([...Object.keys(Key), ...named])];
}

const KEYWORDS = new Set(['SET', 'REMOVE', 'ADD', 'DELETE', 'AND', 'OR', 'NOT', 'BETWEEN', 'IN']);

function listKeyAsks(names: Names, operation: string, request: Request): Ask[] {
  const { KeyId = '', EncryptionContext, Tags = [] } = request;
  const ask = (action: string, key: string, context: Record<string, string> = {}): Ask => {
    const resource = names.keyArn(key);
    return { action: `kms:${action}`, resource, keys: { ...names.listKeys(resource), ...prefixed(CONTEXT, context) } };
  };
  if (operation === 'ReEncrypt') {
    const { SourceKeyId = '', SourceEncryptionContext, DestinationKeyId = '', DestinationEncryptionContext } = request;
    return [
      ask('ReEncryptFrom', SourceKeyId, SourceEncryptionContext),
      ask('ReEncryptTo', DestinationKeyId, DestinationEncryptionContext),
    ];
  }
  if (operation !== 'CreateKey') return [ask(operation, KeyId, EncryptionContext)];
  const tags = prefixed('aws:RequestTag/', Object.fromEntries(Tags.map(({ TagKey, TagValue }) => [TagKey, TagValue])));
  return ['CreateKey', ...(Tags.length > 0 ? ['TagResource'] : [])].map((action) => ({
    action: `kms:${action}`,
    resource: '*',
    keys: tags,
  }));
}

const CONTEXT = 'kms:EncryptionContext:';

const prefixed = (prefix: string, values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}${name}`, value]));
