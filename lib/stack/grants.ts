import { Aws } from 'aws-cdk-lib';
import type * as events from 'aws-cdk-lib/aws-events';
import * as iam from 'aws-cdk-lib/aws-iam';

import type { InboundQueueName, Need, QueueName } from '../../functions/kernel/area.ts';
import type { Source, Topology } from '../topology/model.ts';
import type { Data } from './data.ts';
import type { Queues } from './queues.ts';
import { arnOf, makeMailSet } from './names.ts';
import type { StageSettings } from './settings.ts';

/** The ARNs of the resources in grants. */
export interface Resources {
  stage: string;
  data: Data;
  /** Names of the records table's indexes. */
  indexes: readonly string[];
  bus: string;
  queues: Readonly<Record<string, string>>;
  /** Dead letters: positions of the stream, and events. */
  relayDeadLetters: string;
  workerDeadLetters: string;
  /** The sender address of mail. */
  mailAddress: string;
}

/** Permission to write the log of a function. */
export const logGrant = ({ logGroupArn }: { logGroupArn: string }): iam.PolicyStatement =>
  new iam.PolicyStatement({ actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: [logGroupArn] });

const READ = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];

const READ_AND_WRITE = [
  ...READ,
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
  'dynamodb:BatchWriteItem',
  'dynamodb:ConditionCheckItem',
];

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
/** The purposes of the envelopes of token signing keys: `purpose` in functions/kernel/tokens. */
const SIGNING_PURPOSES = ['signing-key', 'connect-signing-key'];
/** The purposes that the need `keys` does not cover: those of signing keys, and those of the secrets of grants. */
const RESERVED_PURPOSES = [...SIGNING_PURPOSES, 'console-grants', 'portal-grants'];
const VAULT_PURPOSE = 'kms:EncryptionContext:gatehouse:purpose';

const allowWhere = (
  actions: readonly string[],
  resource: string,
  conditions: Record<string, Record<string, string | string[]>>,
): iam.PolicyStatement => new iam.PolicyStatement({ actions: [...actions], resources: [resource], conditions });

const allow = (actions: readonly string[], resources: readonly string[]): iam.PolicyStatement =>
  new iam.PolicyStatement({ actions: [...actions], resources: [...resources] });

const ofOrganizations = (stage: string) => ({
  StringEquals: { 'aws:ResourceTag/gatehouse:stage': stage },
  Null: { 'aws:ResourceTag/gatehouse:organization': 'false' },
});

const denyChanges = (data: Data): iam.PolicyStatement =>
  new iam.PolicyStatement({
    effect: iam.Effect.DENY,
    actions: CHANGES_OF_A_KEY,
    resources: [data.kmsKey(), data.evidenceKey()],
  });

const queryOfIndexes = ({ data, indexes }: Resources): iam.PolicyStatement =>
  allow(
    ['dynamodb:Query'],
    indexes.map((index) => `${data.recordsTable()}/index/${index}`),
  );

