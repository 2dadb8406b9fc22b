import { Duration, Size, type Stack, Validations } from 'aws-cdk-lib';
import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as codedeploy from 'aws-cdk-lib/aws-codedeploy';
import type * as events from 'aws-cdk-lib/aws-events';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as logs from 'aws-cdk-lib/aws-logs';

import type { BucketName } from '../../functions/kernel/area.ts';
import type { FunctionDescription, Topology } from '../topology/model.ts';
import type { Data } from './data.ts';
import { variableValues } from './environment.ts';
import { grantsOfNeeds, grantsOfSource, logGrant, type Resources, resourcesOf } from './grants.ts';
import { ALIAS, functionNameOf, logGroupNameOf, pascal } from './names.ts';
import type { Queues } from './queues.ts';
import type { StageSettings } from './settings.ts';

/** Gives the code of a function: its bundle, or whatever a test puts in its place. */
export type CodeOf = (name: string) => lambda.Code;

/** What a stack of functions is made from. */
export interface ServiceProps {
  topology: Topology;
  settings: StageSettings;
  codeOf: CodeOf;
}

/** What all functions of a stack share. */
export interface FunctionContext extends ServiceProps {
  stack: Stack;
  data: Data;
  bus: Pick<events.IEventBus, 'eventBusName' | 'eventBusArn'>;
  queues: Queues;
  logGroup: logs.ILogGroup;
  /** Where callers reach the API. */
  baseUrl: () => string;
  /** What CloudFront proves itself by, read when a function is added; nothing where the stack has no function of the API. */
  edgeDigests?: () => string;
}

/** A function as it stands in the stack. */
export interface DeployedFunction {
  fn: lambda.Function;
}

/** A function of which each change publishes a version, and an alias that moves to it. */
export interface VersionedFunction extends DeployedFunction {
  alias: lambda.Alias;
}

/** A need of a bucket, and the bucket's name. */
const BUCKET_NEED = /^bucket:(?<name>[a-z-]+)/;

/** A function of the topology, or one that a deployment runs, which has no source. */
type Described = Omit<FunctionDescription, 'source'> & Partial<Pick<FunctionDescription, 'source'>>;

/** Makes the functions of a stack, all alike, each with a role of its own. */
export class FunctionFactory {
  readonly #context: FunctionContext;
  readonly #resources: Resources;
  readonly #environmentOf: (variables: readonly string[]) => Record<string, string>;
  #deployment: { application: codedeploy.LambdaApplication; role: iam.IRole } | undefined;

  constructor(context: FunctionContext) {
    this.#context = context;
    this.#resources = resourcesOf(context);
    this.#environmentOf = variableValues({ edgeDigests: () => '', ...context, busName: context.bus.eventBusName });
  }

  /** Adds a function with the grants of its needs, of its source, and those that are given besides. */
  add(description: Described, statements: readonly iam.PolicyStatement[] = []): DeployedFunction {
    const { stack, settings, codeOf, logGroup } = this.#context;
    const { source } = description;
    const granted = [...(source === undefined ? [] : grantsOfSource(source, this.#resources)), ...statements];
    const reserved = reservedOf(description, settings);
    const fn = new lambda.Function(stack, pascal(description.name), {
      functionName: functionNameOf(settings.stage, description.name),
      description: description.summary.slice(0, 256),
      code: codeOf(description.name),
      handler: 'index.handler',
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      memorySize: description.memoryMb,
      ephemeralStorageSize: Size.mebibytes(512),
      timeout: Duration.seconds(description.timeoutSeconds),
      environment: this.#environmentOf(description.variables),
      tracing: lambda.Tracing.ACTIVE,
      logGroup,
      // Everything that the role may do stands in it: constructs that would add to it are not heard.
      role: this.#role(description, granted).withoutPolicyUpdates(),
      ...(reserved === undefined ? {} : { reservedConcurrentExecutions: reserved }),
    });
    return { fn };
  }

  /** Adds a function as {@link add} does, with a version for each change and the alias that all its callers use. */
  addVersioned(...given: Parameters<FunctionFactory['add']>): VersionedFunction {
    const { fn } = this.add(...given);
    const alias = new lambda.Alias(fn, 'Alias', { aliasName: ALIAS, version: fn.currentVersion as lambda.IVersion });
    return { fn, alias };
  }

  /** Lets new versions of a function in by steps, and takes them back when one of the alarms rings; in protected stages. */
  roll({ fn, alias }: VersionedFunction, alarms: readonly cloudwatch.Alarm[]): void {
    const { settings, stack } = this.#context;
    const { protect, rollback } = settings;
    if (!protect) return;
    this.#deployment ??= {
      application: new codedeploy.LambdaApplication(stack, 'Deployments'),
      role: this.#deployer(),
    };
    new codedeploy.LambdaDeploymentGroup(fn, 'Rollout', {
      alias,
      alarms: rollback ? [...alarms] : [],
      deploymentConfig: codedeploy.LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      autoRollback: {
        failedDeployment: true,
        stoppedDeployment: true,
        deploymentInAlarm: rollback && alarms.length > 0,
      },
      ...this.#deployment,
    });
  }

  #role(
    { name, needs }: Pick<FunctionDescription, 'name' | 'needs'>,
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
            ...grantsOfNeeds(needs, this.#resources),
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
      const { Ref: parameter } = stack.resolve(this.#resources.data.bucket(name as BucketName)) as { Ref: string };
      Validations.of(role).acknowledge({
        id: `AwsSolutions-IAM5[Resource::<${parameter}>/*]`,
        reason: 'The objects of a bucket of the stage, whose keys are known when they are made.',
      });
    }
    if (needs.includes('mail')) {
      Validations.of(role).acknowledge({
        id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*]',
        reason: "The sender's address is the condition; which identity SES knows it by is the stage owner's choice.",
      });
    }
    return role;
  }

  #deployer(): iam.IRole {
    const role = new iam.Role(this.#context.stack, 'DeploymentsRole', {
      assumedBy: new iam.ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [iam.ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited')],
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
      reason: "AWS's own policy for CodeDeploy on Lambda; what CodeDeploy calls is its business and may change.",
    });
    return role.withoutPolicyUpdates();
  }
}

/**
 * Executions set aside are taken from the account's, so only where a number is stated. A queue's worker is held by its
 * pollers, a stream's by its shards.
 */
function reservedOf({ source, concurrency }: Described, { areaConcurrency }: StageSettings): number | undefined {
  if (source?.kind === 'queue' || source?.kind === 'stream') return undefined;
  return concurrency ?? (source?.kind === 'http' ? areaConcurrency : undefined);
}
