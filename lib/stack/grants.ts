import { Aws } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';

import type { Need, QueueName } from '../../functions/kernel/area.ts';
import type { Source } from '../topology/model.ts';
import type { Data } from './data.ts';

/** What grants are written for: ARNs, each of one resource. */
export interface Resources {
  stage: string;
  data: Data;
  /** Names of the records table's indexes. */
  indexes: readonly string[];
  bus: string;
  queues: Readonly<Record<string, string>>;
  /** Where what was given up goes: positions of the stream, and events. */
  relayDeadLetters: string;
  workerDeadLetters: string;
  /** The address that mail comes from. */
  mailAddress: string;
}

/** Writing the log of a function. */
export const logGrant = ({ logGroupArn }: { logGroupArn: string }): iam.PolicyStatement =>
  new iam.PolicyStatement({ actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: [logGroupArn] });

/** What the ARNs of SES begin with. */
const SES = `arn:${Aws.PARTITION}:ses:${Aws.REGION}:${Aws.ACCOUNT_ID}`;

const READ_AND_WRITE = [
  'dynamodb:GetItem',
  'dynamodb:BatchGetItem',
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
  'dynamodb:BatchWriteItem',
  'dynamodb:ConditionCheckItem',
];

const USE_OF_A_KEY = ['kms:GenerateDataKey', 'kms:Decrypt', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'];

/** Entries of the context under which KMS wraps a data key. */
const PURPOSE = 'kms:EncryptionContext:purpose';
const VAULT_PURPOSE = 'kms:EncryptionContext:gatehouse:purpose';

const allowWhere = (
  actions: readonly string[],
  resource: string,
  conditions: Record<string, Record<string, string>>,
): iam.PolicyStatement => new iam.PolicyStatement({ actions: [...actions], resources: [resource], conditions });

const allow = (actions: readonly string[], resources: readonly string[]): iam.PolicyStatement =>
  new iam.PolicyStatement({ actions: [...actions], resources: [...resources] });

const grants = {
  // The table and each index by its name; nothing may scan.
  table: ({ data, indexes }) => [
    allow([...READ_AND_WRITE, 'dynamodb:Query'], [data.recordsTable()]),
    allow(
      ['dynamodb:Query'],
      indexes.map((index) => `${data.recordsTable()}/index/${index}`),
    ),
  ],
  stream: ({ data }) => [
    allow(
      ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'],
      [data.recordsStream()],
    ),
  ],
  'key-table': ({ data }) => [allow([...READ_AND_WRITE, 'dynamodb:Query'], [data.keyTable()])],
  // Whoever could open what signs tokens could sign in as anybody, so few may (`purpose` in functions/kernel/keys).
  keys: ({ data }) => [
    allowWhere(['kms:GenerateDataKey', 'kms:Decrypt'], data.kmsKey(), {
      StringNotEquals: { [PURPOSE]: 'signing-key' },
    }),
  ],
  'signing-key': ({ data }) => [
    allowWhere(['kms:GenerateDataKey', 'kms:Decrypt'], data.kmsKey(), { StringEquals: { [PURPOSE]: 'signing-key' } }),
  ],
  // The vault's own contexts, in which callers have entries of any name, `purpose` too.
  rekey: ({ data }) => [allowWhere(USE_OF_A_KEY, data.kmsKey(), { Null: { [VAULT_PURPOSE]: 'false' } })],
  // Whose key it is decides its own policy; this account's keys are out of reach this way.
  'customer-keys': () => [
    new iam.PolicyStatement({
      actions: USE_OF_A_KEY,
      resources: ['*'],
      conditions: { StringNotEquals: { 'aws:ResourceAccount': Aws.ACCOUNT_ID } },
    }),
  ],
  // Keys that the vault made for organizations of this stage, known by the tags it gave them.
  'organization-kms-keys': ({ stage }) => [
    new iam.PolicyStatement({
      actions: ['kms:CreateKey', 'kms:TagResource'],
      resources: ['*'],
      conditions: {
        StringEquals: { 'aws:RequestTag/gatehouse:stage': stage },
        Null: { 'aws:RequestTag/gatehouse:organization': 'false' },
      },
    }),
    new iam.PolicyStatement({
      actions: [...USE_OF_A_KEY, 'kms:ScheduleKeyDeletion'],
      resources: ['*'],
      conditions: {
        StringEquals: { 'aws:ResourceTag/gatehouse:stage': stage },
        Null: { 'aws:ResourceTag/gatehouse:organization': 'false' },
      },
    }),
  ],
  'evidence-key': ({ data }) => [allow(['kms:Sign', 'kms:GetPublicKey'], [data.evidenceKey()])],
  bus: ({ bus }) => [allow(['events:PutEvents'], [bus])],
  // The one sender, whatever identity SES knows it by: the address, its domain or a domain above. In the sandbox SES asks for
  // the recipient's identity as well, and for the configuration set where the sender's identity has one by default.
  mail: ({ mailAddress }) => [
    new iam.PolicyStatement({
      actions: ['ses:SendEmail'],
      resources: ['identity', 'configuration-set'].map((kind) => `${SES}:${kind}/*`),
      conditions: { StringEquals: { 'ses:FromAddress': mailAddress } },
    }),
  ],
  // A telephone number is no resource, so publishing to one is granted on everything and then denied for topics.
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
  // Evidence is only ever added.
  'bucket:audit-roots': ({ data }) => [
    allow(['s3:PutObject', 's3:PutObjectRetention'], [`${data.bucket('audit-roots')}/*`]),
  ],
  // The internet and the system's resolver are reached without a grant, and an address is no resource.
  egress: () => [],
  dns: () => [],
  'base-url': () => [],
} satisfies Record<Need, (resources: Resources) => iam.PolicyStatement[]>;

function sendTo(queue: QueueName): (resources: Resources) => iam.PolicyStatement[] {
  return ({ queues }) => [allow(['sqs:SendMessage'], [arnOf(queues, queue)])];
}

function arnOf(queues: Resources['queues'], name: QueueName): string {
  const arn = queues[name];
  if (arn === undefined) throw new Error(`the topology has no queue ${name}`);
  return arn;
}

/** What a function may do, from its needs. */
export function grantsOfNeeds(needs: readonly Need[], resources: Resources): iam.PolicyStatement[] {
  return [...new Set(needs)].flatMap((need) => grants[need](resources));
}

/** What a function may do because of what starts it: Lambda reads and gives up with the function's own role. */
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
          [arnOf(resources.queues, source.queue)],
        ),
      ];
    case 'http':
    case 'schedule':
      return [];
  }
}

/**
 * The address of a sender such as `Gatehouse <no-reply@example.com>`.
 * @throws Error where there is none
 */
export function mailAddressOf(mailFrom: string): string {
  const address = /<([^>]+)>/.exec(mailFrom)?.[1] ?? mailFrom.trim();
  if (!/^[^@\s]+@[^@\s]+$/.test(address)) throw new Error(`-c mailFrom: ${mailFrom} has no address`);
  return address;
}