const grants = {
  // The table and each index by its name; Scan is not allowed.
  table: (resources) => [allow(READ_AND_WRITE, [resources.data.recordsTable()]), queryOfIndexes(resources)],
  'table:read': (resources) => [allow(READ, [resources.data.recordsTable()]), queryOfIndexes(resources)],
  stream: ({ data }) => [
    allow(
      ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'],
      [data.recordsStream()],
    ),
  ],
  'key-table': ({ data }) => [allow(READ_AND_WRITE, [data.keyTable()])],
  // Access to the encrypted signing keys would allow signing in as any user, so only few functions have it (`purpose` in
  // functions/kernel/keys).
  keys: ({ data }) => [
    allowWhere(['kms:GenerateDataKey', 'kms:Decrypt'], data.kmsKey(), {
      StringNotEquals: { [PURPOSE]: RESERVED_PURPOSES },
    }),
  ],
  'signing-key': ({ data }) => [
    allowWhere(['kms:GenerateDataKey', 'kms:Decrypt'], data.kmsKey(), { StringEquals: { [PURPOSE]: 'signing-key' } }),
  ],
  'connect-signing-key': ({ data }) => [
    allowWhere(['kms:GenerateDataKey', 'kms:Decrypt'], data.kmsKey(), {
      StringEquals: { [PURPOSE]: 'connect-signing-key' },
    }),
  ],
  'console-key': ({ data }) => [
    allowWhere(['kms:GenerateDataKey', 'kms:Decrypt'], data.kmsKey(), {
      StringEquals: { [PURPOSE]: 'console-grants' },
    }),
  ],
  'portal-key': ({ data }) => [
    allowWhere(['kms:GenerateDataKey', 'kms:Decrypt'], data.kmsKey(), {
      StringEquals: { [PURPOSE]: 'portal-grants' },
    }),
  ],
  // The contexts of the vault, in which callers may use any name, including `purpose`.
  rekey: ({ data }) => [allowWhere(USE_OF_A_KEY, data.kmsKey(), { Null: { [VAULT_PURPOSE]: 'false' } })],
  // The customer's key policy decides about access; this statement excludes keys of this account.
  'customer-keys': () => [
    new iam.PolicyStatement({
      actions: USE_OF_A_KEY,
      resources: ['*'],
      conditions: { StringNotEquals: { 'aws:ResourceAccount': Aws.ACCOUNT_ID } },
    }),
  ],
  // Keys that the vault created for organizations of this stage, identified by their tags. For CreateKey with tags, KMS
  // checks TagResource on all keys, so every existing key is denied: the stage's own by their ARNs, all others by the alias
  // that keys created by people have. A key that is being created has none.
  'organization-kms-keys': ({ stage, data }) => [
    new iam.PolicyStatement({
      actions: ['kms:CreateKey', 'kms:TagResource'],
      resources: ['*'],
      conditions: {
        StringEquals: { 'aws:RequestTag/gatehouse:stage': stage },
        Null: { 'aws:RequestTag/gatehouse:organization': 'false' },
      },
    }),
    new iam.PolicyStatement({ actions: USE_OF_A_KEY, resources: ['*'], conditions: ofOrganizations(stage) }),
    new iam.PolicyStatement({
      effect: iam.Effect.DENY,
      actions: ['kms:TagResource'],
      resources: ['*'],
      conditions: { 'ForAnyValue:StringLike': { 'kms:ResourceAliases': 'alias/*' } },
    }),
    denyChanges(data),
    // A tag on the stage's key must not give access to the encrypted signing keys.
    new iam.PolicyStatement({
      effect: iam.Effect.DENY,
      actions: USE_OF_A_KEY,
      resources: [data.kmsKey()],
      conditions: { StringEquals: { [PURPOSE]: RESERVED_PURPOSES } },
    }),
  ],
  'organization-key-deletion': ({ stage, data }) => [
    new iam.PolicyStatement({
      actions: ['kms:ScheduleKeyDeletion'],
      resources: ['*'],
      conditions: ofOrganizations(stage),
    }),
    denyChanges(data),
  ],
  'evidence-key': ({ data }) => [allow(['kms:Sign', 'kms:GetPublicKey'], [data.evidenceKey()])],
  bus: ({ bus }) => [allow(['events:PutEvents'], [bus])],
  // The only sender, under any identity that SES has for it: the address, its domain or a parent domain. In the sandbox SES
  // also checks the recipient's identity.
  mail: ({ mailAddress, stage }) => [
    new iam.PolicyStatement({
      actions: ['ses:SendEmail'],
      resources: [arnOf('ses', 'identity/*'), arnOf('ses', `configuration-set/${makeMailSet(stage)}`)],
      conditions: { StringEquals: { 'ses:FromAddress': mailAddress } },
    }),
  ],
  // GetAccount has no resources. The sender is known as its address, its domain or a parent domain.
  'mail-state': () => [allow(['ses:GetAccount'], ['*']), allow(['ses:GetEmailIdentity'], [arnOf('ses', 'identity/*')])],
  // A phone number is not a resource, so publishing is allowed for all resources and then denied for topics.
  sms: () => [
    allow(['sns:Publish'], ['*']),
    new iam.PolicyStatement({
      effect: iam.Effect.DENY,
      actions: ['sns:Publish'],
      resources: [`arn:${Aws.PARTITION}:sns:*:*:*`],
    }),
  ],
  'queue:deliveries': sendTo('deliveries'),
  'queue:messages': sendTo('messages'),
  'queue:audit-logs': sendTo('audit-logs'),
  'bucket:audit': ({ data }) => [
    allow(
      ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'],
      [`${data.bucket('audit')}/*`],
    ),
    allow(['s3:ListBucket'], [data.bucket('audit')]),
  ],
  'bucket:audit:read': ({ data }) => [allow(['s3:GetObject'], [`${data.bucket('audit')}/*`])],
  'bucket:audit:write': ({ data }) => [
    allow(['s3:PutObject', 's3:AbortMultipartUpload'], [`${data.bucket('audit')}/*`]),
  ],
  'bucket:audit:erase': ({ data }) => [
    allow(['s3:DeleteObject'], [`${data.bucket('audit')}/*`]),
    allow(['s3:ListBucket'], [data.bucket('audit')]),
  ],
  // Roots of audit logs can only be added, not changed.
  'bucket:audit-roots': ({ data }) => [
    allow(['s3:PutObject', 's3:PutObjectRetention'], [`${data.bucket('audit-roots')}/*`]),
  ],
  // The internet and the system's resolver need no grant, and an address is not a resource.
  egress: () => [],
  dns: () => [],
  'base-url': () => [],
} satisfies Record<Need, (resources: Resources) => iam.PolicyStatement[]>;

