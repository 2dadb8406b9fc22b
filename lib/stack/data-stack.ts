import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as s3 from 'aws-cdk-lib/aws-s3';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import * as ssm from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';

import type { BucketName } from '../../functions/kernel/area.ts';
import type { Bucket, SigningKey, Table, Topology } from '../topology/model.ts';
import type { Data } from './data.ts';
import { addEdgeSecrets } from './edge-secret.ts';
import { computeWarmThroughput, readLoad } from './load.ts';
import { CHANGES_OF_A_KEY } from '../topology/grants.ts';
import { named, pascal } from './names.ts';
import type { StageSettings } from './settings.ts';

/** Names and ARNs for the stacks that are deployed later. */
type Published =
  | 'records-table'
  | 'records-stream'
  | 'keys-table'
  | 'kms-key'
  | 'evidence-key'
  | 'first-key-secret'
  | 'base-url'
  | 'writer-epoch'
  | 'api-id'
  | 'console-url'
  | `edge-secret-${number}`
  | `${BucketName}-bucket`;

/**
 * Service stacks read the data's ARNs through parameters, not exports: CloudFormation rejects a change of an export
 * that is in use, so a restored table could never replace the first one.
 */
export const parameterName = (stage: string, name: Published): string => `/gatehouse/${stage}/${name}`;

/**
 * A key can have a replica in another region only if it was made for it: neither can a key become a multi-region key later, nor can
 * another key decrypt what this one wrapped.
 */
const KEY_FOR_REPLICAS = { multiRegion: true };

/** The resources that outlive every deployment: tables, buckets, the KMS keys, the first API key. */
export class DataStack extends Stack {
  readonly #settings: StageSettings;

  constructor(
    scope: Construct,
    id: string,
    { tables, buckets, signingKeys }: Pick<Topology, 'tables' | 'buckets' | 'signingKeys'>,
    settings: StageSettings,
    props: StackProps,
  ) {
    super(scope, id, { ...props, terminationProtection: settings.protect });
    this.#settings = settings;
    for (const table of tables) {
      // An adopted table is managed by the operator who restored it.
      if (table.name === 'records' && settings.tableArn !== undefined) this.#adopt(settings);
      else this.#addTable(table);
    }
    for (const bucket of buckets) this.#publish(`${bucket.name}-bucket`, this.#addBucket(bucket).bucketArn);
    this.#publish('kms-key', this.#addKey().keyArn);
    for (const key of signingKeys) this.#publish(`${key.name}-key`, this.#addSigningKey(key).keyArn);
    this.#publish('first-key-secret', this.#addFirstKeySecret().secretArn);
    this.#publish('writer-epoch', String(settings.writerEpoch));
    if (settings.cloudfront) {
      for (const { generation, arn } of addEdgeSecrets(this, settings)) this.#publish(`edge-secret-${generation}`, arn);
    }
  }

