import type { Operation } from './operation.ts';
import type { ErrorForm } from './http/error-response.ts';

/**
 * The resources that a function may use. The stack converts each to a least-privilege grant and the environment
 * variables that name the resource; a function has only those that it declares.
 *
 * - `table`: read and write the single table; `table:read` reads only. - `stream`: read the table's stream.
 * - `bus`: put events on the bus.                    - `keys`: data keys and decryption with the stage's KMS key.
 * - `key-table`: the small table of destroyable keys. - `egress`: calls to addresses that customers name.
 * - `customer-keys`: GenerateDataKey, Decrypt and ReEncrypt with KMS keys of other accounts, whose own policies allow
 *   it.
 * - `organization-kms-keys`: CreateKey, and with keys that it tagged `gatehouse:organization`: GenerateDataKey, Decrypt
 *   and ReEncrypt; `organization-key-deletion`: ScheduleKeyDeletion of those.
 * - `signing-key`: the same for the keys that sign tokens of sessions and agents, `connect-signing-key` for those of the
 *   tokens that third parties receive: `keys` covers neither.
 * - `console-key`: the same for the secret from which operators' grants are derived, `portal-key` for that of the portal's grants.
 * - `rekey`: ReEncrypt of the vault's data keys.       - `evidence-key`: sign with the stage's key of evidence.
 * - `queue:…`: send to that queue.                   - `mail`, `sms`: send through SES and SNS.
 * - `mail-state`: read whether SES knows the sender, and sends to all addresses.
 * - `dns`: resolve TXT records of customers' domains. - `base-url`: the address under which callers reach the API.
 * - `bucket:…`: read, write and delete objects; of `audit-roots`: add them. `bucket:audit:read` reads objects, `bucket:audit:write` adds them,
 *   `bucket:audit:erase` lists and deletes them.
 */
export type Need =
  | 'table'
  | 'table:read'
  | 'stream'
  | 'bus'
  | 'keys'
  | 'signing-key'
  | 'connect-signing-key'
  | 'console-key'
  | 'portal-key'
  | 'key-table'
  | 'customer-keys'
  | 'organization-kms-keys'
  | 'organization-key-deletion'
  | 'rekey'
  | 'evidence-key'
  | 'egress'
  | 'dns'
  | 'base-url'
  | 'mail'
  | 'mail-state'
  | 'sms'
  | `bucket:${BucketName}`
  | 'bucket:audit:read'
  | 'bucket:audit:write'
  | 'bucket:audit:erase'
  | `queue:${QueueName}`;

/** Queues that functions send to. */
export type QueueName = 'deliveries' | 'messages' | 'audit-logs';

/**
 * Queues that AWS services send to and functions do not: `mail-feedback` gets the reports of SES about mails, their bounces
 * and complaints.
 */
export type InboundQueueName = 'mail-feedback';

/** The buckets: `audit` has segments and exports of audit logs, `audit-roots` their signed roots, under Object Lock. */
export type BucketName = 'audit' | 'audit-roots';

/** The trigger of a worker. */
export type Trigger =
  /** The trigger by inserts of event rows, in the order of the table's stream. */
  | { kind: 'stream' }
  /** The trigger by events on the bus with these names or prefixes, or by every event if both are absent. */
  | { kind: 'events'; events?: readonly string[]; prefixes?: readonly string[] }
  | { kind: 'queue'; queue: QueueName | InboundQueueName }
  | { kind: 'schedule'; everyMinutes: number };

/** A function that is not triggered by a request. */
export interface Worker {
  /** The name of its export in the area's handler.ts. For `verifyDomains` its Lambda is called `<area>-verify-domains`. */
  name: string;
  summary: string;
  on: Trigger;
  needs: readonly Need[];
  /** Time limit in seconds; 30 by default. */
  timeoutSeconds?: number;
  /** Memory in MiB; 512 by default. */
  memoryMb?: number;
  /** Maximum concurrent executions; absent means unlimited. */
  concurrency?: number;
}

/** A folder under functions/ with its operations, its workers and the resources that they use. */
export interface Area {
  /** The folder's name, and the tag of its operations. */
  name: string;
  /** The name of the folder that holds it: its group. */
  group: string;
  summary: string;
  operations: readonly Operation[];
  workers: readonly Worker[];
  /** The resources that the area's HTTP function uses. */
  needs: readonly Need[];
  /** The format of error responses, for operations that declare none. */
  errorForm: ErrorForm;
  /** The formats of error responses for paths below a prefix, such as `/scim/`, that belong to no operation. */
  errorFormsBelow?: Readonly<Record<string, ErrorForm>>;
  /**
   * Declares that the area has an HTTP API with a host of its own on a stage. Locally it is at the address of the others.
   * `admit` throws a Failure for a client address that may not reach it.
   */
  ownApi?: { admit: (address: string) => void };
  /** True for the one area whose function handles paths that belong to no area. */
  respondsToUnknownPaths?: boolean;
}

/** Declares an area. */
export function area(definition: Area): Area {
  return definition;
}