/** The resources of grants, in either stack of functions. */
export function listResources({
  topology,
  settings,
  data,
  bus,
  queues,
}: {
  topology: Topology;
  settings: StageSettings;
  data: Data;
  bus: Pick<events.IEventBus, 'eventBusArn'>;
  queues: Queues;
}): Resources {
  return {
    data,
    indexes: topology.tables.find(({ name }) => name === 'records')?.indexes.map(({ name }) => name) ?? [],
    bus: bus.eventBusArn,
    queues: Object.fromEntries(topology.queues.map(({ name }) => [name, queues.of(name).queueArn])),
    relayDeadLetters: queues.relayDeadLetters.queueArn,
    workerDeadLetters: queues.workerDeadLetters.queueArn,
    stage: settings.stage,
    mailAddress: readMailAddress(settings.mailFrom),
  };
}

function sendTo(queue: QueueName): (resources: Resources) => iam.PolicyStatement[] {
  return ({ queues }) => [allow(['sqs:SendMessage'], [requireQueueArn(queues, queue)])];
}

function requireQueueArn(queues: Resources['queues'], name: QueueName | InboundQueueName): string {
  const arn = queues[name];
  if (arn === undefined) throw new Error(`the topology has no queue ${name}`);
  return arn;
}

/** The statements for a function's needs. */
export function grantsOfNeeds(needs: readonly Need[], resources: Resources): iam.PolicyStatement[] {
  return [...new Set(needs)].flatMap((need) => grants[need](resources));
}

/**
 * The statements for a function's trigger: Lambda reads events and writes dead letters with the function's own role.
 */
export function grantsOfSource(source: Source, resources: Resources): iam.PolicyStatement[] {
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

/**
 * The address in a sender such as `Gatehouse <no-reply@example.com>`.
 * @throws Error if there is none
 */
export function readMailAddress(mailFrom: string): string {
  const address = /<([^>]+)>/.exec(mailFrom)?.[1] ?? mailFrom.trim();
  if (!/^[^@\s]+@[^@\s]+$/.test(address)) throw new Error(`-c mailFrom: ${mailFrom} has no address`);
  return address;
}
