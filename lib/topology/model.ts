/**
 * The system as plain data. Two interpreters read it: `lib/stack` converts it to CDK constructs, `lib/local` runs it in
 * one process. This file depends on neither.
 */
import type { BucketName, InboundQueueName, Need, QueueName, Trigger } from '../../functions/kernel/area.ts';
import type { Permissions } from './access.ts';

export interface Topology {
  tables: readonly Table[];
  queues: readonly Queue[];
  buckets: readonly Bucket[];
  signingKeys: readonly SigningKey[];
  functions: readonly FunctionDescription[];
  /** The throttling of API Gateway for the whole stage. */
  throttle: Throttle;
}

export interface Throttle {
  /** Average number of requests a second. */
  rate: number;
  burst: number;
}

export interface Table {
  name: 'records' | 'keys';
  /** The environment variable that contains the physical name. */
  variable: string;
  partitionKey: string;
  sortKey: string;
  indexes: readonly {
    name: string;
    partitionKey: string;
    sortKey: string;
    /** The attributes that the index contains in addition to the keys; if absent, all of them. */
    attributes?: readonly string[];
  }[];
  ttlAttribute: string;
  /** True if the relay reads the table's inserts. */
  stream: boolean;
  /** True for point-in-time recovery and backups, which destroyable keys must not have. */
  recovery: boolean;
}

export interface Queue {
  name: QueueName | InboundQueueName;
  /** The environment variable that carries its address; absent if no function sends to it. */
  variable?: string;
  /** The visibility time-out in seconds, six times the worker's time limit, as AWS recommends. */
  visibilitySeconds: number;
  /** Maximum receives before a message goes to the dead-letter queue. */
  maxReceives: number;
}

/** An S3 bucket: private, encrypted, TLS only; parts of aborted uploads are deleted after a day. */
export interface Bucket {
  name: BucketName;
  variable: string;
  /** True if objects can be locked; such a bucket is versioned and is kept when its stage is deleted. */
  objectLock: boolean;
  /** Expiry of objects below a prefix. */
  expirations: readonly { prefix: string; days: number }[];
}

/** An asymmetric KMS key that signs. */
export interface SigningKey {
  name: 'evidence';
  /** The environment variable that contains the ARN of the key. */
  variable: string;
  spec: 'ECC_NIST_P256';
}

/** The trigger of a function. */
export type Source = HttpSource | Trigger;

/** Requests to these paths; `{name+}` is a parameter whose values may contain slashes. */
export interface HttpSource {
  kind: 'http';
  paths: readonly string[];
  /** True for the one function that handles the paths that no function has. */
  respondsToUnknownPaths?: boolean;
  /** The routes of a function that has an HTTP API with a host of its own on a stage; absent for all others. */
  ownRoutes?: readonly OwnRoute[];
}

/** A route of an own API: one method of a path. */
export interface OwnRoute {
  method: string;
  path: string;
}

export interface FunctionDescription {
  /** The name `<area>-<export>`, such as `webhooks-http` and `webhooks-dispatch`. */
  name: string;
  area: string;
  /** The file of the handler, relative to the project's folder, and the export that is the Lambda entry. */
  entry: { file: string; export: string };
  summary: string;
  source: Source;
  needs: readonly Need[];
  /** The rows that its code writes, and the purposes for which it encrypts and decrypts: the bounds of its needs. */
  permissions: Permissions;
  /** Environment variables of the function: those of its needs and those that all functions have. */
  variables: readonly string[];
  timeoutSeconds: number;
  memoryMb: number;
  concurrency?: number;
}
