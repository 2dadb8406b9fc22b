import { Duration, Size, type Stack, Validations } from 'aws-cdk-lib';
import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as codedeploy from 'aws-cdk-lib/aws-codedeploy';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as logs from 'aws-cdk-lib/aws-logs';

import type { FunctionDescription } from '../topology/model.ts';
import { grantsOfNeeds, logGrant, type Resources } from './grants.ts';
import { ALIAS, functionNameOf, logGroupNameOf, pascal } from './names.ts';

/** Provides the code of a function: its bundle, or a replacement in tests. */
export type CodeOf = (name: string) => lambda.Code;

/** The options of all functions of a stage. */
export interface FunctionContext {
  stack: Stack;
  stage: string;
  /** True if a new version first gets a tenth of the calls; else the alias moves at once, without CodeDeploy. */
  canary: boolean;
  /** True if an active alarm rolls back a new version. */
  rollback: boolean;
  codeOf: CodeOf;
  resources: Resources;
  environmentOf: (variables: readonly string[]) => Record<string, string>;
  logGroup: logs.ILogGroup;
}

/** A function of the stack. */
export interface DeployedFunction {
  fn: lambda.Function;
}

/** A function that publishes a version for each change, with an alias that moves to it. */
export interface VersionedFunction extends DeployedFunction {
  alias: lambda.Alias;
}

/** Creates the functions of a stage with the same options, each with a role of its own. */
export class FunctionFactory {
  readonly #context: FunctionContext;
  #deployment: { application: codedeploy.LambdaApplication; role: iam.IRole } | undefined;

  constructor(context: FunctionContext) {
    this.#context = context;
  }

  /** Adds a function with the grants of its needs and additional ones. */
  add(
    description: Omit<FunctionDescription, 'source'>,
    { statements = [], reserved }: { statements?: readonly iam.PolicyStatement[]; reserved?: number | undefined } = {},
  ): DeployedFunction {
    const { stack, stage, codeOf, environmentOf, logGroup } = this.#context;
    const fn = new lambda.Function(stack, pascal(description.name), {
      functionName: functionNameOf(stage, description.name),
      description: description.summary.slice(0, 256),
      code: codeOf(description.name),
      handler: 'index.handler',
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      memorySize: description.memoryMb,
      ephemeralStorageSize: Size.mebibytes(512),
      timeout: Duration.seconds(description.timeoutSeconds),
      environment: environmentOf(description.variables),
      tracing: lambda.Tracing.ACTIVE,
      logGroup,
      // The role contains all its permissions: grants by other constructs have no effect.
      role: this.#role(description, statements).withoutPolicyUpdates(),
      ...(reserved === undefined ? {} : { reservedConcurrentExecutions: reserved }),
    });
    return { fn };
  }

  /** Adds a function like {@link add}, with a version for each change and the alias that all its callers use. */
  addVersioned(...given: Parameters<FunctionFactory['add']>): VersionedFunction {
    const { fn } = this.add(...given);
    const alias = new lambda.Alias(fn, 'Alias', { aliasName: ALIAS, version: fn.currentVersion as lambda.IVersion });
    return { fn, alias };
  }

  /**
   * Deploys new versions of a function in steps, and rolls them back if one of the alarms is active; in protected
   * stages.
   */
  roll({ fn, alias }: VersionedFunction, alarms: readonly cloudwatch.Alarm[]): void {
    const { canary, rollback, stack } = this.#context;
    if (!canary) return;
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
    const { stack, stage, resources, logGroup } = this.#context;
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
            ...grantsOfNeeds(needs, resources),
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
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:logs:<AWS::Region>:<AWS::AccountId>:log-group:${logGroupNameOf(stage)}:*]`,
      reason: "The streams of the stage's one log group, which Lambda names.",
    });
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
