import { invalid } from './values.ts';

/** The names of the two attributes of a key. Their values are strings. */
export interface KeyNames {
  hash: string;
  range: string;
}

/** A global secondary index. */
export interface Index {
  name: string;
  keys: KeyNames;
  /** The attributes that it has in addition to the keys; all of them if absent. */
  attributes?: readonly string[];
}

/** The images of a row that the records of a stream contain. */
export type StreamView = 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES';

/** A table, as it is stored. */
export interface Definition {
  name: string;
  keys: KeyNames;
  indexes: readonly Index[];
  stream?: StreamView;
  /** The attribute with the time in seconds since the epoch at which a row expires. */
  ttl?: string;
}

interface KeySchema {
  KeySchema: readonly { AttributeName: string; KeyType: string }[];
}

interface IndexSchema extends KeySchema {
  IndexName: string;
  Projection: { ProjectionType: string; NonKeyAttributes?: string[] };
}

/** The request of CreateTable. */
export interface NewTable extends KeySchema {
  TableName: string;
  AttributeDefinitions: readonly { AttributeName: string; AttributeType: string }[];
  GlobalSecondaryIndexes?: readonly IndexSchema[];
  StreamSpecification?: { StreamEnabled: boolean; StreamViewType?: StreamView };
}

/** Reads the request of CreateTable. @throws TableError for keys other than a partition key and a sort key of strings */
export function readDefinition(request: NewTable): Definition {
  const { TableName: name, GlobalSecondaryIndexes = [], StreamSpecification, AttributeDefinitions } = request;
  const strings = AttributeDefinitions.filter(({ AttributeType }) => AttributeType === 'S');
  const readKeys = ({ KeySchema }: KeySchema): KeyNames => {
    const find = (type: string): string => {
      const found = KeySchema.find(({ KeyType }) => KeyType === type)?.AttributeName;
      if (found !== undefined && strings.some(({ AttributeName }) => AttributeName === found)) return found;
      throw invalid(`The local engine has keys of a partition key and a sort key of type S. ${type}: ${String(found)}`);
    };
    return { hash: find('HASH'), range: find('RANGE') };
  };
  return {
    name,
    keys: readKeys(request),
    indexes: GlobalSecondaryIndexes.map((index) => readIndex(index, readKeys(index))),
    ...(StreamSpecification?.StreamEnabled === true && {
      stream: StreamSpecification.StreamViewType ?? 'NEW_AND_OLD_IMAGES',
    }),
  };
}

const readIndex = ({ IndexName: name, Projection }: IndexSchema, keys: KeyNames): Index => ({
  name,
  keys,
  ...(Projection.ProjectionType !== 'ALL' && { attributes: Projection.NonKeyAttributes ?? [] }),
});

/** The description of a table that DescribeTable returns. */
export const describe = ({ name, keys, indexes, stream }: Definition): object => ({
  TableName: name,
  TableStatus: 'ACTIVE',
  KeySchema: schemaOf(keys),
  ...(indexes.length > 0 && {
    GlobalSecondaryIndexes: indexes.map((index) => ({
      IndexName: index.name,
      IndexStatus: 'ACTIVE',
      KeySchema: schemaOf(index.keys),
      Projection: index.attributes
        ? { ProjectionType: 'INCLUDE', NonKeyAttributes: index.attributes }
        : { ProjectionType: 'ALL' },
    })),
  }),
  ...(stream && {
    LatestStreamArn: name,
    StreamSpecification: { StreamEnabled: true, StreamViewType: stream },
  }),
});

const schemaOf = ({ hash, range }: KeyNames): object[] => [
  { AttributeName: hash, KeyType: 'HASH' },
  { AttributeName: range, KeyType: 'RANGE' },
];
