import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import * as ssm from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';

import type { Table } from '../topology/model.ts';
import { named } from './names.ts';
import type { StageSettings } from './settings.ts';

/** What the data stack tells the service stack. */
type Published = 'records-table' | 'records-stream' | 'keys-table' | 'kms-key' | 'first-key-secret';

/**
 * The service reads where the data are through parameters rather than exports: CloudFormation refuses to change an
 * export that is in use, so that a restored table could never take the place of the first.
 */
const parameterName = (stage: string, name: Published): string => `/gatehouse/${stage}/${name}`;

/** ARNs of a stage's data. */
export interface Data {
  recordsTable: () => string;
  recordsStream: () => string;
  keyTable: () => string;
  kmsKey: () => string;
  firstKeySecret: () => string;
}

/** What must outlive every deployment: tables, the KMS key, the first API key. */
export class DataStack extends Stack {
  readonly #settings: StageSettings;

  constructor(scope: Construct, id: string, tables: readonly Table[], settings: StageSettings, props: StackProps) {
    super(scope, id, { ...props, terminationProtection: settings.protect });
    this.#settings = settings;
    for (const table of tables) {
      // An adopted table belongs to whoever restored it.
      if (table.name === 'records' && settings.tableArn !== undefined) continue;
      this.#addTable(table);
    }
    this.#publish('kms-key', this.#addKey().keyArn);
    this.#publish('first-key-secret', this.#addFirstKeySecret().secretArn);
  }

  get #removal(): RemovalPolicy {
    return this.#settings.protect ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
  }

  #addTable(table: Table): void {
    const text = (name: string): dynamodb.Attribute => ({ name, type: dynamodb.AttributeType.STRING });
    const construct = new dynamodb.TableV2(this, table.name === 'records' ? 'Records' : 'Keys', {
      // A name that the commands of this project know, so that they find a stage's table.
      tableName: named(this.#settings.stage, table.name),
      partitionKey: text(table.partitionKey),
      sortKey: text(table.sortKey),
      billing: dynamodb.Billing.onDemand(),
      globalSecondaryIndexes: table.indexes.map(({ name, partitionKey, sortKey }) => ({
        indexName: name,
        partitionKey: text(partitionKey),
        sortKey: text(sortKey),
      })),
      timeToLiveAttribute: table.ttlAttribute,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: table.recovery },
      ...(table.stream ? { dynamoStream: dynamodb.StreamViewType.NEW_IMAGE } : {}),
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
    return new kms.Key(this, 'Key', {
      alias: `alias/${named(stage, 'envelopes')}`,
      description: `Wraps the data keys of Gatehouse ${stage}. Without it no stored secret can be read again.`,
      enableKeyRotation: true,
      pendingWindow: Duration.days(this.#settings.protect ? 30 : 7),
      removalPolicy: this.#removal,
    });
  }

  /** Holds a placeholder until the service's first deployment writes the key into it. */
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

/** Where a stage's data are, as seen from a stack that is deployed after the data stack. */
export function dataOf(scope: Stack, { stage, tableArn, tableStreamArn }: StageSettings): Data {
  const read = (name: Published) => ssm.StringParameter.valueForStringParameter(scope, parameterName(stage, name));
  // Read when asked for: a parameter that nothing uses is a warning.
  return {
    recordsTable: () => tableArn ?? read('records-table'),
    recordsStream: () => tableStreamArn ?? read('records-stream'),
    keyTable: () => read('keys-table'),
    kmsKey: () => read('kms-key'),
    firstKeySecret: () => read('first-key-secret'),
  };
}
