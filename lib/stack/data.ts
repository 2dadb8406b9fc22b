import type { BucketName } from '../../functions/kernel/area.ts';

/** ARNs of a stage's data. */
export interface Data {
  /** The public address of the API. */
  baseUrl: () => string;
  apiId: () => string;
  recordsTable: () => string;
  recordsStream: () => string;
  keyTable: () => string;
  kmsKey: () => string;
  evidenceKey: () => string;
  firstKeySecret: () => string;
  edgeSecret: (generation: number) => string;
  bucket: (name: BucketName) => string;
}
