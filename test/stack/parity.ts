import { describe, expect, test } from '@jest/globals';

import type { Need } from '../../functions/kernel/area.ts';
import { CHANGES_OF_A_KEY } from '../../lib/topology/grants.ts';
import type { FunctionDescription, Topology } from '../../lib/topology/model.ts';
import { findResources, synthesise } from './fixture.ts';
import { testApis } from './parity-apis.ts';
import { Reading } from './reading.ts';

/** A statement of a queue's policy. */
interface Statement {
  Effect: string;
  Resource: unknown;
}

const ofTable = (table: string, actions: readonly string[]) =>
  actions.map((action) => `dynamodb:${action} on ${table}`);

const READS_OF_TABLE = ['GetItem', 'BatchGetItem', 'ConditionCheckItem', 'Query'];
const WRITES_OF_TABLE = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'];

/** The permissions of a function that depend on what its code does, written independently of the stack. */
function findBounded({ needs, permissions }: FunctionDescription): string[] {
  const { writes, stamps, erases, seals, opens } = permissions;
  const isOf = (need: Need) => (purpose: string) => need === (RESERVED.get(purpose) ?? 'keys');
  const ofKeys = (need: Need) => [
    ...(seals.some(isOf(need)) ? ['kms:GenerateDataKey on kmskey'] : []),
    ...(opens.some(isOf(need)) ? ['kms:Decrypt on kmskey'] : []),
  ];
  return needs.flatMap((need) => {
    if (need === 'table') {
      return ofTable('recordstable', [
        ...(writes.records.length > 0 ? WRITES_OF_TABLE : []),
        ...(stamps.length > 0 ? ['UpdateItem'] : []),
        ...(erases === true ? ['DeleteItem'] : []),
      ]);
    }
    if (need === 'key-table') return ofTable('keystable', writes.keys.length > 0 ? WRITES_OF_TABLE : []);
    return need === 'keys' || [...RESERVED.values()].includes(need) ? ofKeys(need) : [];
  });
}

const RESERVED = new Map<string, Need>([
  ['signing-key', 'signing-key'],
  ['connect-signing-key', 'connect-signing-key'],
  ['console-grants', 'console-key'],
  ['portal-grants', 'portal-key'],
]);

/** Actions that conditions limit, which have a separate test. */
const USE_OF_A_KEY = ['GenerateDataKey', 'Decrypt', 'ReEncryptFrom', 'ReEncryptTo'].map(
  (action) => `kms:${action} on "*"`,
);

/** Actions that change or delete a key, denied for the stage's own keys. */
const NO_CHANGES = CHANGES_OF_A_KEY.flatMap((action) => [`deny ${action} on kmskey`, `deny ${action} on evidencekey`]);

/** The permissions of each need, except for those that {@link findBounded} finds, written independently of the stack. */
const GRANTS: Readonly<Record<Need, readonly string[]>> = {
  table: [
    ...ofTable('recordstable', READS_OF_TABLE),
    ...[1, 2, 3, 4].map((n) => `dynamodb:Query on recordstable/index/gsi${n}`),
  ],
  'table:read': [
    ...['GetItem', 'BatchGetItem', 'Query'].map((action) => `dynamodb:${action} on recordstable`),
    ...[1, 2, 3, 4].map((n) => `dynamodb:Query on recordstable/index/gsi${n}`),
  ],
  stream: ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
    (action) => `dynamodb:${action} on recordsstream`,
  ),
  'key-table': ofTable('keystable', READS_OF_TABLE),
  keys: [],
  'signing-key': [],
  'connect-signing-key': [],
  'console-key': [],
  'portal-key': [],
  rekey: ['Decrypt', 'GenerateDataKey', 'ReEncryptFrom', 'ReEncryptTo'].map((action) => `kms:${action} on kmskey`),
  'customer-keys': USE_OF_A_KEY,
  'organization-kms-keys': [
    ...USE_OF_A_KEY,
    'kms:CreateKey on "*"',
    'kms:TagResource on "*"',
    'deny kms:TagResource on "*"',
    ...['GenerateDataKey', 'Decrypt', 'ReEncryptFrom', 'ReEncryptTo'].map((action) => `deny kms:${action} on kmskey`),
    ...NO_CHANGES,
  ],
  'organization-key-deletion': ['kms:ScheduleKeyDeletion on "*"', ...NO_CHANGES],
  'evidence-key': ['kms:GetPublicKey on evidencekey', 'kms:Sign on evidencekey'],
  bus: ['events:PutEvents on bus gatehouse-try'],
  mail: ['ses:SendEmail on identity *', 'ses:SendEmail on configuration-set gatehouse-try-mail'],
  'mail-state': ['ses:GetAccount on "*"', 'ses:GetEmailIdentity on identity *'],
  sms: ['sns:Publish on "*"', 'deny sns:Publish on {"Fn::Join":["",["arn:",{"Ref":"AWS::Partition"},":sns:*:*:*"]]}'],
  'queue:deliveries': ['sqs:SendMessage on queue deliveries'],
  'queue:messages': ['sqs:SendMessage on queue messages'],
  'queue:audit-logs': ['sqs:SendMessage on queue audit-logs'],
  'bucket:audit': [
    ...['GetObject', 'PutObject', 'DeleteObject', 'AbortMultipartUpload'].map(
      (action) => `s3:${action} on auditbucket objects`,
    ),
    's3:ListBucket on auditbucket',
  ],
  'bucket:audit:read': ['s3:GetObject on auditbucket objects'],
  'bucket:audit:write': ['PutObject', 'AbortMultipartUpload'].map((action) => `s3:${action} on auditbucket objects`),
  'bucket:audit:erase': ['s3:DeleteObject on auditbucket objects', 's3:ListBucket on auditbucket'],
  'bucket:audit-roots': [
    's3:PutObject on auditrootsbucket objects',
    's3:PutObjectRetention on auditrootsbucket objects',
  ],
  egress: [],
  dns: [],
  'base-url': [],
};

