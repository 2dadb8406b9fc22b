import type { BucketName, InboundQueueName, Need, QueueName } from '../../functions/kernel/area.ts';
import type { Permissions } from './access.ts';
import type { FunctionDescription, Source } from './model.ts';
import { tables } from './resources.ts';

/**
 * A statement of a function's policy, in the words of IAM. Both interpreters read it: `lib/stack` deploys it, and `lib/local`
 * evaluates each call of the function by it.
 */
export interface Statement {
  effect: 'Allow' | 'Deny';
  actions: readonly string[];
  resources: readonly string[];
  conditions?: Conditions;
}

/** The values that a call must have, by operator and condition key. */
export type Conditions = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

/** The resources in grants: ARNs, and the names in conditions. */
export interface Resources {
  stage: string;
  partition: string;
  accountId: string;
  /** The ARN of a resource of this account and region, from its service and its name. */
  arnOf: (service: string, name: string) => string;
  recordsTable: () => string;
  recordsStream: () => string;
  keyTable: () => string;
  kmsKey: () => string;
  evidenceKey: () => string;
  bucket: (name: BucketName) => string;
  bus: string;
  queues: Readonly<Record<string, string>>;
  /** Dead letters: positions of the stream, and events. */
  relayDeadLetters: string;
  workerDeadLetters: string;
  /** The sender address of mail, and the configuration set of SES. */
  mailAddress: string;
  mailSet: string;
}

const READ = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];

/** A condition of a transaction changes nothing. */
const READ_AND_CHECK = [...READ, 'dynamodb:ConditionCheckItem'];

const WRITE = ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem', 'dynamodb:BatchWriteItem'];

const LEADING_KEYS = 'dynamodb:LeadingKeys';
const ATTRIBUTES = 'dynamodb:Attributes';

/** The attributes that a stamp of the day of a use names: `stampDay` in functions/kernel/storage/last-use.ts. */
const STAMPED = ['pk', 'sk', 'lastUsedOn'];

/** Actions that change or delete a KMS key. No function may use them on the stage's own keys. */
export const CHANGES_OF_A_KEY = [
  'kms:CancelKeyDeletion',
  'kms:CreateAlias',
  'kms:CreateGrant',
  'kms:DeleteAlias',
  'kms:DisableKey',
  'kms:DisableKeyRotation',
  'kms:PutKeyPolicy',
  'kms:ScheduleKeyDeletion',
  'kms:TagResource',
  'kms:UntagResource',
  'kms:UpdateAlias',
];