  get #removal(): RemovalPolicy {
    return this.#settings.protect ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
  }

  /**
   * The service gets the name through its settings, which are used for its deployment; the commands of this project read
   * the parameter.
   */
  #adopt({ tableArn, tableStreamArn }: StageSettings): void {
    if (tableArn === undefined || tableStreamArn === undefined) throw new Error('-c tableArn needs -c tableStreamArn');
    this.#publish('records-table', tableArn);
    this.#publish('records-stream', tableStreamArn);
  }

  #addTable(table: Table): void {
    const text = (name: string): dynamodb.Attribute => ({ name, type: dynamodb.AttributeType.STRING });
    // A throttled index rejects the write of the table.
    const warmThroughput = table.name === 'records' ? computeWarmThroughput(readLoad(this.#settings)) : undefined;
    const warm = warmThroughput === undefined ? {} : { warmThroughput };
    const construct = new dynamodb.TableV2(this, table.name === 'records' ? 'Records' : 'Keys', {
      tableName: named(this.#settings.stage, table.name),
      partitionKey: text(table.partitionKey),
      sortKey: text(table.sortKey),
      billing: dynamodb.Billing.onDemand(),
      ...warm,
      globalSecondaryIndexes: table.indexes.map(({ name, partitionKey, sortKey, attributes }) => ({
        ...warm,
        indexName: name,
        partitionKey: text(partitionKey),
        sortKey: text(sortKey),
        ...(attributes === undefined
          ? {}
          : { projectionType: dynamodb.ProjectionType.INCLUDE, nonKeyAttributes: [...attributes] }),
      })),
      timeToLiveAttribute: table.ttlAttribute,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: table.recovery },
      // Replicas need both images, and the view of a stream cannot be changed without a new stream.
      ...(table.stream ? { dynamoStream: dynamodb.StreamViewType.NEW_AND_OLD_IMAGES } : {}),
      deletionProtection: this.#settings.protect,
      removalPolicy: this.#removal,
    });
    if (!table.recovery) {
      Validations.of(construct).acknowledge({
        id: 'AwsSolutions-DDB3',
        reason: 'Destroying a key must be final: a recovery point would bring it back.',
      });
    }
    this.#publish(table.name === 'records' ? 'records-table' : 'keys-table', construct.tableArn);
    if (table.stream && construct.tableStreamArn !== undefined) {
      this.#publish('records-stream', construct.tableStreamArn);
    }
    if (table.name === 'records') new CfnOutput(this, 'RecordsTableName', { value: construct.tableName });
  }

  #addKey(): kms.Key {
    const { stage } = this.#settings;
    const key = new kms.Key(this, 'Key', {
      ...KEY_FOR_REPLICAS,
      alias: `alias/${named(stage, 'envelopes')}`,
      description: `Wraps the data keys of Gatehouse ${stage}. Without it no stored secret can be read again.`,
      enableKeyRotation: true,
      pendingWindow: Duration.days(this.#settings.protect ? 30 : 7),
      removalPolicy: this.#removal,
    });
    return this.#protectFromFunctions(key);
  }

  /**
   * Prevents the functions of the stage from changing its keys, whatever their roles allow: the vault may tag, use and
   * delete only the keys that it creates for organizations, which are identified by their tags. Functions are identified by
   * the tags of their roles.
   */
  #protectFromFunctions(key: kms.Key): kms.Key {
    key.addToResourcePolicy(
      new iam.PolicyStatement({
        sid: 'FunctionsUseItAlone',
        effect: iam.Effect.DENY,
        principals: [new iam.AnyPrincipal()],
        actions: CHANGES_OF_A_KEY,
        resources: ['*'],
        conditions: {
          StringEquals: { 'aws:PrincipalTag/service': 'gatehouse', 'aws:PrincipalTag/stage': this.#settings.stage },
        },
      }),
    );
    return key;
  }

  /** Adds a signing key. KMS cannot rotate an asymmetric key, and its public half verifies old signatures permanently. */
  #addSigningKey({ name }: SigningKey): kms.Key {
    const { stage } = this.#settings;
    const key = new kms.Key(this, `SigningKey-${name}`, {
      ...KEY_FOR_REPLICAS,
      alias: `alias/${named(stage, name)}`,
      description: `Signs the ${name} of Gatehouse ${stage}. What it signed stays checkable by its public key.`,
      keySpec: kms.KeySpec.ECC_NIST_P256,
      keyUsage: kms.KeyUsage.SIGN_VERIFY,
      pendingWindow: Duration.days(this.#settings.protect ? 30 : 7),
      removalPolicy: this.#removal,
    });
    return this.#protectFromFunctions(key);
  }

  /**
   * Adds a bucket. Locked objects cannot be deleted by anyone before their time, so a bucket with them remains when its
   * stage is deleted. A preview has none, because each would leave a bucket behind.
   */
  #addBucket({ name, objectLock: isEvidence, expirations }: Bucket): s3.Bucket {
    const objectLock = isEvidence && this.#settings.protect;
    const bucket = new s3.Bucket(this, `${pascal(name)}Bucket`, {
      blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
      encryption: s3.BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      versioned: objectLock,
      objectLockEnabled: objectLock,
      lifecycleRules: [
        { abortIncompleteMultipartUploadAfter: Duration.days(1) },
        ...expirations.map(({ prefix, days }) => ({ prefix, expiration: Duration.days(days) })),
      ],
      removalPolicy: objectLock ? RemovalPolicy.RETAIN : this.#removal,
      // CloudFormation cannot delete a bucket that has objects.
      autoDeleteObjects: !objectLock && this.#removal === RemovalPolicy.DESTROY,
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Few functions reach it, which log what they do; data events of CloudTrail are the stage owner’s choice.',
    });
    return bucket;
  }

  /** Adds the secret, which contains a placeholder until the service's first deployment writes the key into it. */
  #addFirstKeySecret(): secretsmanager.Secret {
    const secret = new secretsmanager.Secret(this, 'FirstKey', {
      description: `First API key of Gatehouse ${this.#settings.stage}: { environment_id, client_id, api_key }.`,
      generateSecretString: { secretStringTemplate: '{}', generateStringKey: 'placeholder' },
      removalPolicy: this.#removal,
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'A hand-over, not a live credential store: the team makes its own keys and revokes this one.',
    });
    return secret;
  }

  #publish(name: Published, value: string): void {
    const parameterPath = parameterName(this.#settings.stage, name);
    new ssm.StringParameter(this, `Parameter-${name}`, { parameterName: parameterPath, stringValue: value });
  }
}

/** The location of a stage's data, imported into a stack that is deployed after the data stack. */
export function importData(scope: Stack, { stage, tableArn, tableStreamArn, domain }: StageSettings): Data {
  const read = (name: Published) => ssm.StringParameter.valueForStringParameter(scope, parameterName(stage, name));
  // The data are imported when they are needed, because CDK warns about an unused parameter.
  return {
    baseUrl: () => (domain === undefined ? read('base-url') : `https://${domain}`),
    apiId: () => read('api-id'),
    recordsTable: () => tableArn ?? read('records-table'),
    recordsStream: () => tableStreamArn ?? read('records-stream'),
    keyTable: () => read('keys-table'),
    kmsKey: () => read('kms-key'),
    evidenceKey: () => read('evidence-key'),
    firstKeySecret: () => read('first-key-secret'),
    edgeSecret: (generation) => read(`edge-secret-${generation}`),
    bucket: (name) => read(`${name}-bucket`),
  };
}