/** The permissions of every function: its log and its trace. */
const EVERY = [
  'logs:CreateLogStream on logs /gatehouse/try',
  'logs:PutLogEvents on logs /gatehouse/try',
  'xray:PutTraceSegments on "*"',
  'xray:PutTelemetryRecords on "*"',
];

function findGrants(fn: FunctionDescription): string[] {
  const { needs, source } = fn;
  const bySource: Record<string, readonly string[]> = {
    stream: [...GRANTS.stream, 'sqs:SendMessage on queue relay-dead-letters'],
    events: ['sqs:SendMessage on queue workers-dead-letters'],
    queue:
      source.kind === 'queue'
        ? ['ReceiveMessage', 'DeleteMessage', 'ChangeMessageVisibility', 'GetQueueAttributes'].map(
            (action) => `sqs:${action} on queue ${source.queue}`,
          )
        : [],
  };
  return [...EVERY, ...needs.flatMap((need) => GRANTS[need]), ...findBounded(fn), ...(bySource[source.kind] ?? [])];
}

const sorted = (items: Iterable<string>): string[] => [...new Set(items)].sort();

/** Compares a synthesised stage with a topology in both directions: no part is missing, and none is additional. */
export function describeParity(title: string, topology: Topology, { isProtected = false } = {}): void {
  describe(`${title}: the template matches the topology`, () => {
    const { data, service, workers } = synthesise(topology, {
      stage: 'try',
      protect: isProtected,
      mailFrom: 'Gatehouse <no-reply@example.com>',
    });
    const reading = new Reading({ service, workers }, 'try');

    test('each function is deployed, and no others except those that a deployment runs', () => {
      const ofDeployments = ['stage-first-key', ...(isProtected ? ['stage-before-traffic'] : [])];
      expect(sorted(reading.functions.keys())).toEqual(
        sorted([...topology.functions.map(({ name }) => name), ...ofDeployments]),
      );
    });

    test.each(topology.functions)('$name has the variables, grants and limits of the topology', (fn) => {
      const { variables, grants, properties } = reading.functions.get(fn.name) ?? fail(fn.name);
      expect(variables).toEqual(sorted(fn.variables));
      expect(sorted(grants)).toEqual(sorted(findGrants(fn)));
      expect(properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Timeout: fn.timeoutSeconds,
        MemorySize: fn.memoryMb,
        TracingConfig: { Mode: 'Active' },
      });
    });

    testApis(topology, service, reading);

    test('each table has its keys, indexes, TTL, stream and recovery', () => {
      const tables = Object.values(findResources(data, 'AWS::DynamoDB::GlobalTable')).map(
        ({ Properties }) => Properties,
      );
      const keys = (partitionKey: string, sortKey: string) => [
        { AttributeName: partitionKey, KeyType: 'HASH' },
        { AttributeName: sortKey, KeyType: 'RANGE' },
      ];
      expect(tables).toHaveLength(topology.tables.length);
      for (const [at, table] of topology.tables.entries()) {
        const found = tables[at] as Record<string, unknown>;
        expect(found.KeySchema).toEqual(keys(table.partitionKey, table.sortKey));
        expect(found.TimeToLiveSpecification).toEqual({ AttributeName: table.ttlAttribute, Enabled: true });
        expect(found.GlobalSecondaryIndexes ?? []).toEqual(
          table.indexes.map(({ name, partitionKey, sortKey, attributes }) => ({
            IndexName: name,
            KeySchema: keys(partitionKey, sortKey),
            Projection:
              attributes === undefined
                ? { ProjectionType: 'ALL' }
                : { ProjectionType: 'INCLUDE', NonKeyAttributes: attributes },
          })),
        );
        expect(found.StreamSpecification).toEqual(table.stream ? { StreamViewType: 'NEW_AND_OLD_IMAGES' } : undefined);
        expect(found.Replicas).toMatchObject([
          { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: table.recovery } },
        ]);
      }
    });

    test('each queue has its visibility and its dead letters', () => {
      const queues = Object.values(findResources(service, 'AWS::SQS::Queue')).map(({ Properties }) => Properties);
      const formatName = (queue: Record<string, unknown>) => String(queue.QueueName).replace('gatehouse-try-', '');
      expect(sorted(queues.map(formatName))).toEqual(
        sorted([
          ...topology.queues.flatMap(({ name }) => [name, `${name}-dead-letters`]),
          'relay-dead-letters',
          'workers-dead-letters',
        ]),
      );
      for (const { name, visibilitySeconds, maxReceives } of topology.queues) {
        const queue = queues.find((each) => formatName(each) === name) ?? fail(name);
        const redrive = queue.RedrivePolicy as { deadLetterTargetArn: unknown; maxReceiveCount: number };
        expect(queue.VisibilityTimeout).toBe(visibilitySeconds);
        expect(redrive.maxReceiveCount).toBe(maxReceives);
        expect(reading.readWord(redrive.deadLetterTargetArn)).toBe(`queue ${name}-dead-letters`);
      }
    });

    test('accepts reports on mails of this stage from SES only', () => {
      const [set] = Object.keys(findResources(service, 'AWS::SES::ConfigurationSet'));
      const destinations = Object.values(findResources(service, 'AWS::SES::ConfigurationSetEventDestination'));
      expect(destinations.map(({ Properties }) => Properties)).toMatchObject([
        { ConfigurationSetName: { Ref: set }, EventDestination: { MatchingEventTypes: ['bounce', 'complaint'] } },
      ]);
      expect(JSON.stringify(destinations)).toContain(':event-bus/default');
      const rules = Object.entries(findResources(service, 'AWS::Events::Rule'));
      expect(rules.map(([, { Properties }]) => Properties)).toMatchObject([
        {
          EventPattern: {
            source: ['aws.ses'],
            'detail-type': ['Email Bounced', 'Email Complaint Received'],
            detail: { mail: { tags: { 'ses:configuration-set': [{ Ref: set }] } } },
          },
          State: 'ENABLED',
        },
      ]);
      const [[ruleId, rule] = ['', undefined]] = rules;
      const targets = rule?.Properties.Targets as { Arn: unknown }[];
      expect(targets.map(({ Arn }) => reading.readWord(Arn))).toEqual(['queue mail-feedback']);
      const admitted = Object.values(findResources(service, 'AWS::SQS::QueuePolicy')).flatMap(({ Properties }) =>
        (Properties.PolicyDocument as { Statement: Statement[] }).Statement.filter(
          ({ Effect, Resource }) => Effect === 'Allow' && reading.readWord(Resource) === 'queue mail-feedback',
        ),
      );
      expect(admitted).toMatchObject([
        {
          Action: expect.arrayContaining(['sqs:SendMessage']),
          Principal: { Service: 'events.amazonaws.com' },
          Condition: { ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': [ruleId, 'Arn'] } } },
        },
      ]);
    });

    test('each bucket is private and encrypted, with its expiry rules and object lock', () => {
      const buckets = Object.values(findResources(data, 'AWS::S3::Bucket')).map(({ Properties }) => Properties);
      expect(buckets).toHaveLength(topology.buckets.length);
      for (const [at, { objectLock, expirations }] of topology.buckets.entries()) {
        expect(buckets[at]).toMatchObject({
          PublicAccessBlockConfiguration: { BlockPublicAcls: true, RestrictPublicBuckets: true },
          BucketEncryption: expect.anything(),
          LifecycleConfiguration: {
            Rules: [
              { AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } },
              ...expirations.map(({ prefix, days }) => ({ Prefix: prefix, ExpirationInDays: days })),
            ],
          },
        });
        const isLocked = objectLock && isProtected;
        expect(buckets[at]?.ObjectLockEnabled ?? false).toBe(isLocked);
        expect(buckets[at]?.VersioningConfiguration).toEqual(isLocked ? { Status: 'Enabled' } : undefined);
      }
    });

    test('each KMS key can have replicas in other regions, which no key can get later', () => {
      const keys = Object.values(findResources(data, 'AWS::KMS::Key')).map(({ Properties }) => Properties);
      expect(keys.map(({ MultiRegion }) => MultiRegion)).toEqual([true, ...topology.signingKeys.map(() => true)]);
    });

    test('each signing key has its spec and can only sign', () => {
      const keys = Object.values(findResources(data, 'AWS::KMS::Key')).map(({ Properties }) => Properties);
      const signing = keys.filter(({ KeyUsage }) => KeyUsage === 'SIGN_VERIFY');
      expect(signing.map(({ KeySpec }) => KeySpec)).toEqual(topology.signingKeys.map(({ spec }) => spec));
    });

    test('each stream and queue worker is triggered by its source, with partial failures reported', () => {
      const mappings = Object.values(findResources(workers, 'AWS::Lambda::EventSourceMapping')).map(
        ({ Properties }) => ({
          ...Properties,
          word: `${reading.readWord(Properties.EventSourceArn)} -> ${reading.functionOfAlias(Properties.FunctionName)}`,
        }),
      );
      expect(sorted(mappings.map(({ word }) => word))).toEqual(
        sorted(
          topology.functions.flatMap(({ name, source }) => {
            if (source.kind === 'stream') return [`recordsstream -> ${name}`];
            return source.kind === 'queue' ? [`queue ${source.queue} -> ${name}`] : [];
          }),
        ),
      );
      for (const mapping of mappings)
        expect(mapping).toMatchObject({ FunctionResponseTypes: ['ReportBatchItemFailures'] });
      const stream = mappings.filter(({ word }) => word.startsWith('recordsstream'));
      for (const mapping of stream) {
        expect(mapping).toMatchObject({ BisectBatchOnFunctionError: true, StartingPosition: 'TRIM_HORIZON' });
        const { OnFailure } = (mapping as unknown as { DestinationConfig: { OnFailure: { Destination: unknown } } })
          .DestinationConfig;
        expect(reading.readWord(OnFailure.Destination)).toBe('queue relay-dead-letters');
      }
    });

    test('each rule of the bus and each schedule starts its worker', () => {
      const rules = Object.values(findResources(workers, 'AWS::Events::Rule')).flatMap(({ Properties }) => {
        const targets = Properties.Targets as { Arn: unknown; DeadLetterConfig?: { Arn: unknown } }[];
        return targets.map(({ Arn, DeadLetterConfig }) => {
          const { ScheduleExpression: rate, EventPattern: pattern } = Properties;
          const when = typeof rate === 'string' ? rate : JSON.stringify(pattern);
          const kept = DeadLetterConfig === undefined ? '' : `, else ${reading.readWord(DeadLetterConfig.Arn)}`;
          return `${when} -> ${reading.functionOfAlias(Arn)}${kept}`;
        });
      });
      const stated = topology.functions.flatMap(({ name, source }) => {
        if (source.kind === 'schedule') return [`${computeRate(source.everyMinutes)} -> ${name}`];
        if (source.kind !== 'events') return [];
        const { events = [], prefixes = [] } = source;
        const types = [...events, ...prefixes.map((prefix) => ({ prefix }))];
        const pattern = { 'detail-type': types.length > 0 ? types : [{ 'anything-but': { prefix: 'work.' } }] };
        return [`${JSON.stringify(pattern)} -> ${name}, else queue workers-dead-letters`];
      });
      expect(sorted(rules)).toEqual(sorted(stated));
    });
  });
}

function computeRate(minutes: number): string {
  if (minutes % 1_440 === 0) return minutes === 1_440 ? 'rate(1 day)' : `rate(${minutes / 1_440} days)`;
  if (minutes % 60 === 0) return minutes === 60 ? 'rate(1 hour)' : `rate(${minutes / 60} hours)`;
  return minutes === 1 ? 'rate(1 minute)' : `rate(${minutes} minutes)`;
}

function fail(name: string): never {
  throw new Error(`the template has no ${name}`);
}