const USE_OF_A_KEY = ['kms:GenerateDataKey', 'kms:Decrypt', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'];

/** Entries of the encryption context of wrapped data keys. */
const PURPOSE = 'kms:EncryptionContext:purpose';
const VAULT_PURPOSE = 'kms:EncryptionContext:gatehouse:purpose';

/** Purposes that a function has only by a need of its own: their keys would allow signing in as any user, or making the grants of operators and portals. */
const NEED_OF_PURPOSE: Readonly<Record<string, Need>> = {
  'signing-key': 'signing-key',
  'connect-signing-key': 'connect-signing-key',
  'console-grants': 'console-key',
  'portal-grants': 'portal-key',
};
const RESERVED_PURPOSES = Object.keys(NEED_OF_PURPOSE);

/** The need with which a function may use the stage's KMS key for a purpose. */
export const needOfPurpose = (purpose: string): Need => NEED_OF_PURPOSE[purpose] ?? 'keys';

const allow = (actions: readonly string[], resources: readonly string[]): Statement => ({
  effect: 'Allow',
  actions,
  resources,
});

const allowWhere = (actions: readonly string[], resource: string, conditions: Conditions): Statement => ({
  ...allow(actions, [resource]),
  conditions,
});

const ofOrganizations = (stage: string): Conditions => ({
  StringEquals: { 'aws:ResourceTag/gatehouse:stage': stage },
  Null: { 'aws:ResourceTag/gatehouse:organization': 'false' },
});

const denyChanges = ({ kmsKey, evidenceKey }: Pick<Resources, 'kmsKey' | 'evidenceKey'>): Statement => ({
  effect: 'Deny',
  actions: CHANGES_OF_A_KEY,
  resources: [kmsKey(), evidenceKey()],
});

const queryOfIndexes = ({ recordsTable }: Resources): Statement =>
  allow(
    ['dynamodb:Query'],
    tables.flatMap(({ name, indexes }) =>
      name === 'records' ? indexes.map((index) => `${recordsTable()}/index/${index.name}`) : [],
    ),
  );

/**
 * The writes of rows with some partition keys. `ForAllValues` is true of a call without the condition key, so the key must be
 * present too.
 */
const listWrites = (table: string, patterns: readonly string[]): Statement[] =>
  patterns.length === 0
    ? []
    : [
        allowWhere(WRITE, table, {
          'ForAllValues:StringLike': { [LEADING_KEYS]: patterns },
          Null: { [LEADING_KEYS]: 'false' },
        }),
      ];

const listStamps = (table: string, patterns: readonly string[]): Statement[] =>
  patterns.length === 0
    ? []
    : [
        allowWhere(['dynamodb:UpdateItem'], table, {
          'ForAllValues:StringLike': { [LEADING_KEYS]: patterns, [ATTRIBUTES]: STAMPED },
          Null: { [LEADING_KEYS]: 'false', [ATTRIBUTES]: 'false' },
        }),
      ];

/** The use of the stage's KMS key for the purposes of a function that one of its needs covers. */
const useFor =
  (need: Need) =>
  ({ kmsKey }: Resources, { seals, opens }: Permissions): Statement[] => {
    const covered = (purposes: readonly string[]) => purposes.filter((purpose) => needOfPurpose(purpose) === need);
    const uses = [
      { action: 'kms:GenerateDataKey', purposes: covered(seals) },
      { action: 'kms:Decrypt', purposes: covered(opens) },
    ];
    return uses.flatMap(({ action, purposes }) =>
      purposes.length === 0 ? [] : [allowWhere([action], kmsKey(), { StringEquals: { [PURPOSE]: purposes } })],
    );
  };

const grants = {
  // The table and each index by its name; Scan is not allowed.
  table: (resources, { writes, stamps, erases = false }) => [
    allow(READ_AND_CHECK, [resources.recordsTable()]),
    queryOfIndexes(resources),
    ...listWrites(resources.recordsTable(), writes.records),
    ...listStamps(resources.recordsTable(), stamps),
    ...(erases ? [allow(['dynamodb:DeleteItem'], [resources.recordsTable()])] : []),
  ],
  'table:read': (resources) => [allow(READ, [resources.recordsTable()]), queryOfIndexes(resources)],
  stream: ({ recordsStream }) => [
    allow(
      ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'],
      [recordsStream()],
    ),
  ],
  'key-table': ({ keyTable }, { writes }) => [
    allow(READ_AND_CHECK, [keyTable()]),
    ...listWrites(keyTable(), writes.keys),
  ],
  keys: useFor('keys'),
  'signing-key': useFor('signing-key'),
  'connect-signing-key': useFor('connect-signing-key'),
  'console-key': useFor('console-key'),
  'portal-key': useFor('portal-key'),
  // The contexts of the vault, in which callers may use any name, including `purpose`.
  rekey: ({ kmsKey }) => [allowWhere(USE_OF_A_KEY, kmsKey(), { Null: { [VAULT_PURPOSE]: 'false' } })],
  // The customer's key policy decides about access; this statement excludes keys of this account.
  'customer-keys': ({ accountId }) => [
    allowWhere(USE_OF_A_KEY, '*', { StringNotEquals: { 'aws:ResourceAccount': accountId } }),
  ],
  // Keys that the vault created for organizations of this stage, identified by their tags. For CreateKey with tags, KMS
  // checks TagResource on all keys, so every existing key is denied: the stage's own by their ARNs, those that people have
  // created by their alias, and those of organizations of another stage in the account by their tag. A key that is being created
  // has no alias, and no tag but those of the request.
  'organization-kms-keys': ({ stage, ...resources }) => [
    allowWhere(['kms:CreateKey', 'kms:TagResource'], '*', {
      StringEquals: { 'aws:RequestTag/gatehouse:stage': stage },
      Null: { 'aws:RequestTag/gatehouse:organization': 'false' },
    }),
    allowWhere(USE_OF_A_KEY, '*', ofOrganizations(stage)),
    {
      effect: 'Deny',
      actions: ['kms:TagResource'],
      resources: ['*'],
      conditions: { 'ForAnyValue:StringLike': { 'kms:ResourceAliases': 'alias/*' } },
    },
    {
      effect: 'Deny',
      actions: ['kms:TagResource'],
      resources: ['*'],
      conditions: {
        StringNotEquals: { 'aws:ResourceTag/gatehouse:stage': stage },
        Null: { 'aws:ResourceTag/gatehouse:stage': 'false' },
      },
    },
    denyChanges(resources),
    // A tag on the stage's key must not give access to the encrypted signing keys.
    {
      effect: 'Deny',
      actions: USE_OF_A_KEY,
      resources: [resources.kmsKey()],
      conditions: { StringEquals: { [PURPOSE]: RESERVED_PURPOSES } },
    },
  ],
  'organization-key-deletion': ({ stage, ...resources }) => [
    allowWhere(['kms:ScheduleKeyDeletion'], '*', ofOrganizations(stage)),
    denyChanges(resources),
  ],
  'evidence-key': (resources) => [allow(['kms:Sign', 'kms:GetPublicKey'], [resources.evidenceKey()])],
  bus: ({ bus }) => [allow(['events:PutEvents'], [bus])],
  // The only sender, under any identity that SES has for it: the address, its domain or a parent domain. In the sandbox SES
  // also checks the recipient's identity.
  mail: ({ mailAddress, mailSet, arnOf }) => [
    {
      effect: 'Allow',
      actions: ['ses:SendEmail'],
      resources: [arnOf('ses', 'identity/*'), arnOf('ses', `configuration-set/${mailSet}`)],
      conditions: { StringEquals: { 'ses:FromAddress': mailAddress } },
    },
  ],
  // GetAccount has no resources. The sender is known as its address, its domain or a parent domain.
  'mail-state': ({ arnOf }) => [
    allow(['ses:GetAccount'], ['*']),
    allow(['ses:GetEmailIdentity'], [arnOf('ses', 'identity/*')]),
  ],
  // A phone number is not a resource, so publishing is allowed for all resources and then denied for topics.
  sms: ({ partition }) => [
    allow(['sns:Publish'], ['*']),
    { effect: 'Deny', actions: ['sns:Publish'], resources: [`arn:${partition}:sns:*:*:*`] },
  ],
  'queue:deliveries': sendTo('deliveries'),
  'queue:messages': sendTo('messages'),
  'queue:audit-logs': sendTo('audit-logs'),
  'bucket:audit': (resources) => [
    allow(
      ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'],
      [`${resources.bucket('audit')}/*`],
    ),
    allow(['s3:ListBucket'], [resources.bucket('audit')]),
  ],
  'bucket:audit:read': (resources) => [allow(['s3:GetObject'], [`${resources.bucket('audit')}/*`])],
  'bucket:audit:write': (resources) => [
    allow(['s3:PutObject', 's3:AbortMultipartUpload'], [`${resources.bucket('audit')}/*`]),
  ],
  'bucket:audit:erase': (resources) => [
    allow(['s3:DeleteObject'], [`${resources.bucket('audit')}/*`]),
    allow(['s3:ListBucket'], [resources.bucket('audit')]),
  ],
  // Roots of audit logs can only be added, not changed.
  'bucket:audit-roots': (resources) => [
    allow(['s3:PutObject', 's3:PutObjectRetention'], [`${resources.bucket('audit-roots')}/*`]),
  ],
  // The internet and the system's resolver need no grant, and an address is not a resource.
  egress: () => [],
  dns: () => [],
  'base-url': () => [],
} satisfies Record<Need, (resources: Resources, permissions: Permissions) => Statement[]>;

function sendTo(queue: QueueName): (resources: Resources) => Statement[] {
  return ({ queues }) => [allow(['sqs:SendMessage'], [requireQueueArn(queues, queue)])];
}

function requireQueueArn(queues: Resources['queues'], name: QueueName | InboundQueueName): string {
  const arn = queues[name];
  if (arn === undefined) throw new Error(`the topology has no queue ${name}`);
  return arn;
}

/** The statements for a function's needs, within what its code writes and decrypts. */
export function grantsOfNeeds(
  { needs, permissions }: Pick<FunctionDescription, 'needs' | 'permissions'>,
  resources: Resources,
): Statement[] {
  return [...new Set(needs)].flatMap((need) => grants[need](resources, permissions));
}

/**
 * The statements for a function's trigger: Lambda reads events and writes dead letters with the function's own role.
 */
export function grantsOfSource(source: Source, resources: Resources): Statement[] {
  switch (source.kind) {
    case 'stream':
      return [...grants.stream(resources), allow(['sqs:SendMessage'], [resources.relayDeadLetters])];
    case 'events':
      return [allow(['sqs:SendMessage'], [resources.workerDeadLetters])];
    case 'queue':
      return [
        allow(
          ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility', 'sqs:GetQueueAttributes'],
          [requireQueueArn(resources.queues, source.queue)],
        ),
      ];
    case 'http':
    case 'schedule':
      return [];
  }
}
