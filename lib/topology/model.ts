/**
 * The system as plain data. Two interpreters read it: `lib/stack` turns it into CDK constructs, `lib/local` runs it in
 * one process. Nothing here knows either.
 */
import type { BucketName, InboundQueueName, Need, QueueName, Trigger } from '../../functions/kernel/area.ts';

export interface Topology {
  tables: readonly Table[];
  queues: readonly Queue[];
  buckets: readonly Bucket[];
  signingKeys: readonly SigningKey[];
  functions: readonly FunctionDescription[];
  /** What API Gateway admits for the whole stage. */
  throttle: Throttle;
}

export interface Throttle {
  /** Requests a second, on average. */
  rate: number;
  burst: number;
}

export interface Table {
  name: 'records' | 'keys';
  /** The environment variable that carries the physical name. */
  variable: string;
  partitionKey: string;
  sortKey: string;
  indexes: readonly {
    name: string;
    partitionKey: string;
    sortKey: string;
    /** The members that the index holds in addition to the keys; all when absent. */
    attributes?: readonly string[];
  }[];
  ttlAttribute: string;
  /** Whether inserts reach the relay. */
  stream: boolean;
  /** Point-in-time recovery and backups; never for destroyable keys, which must not come back. */
  recovery: boolean;
}

export interface Queue {
  name: QueueName | InboundQueueName;
  /** The environment variable that carries its address; absent where no function sends to it. */
  variable?: string;
  /** Seconds a message is hidden while a worker has it; six times the worker's time-out, as Lambda asks. */
  visibilitySeconds: number;
  /** Receives before a message goes to the dead-letter queue. */
  maxReceives: number;
}

/** An S3 bucket: private, encrypted, TLS only; parts of uploads that were given up go after a day. */
export interface Bucket {
  name: BucketName;
  variable: string;
  /** Whether objects can be locked; such a bucket is versioned and outlives its stage. */
  objectLock: boolean;
  /** When objects below a prefix are deleted. */
  expirations: readonly { prefix: string; days: number }[];
}

/** An asymmetric KMS key that signs. */
export interface SigningKey {
  name: 'evidence';
  /** The environment variable that carries its ARN. */
  variable: string;
  spec: 'ECC_NIST_P256';
}

/** What starts a function. */
export type Source = HttpSource | Trigger;

/** Requests to these paths; `{name+}` is a parameter whose values may contain slashes. */
export interface HttpSource {
  kind: 'http';
  paths: readonly string[];
  /** True for the one function that answers the paths that no function has. */
  answersUnknownPaths?: boolean;
}

export interface FunctionDescription {
  /** `<area>-<export>`, such as `webhooks-http` and `webhooks-dispatch`. */
  name: string;
  area: string;
  /** Folder-relative source of the handler, and the export that is the Lambda entry. */
  entry: { file: string; export: string };
  summary: string;
  source: Source;
  needs: readonly Need[];
  /** Environment variables that the function is given: those its needs call for and those all have. */
  variables: readonly string[];
  timeoutSeconds: number;
  memoryMb: number;
  concurrency?: number;
}
