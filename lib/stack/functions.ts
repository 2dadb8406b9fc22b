import { Duration, Size, type Stack, Validations } from 'aws-cdk-lib';
import type * as events from 'aws-cdk-lib/aws-events';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as logs from 'aws-cdk-lib/aws-logs';

import type { BucketName } from '../../functions/kernel/area.ts';
import { grantsOfNeeds, grantsOfSource, type Resources } from '../topology/grants.ts';
import type { FunctionDescription, Topology } from '../topology/model.ts';
import type { Data } from './data.ts';
import { variableValues } from './environment.ts';
import { listResources, logGrant, toPolicyStatement } from './grants.ts';
import { ALIAS, makeFunctionName, logGroupNameOf, pascal } from './names.ts';
import type { Queues } from './queues.ts';
import type { StageSettings } from './settings.ts';

/** Provides the code of a function: its bundle, or a replacement in tests. */
export type CodeOf = (name: string) => lambda.Code;

/** The options of a stack of functions. */
export interface ServiceProps {
  topology: Topology;
  settings: StageSettings;
  bundledCode: CodeOf;
}

/** The options of all functions of a stack. */
export interface FunctionContext extends ServiceProps {
  stack: Stack;
  data: Data;
  bus: Pick<events.IEventBus, 'eventBusName' | 'eventBusArn'>;
  queues: Queues;
  logGroup: logs.ILogGroup;
  /** The base URL of the API for callers. */
  baseUrl: () => string;
  /** The address of the console; absent in a stack without functions of the API. */
  consoleUrl?: () => string;
  /** The digests of CloudFront's secrets, read when a function is added; absent in a stack without functions of the API. */
  edgeDigests?: () => string;
}

/** A function of the stack. */
export interface DeployedFunction {
  fn: lambda.Function;
}

/** A function that publishes a version for each change, with an alias that moves to it. */
export interface VersionedFunction extends DeployedFunction {
  alias: lambda.Alias;
}

/** A need of a bucket, and the bucket's name. */
const BUCKET_NEED = /^bucket:(?<name>[a-z-]+)/;

/** A function of the topology, or one that a deployment runs, which has no source. */
type Described = Omit<FunctionDescription, 'source'> & Partial<Pick<FunctionDescription, 'source'>>;

/** Creates the functions of a stack with the same options, each with a role of its own. */
export class FunctionFactory {
  readonly #context: FunctionContext;
  readonly #resources: Resources;
  readonly #environmentOf: (variables: readonly string[]) => Record<string, string>;

  constructor(context: FunctionContext) {
    this.#context = context;
    this.#resources = listResources(context);
    this.#environmentOf = variableValues({
      edgeDigests: () => '',
      consoleUrl: () => '',
      ...context,
      busName: context.bus.eventBusName,
    });
  }

  /** Adds a function with the grants of its needs and its source, and additional ones. */
  add(description: Described, statements: readonly iam.PolicyStatement[] = []): DeployedFunction {
    const { stack, settings, bundledCode, logGroup } = this.#context;
    const { source } = description;
    const granted = [
      ...(source === undefined ? [] : grantsOfSource(source, this.#resources).map(toPolicyStatement)),
      ...statements,
    ];
    const reserved = computeReserved(description, settings);
    const fn = new lambda.Function(stack, pascal(description.name), {
      functionName: makeFunctionName(settings.stage, description.name),
      description: description.summary.slice(0, 256),
      code: bundledCode(description.name),
      handler: 'index.handler',
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      memorySize: description.memoryMb,
      ephemeralStorageSize: Size.mebibytes(512),
      timeout: Duration.seconds(description.timeoutSeconds),
      environment: this.#environmentOf(description.variables),
      tracing: lambda.Tracing.ACTIVE,
      logGroup,
      // The role contains all permissions of the function; grants by other constructs have no effect.
      role: this.#role(description, granted).withoutPolicyUpdates(),
      ...(reserved === undefined ? {} : { reservedConcurrentExecutions: reserved }),
    });
    return { fn };
  }

  /** Adds a function like {@link add}, with a version for each change and the alias that all callers use. */
  addVersioned(...given: Parameters<FunctionFactory['add']>): VersionedFunction {
    const { fn } = this.add(...given);
    const alias = new lambda.Alias(fn, 'Alias', { aliasName: ALIAS, version: fn.currentVersion as lambda.IVersion });
    return { fn, alias };
  }

  #role(
    { name, needs, permissions }: Pick<FunctionDescription, 'name' | 'needs' | 'permissions'>,
    statements: readonly iam.PolicyStatement[],
  ): iam.Role {
    const { stack, settings, logGroup } = this.#context;
    const role = new iam.Role(stack, `${pascal(name)}Role`, {
      assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com'),
      description: `What ${name} may do.`,
      inlinePolicies: {
        needs: new iam.PolicyDocument({
          statements: [
            logGrant(logGroup),
            new iam.PolicyStatement({
              actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
              resources: ['*'],
            }),
            ...grantsOfNeeds({ needs, permissions }, this.#resources).map(toPolicyStatement),
            ...statements,
          ],
        }),
      },
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: needs.includes('sms')
        ? 'X-Ray and phone numbers are not resources that a policy can name; topics are denied.'
        : 'X-Ray has no resources that a policy could name.',
    });
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:logs:<AWS::Region>:<AWS::AccountId>:log-group:${logGroupNameOf(settings.stage)}:*]`,
      reason: "The streams of the stage's one log group, which Lambda names.",
    });
    for (const name of new Set(needs.flatMap((need) => BUCKET_NEED.exec(need)?.groups?.name ?? []))) {
      const { Ref: parameter } = stack.resolve(this.#resources.bucket(name as BucketName)) as { Ref: string };
      Validations.of(role).acknowledge({
        id: `AwsSolutions-IAM5[Resource::<${parameter}>/*]`,
        reason: 'The objects of a bucket of the stage, whose keys are known when they are made.',
      });
    }
    if (needs.includes('mail') || needs.includes('mail-state')) {
      Validations.of(role).acknowledge({
        id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*]',
        reason: needs.includes('mail')
          ? "The sender's address is the condition; which identity SES knows it by is the stage owner's choice."
          : "The state of the sender's identity is only read; which identity SES knows it by is the stage owner's choice.",
      });
    }
    return role;
  }
}

/**
 * The reserved concurrency of a function. It is taken from the account's, so it is only set if configured. A queue's worker
 * is limited by its pollers, a stream's by its shards.
 */
function computeReserved({ source, concurrency }: Described, { areaConcurrency }: StageSettings): number | undefined {
  if (source?.kind === 'queue' || source?.kind === 'stream') return undefined;
  return concurrency ?? (source?.kind === 'http' ? areaConcurrency : undefined);
}
