import type { Need } from '../../functions/kernel/area.ts';
import type { Bucket, Queue, SigningKey, Table, Throttle } from './model.ts';

const index = (name: string) => ({ name, partitionKey: `${name}pk`, sortKey: `${name}sk` });

/** One table for all records, and a small separate one for keys that must be destroyable. */
export const tables: readonly Table[] = [
  {
    name: 'records',
    variable: 'GATEHOUSE_TABLE',
    partitionKey: 'pk',
    sortKey: 'sk',
    indexes: [
      index('gsi1'),
      index('gsi2'),
      index('gsi3'),
      // Only the erasure reads this index, and it needs only the keys of a row, so a vault value of 256 KiB is not copied.
      { ...index('gsi4'), attributes: ['id', '__edb_e__'] },
    ],
    ttlAttribute: 'expiresAt',
    stream: true,
    recovery: true,
  },
  {
    name: 'keys',
    variable: 'GATEHOUSE_KEY_TABLE',
    partitionKey: 'pk',
    sortKey: 'sk',
    indexes: [],
    ttlAttribute: 'expiresAt',
    stream: false,
    recovery: false,
  },
];

export const queues: readonly Queue[] = [
  { name: 'deliveries', variable: 'GATEHOUSE_QUEUE_DELIVERIES', visibilitySeconds: 180, maxReceives: 5 },
  { name: 'messages', variable: 'GATEHOUSE_QUEUE_MESSAGES', visibilitySeconds: 180, maxReceives: 5 },
  // No function sends to this queue: it receives the reports of SES about the stage's mails.
  { name: 'mail-feedback', visibilitySeconds: 180, maxReceives: 5 },
  { name: 'audit-logs', variable: 'GATEHOUSE_QUEUE_AUDIT_LOGS', visibilitySeconds: 5_400, maxReceives: 5 },
];

export const buckets: readonly Bucket[] = [
  {
    name: 'audit',
    variable: 'GATEHOUSE_BUCKET_AUDIT',
    objectLock: false,
    // An export can be downloaded for seven days, and then its row expires; this rule deletes the object.
    expirations: [{ prefix: 'exports/', days: 8 }],
  },
  { name: 'audit-roots', variable: 'GATEHOUSE_BUCKET_AUDIT_ROOTS', objectLock: true, expirations: [] },
];

export const signingKeys: readonly SigningKey[] = [
  { name: 'evidence', variable: 'GATEHOUSE_EVIDENCE_KEY', spec: 'ECC_NIST_P256' },
];

export const throttle: Throttle = { rate: 500, burst: 1_000 };

/** Variables that every function reads. */
export const commonVariables = ['GATEHOUSE_STAGE', 'GATEHOUSE_LOG_LEVEL'] as const;

/** Variables that every function of the API reads. */
export const httpVariables = ['GATEHOUSE_EDGE_DIGESTS', 'GATEHOUSE_OPERATION_METRICS'] as const;

/** Variables that a function with an HTTP API of its own reads instead. CloudFront is not in front of that API. */
export const ownApiVariables = ['GATEHOUSE_CONSOLE_NETWORKS', 'GATEHOUSE_OPERATION_METRICS'] as const;

/** Variables that a function with HTTP operations reads if it needs the address of the API. */
export const pageVariables = ['GATEHOUSE_CONSOLE_URL'] as const;

const ofTable = [
  'GATEHOUSE_TABLE',
  'GATEHOUSE_CREDENTIAL_CACHE_MS',
  'GATEHOUSE_EVENT_HORIZON_MS',
  'GATEHOUSE_EVENT_RETENTION_DAYS',
  'GATEHOUSE_WRITER_EPOCH',
] as const;

/** The variables of each need. */
export const variablesOfNeed: Readonly<Record<Need, readonly string[]>> = {
  table: ofTable,
  'table:read': ofTable,
  stream: [],
  bus: ['GATEHOUSE_BUS'],
  keys: ['GATEHOUSE_KMS_KEY'],
  'signing-key': ['GATEHOUSE_KMS_KEY'],
  'connect-signing-key': ['GATEHOUSE_KMS_KEY'],
  'console-key': ['GATEHOUSE_KMS_KEY'],
  'portal-key': ['GATEHOUSE_KMS_KEY'],
  'key-table': ['GATEHOUSE_KEY_TABLE'],
  'customer-keys': [],
  'organization-kms-keys': [],
  'organization-key-deletion': [],
  rekey: ['GATEHOUSE_KMS_KEY'],
  'evidence-key': ['GATEHOUSE_EVIDENCE_KEY'],
  egress: ['GATEHOUSE_EGRESS_ALLOW', 'GATEHOUSE_SIGNATURE_HEADER'],
  'base-url': ['GATEHOUSE_BASE_URL', 'GATEHOUSE_REGISTRABLE_DOMAIN'],
  dns: ['GATEHOUSE_DNS_SERVER', 'GATEHOUSE_EGRESS_ALLOW'],
  mail: ['GATEHOUSE_MAIL_FROM', 'GATEHOUSE_MAIL_SET'],
  'mail-state': ['GATEHOUSE_MAIL_FROM'],
  sms: [],
  'queue:deliveries': ['GATEHOUSE_QUEUE_DELIVERIES'],
  'queue:messages': ['GATEHOUSE_QUEUE_MESSAGES'],
  'queue:audit-logs': ['GATEHOUSE_QUEUE_AUDIT_LOGS'],
  'bucket:audit': ['GATEHOUSE_BUCKET_AUDIT'],
  'bucket:audit:read': ['GATEHOUSE_BUCKET_AUDIT'],
  'bucket:audit:write': ['GATEHOUSE_BUCKET_AUDIT'],
  'bucket:audit:erase': ['GATEHOUSE_BUCKET_AUDIT'],
  'bucket:audit-roots': ['GATEHOUSE_BUCKET_AUDIT_ROOTS', 'GATEHOUSE_OBJECT_LOCK'],
};
