import { type Stack, Validations } from 'aws-cdk-lib';
import * as codedeploy from 'aws-cdk-lib/aws-codedeploy';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';

import type { FunctionDescription } from '../topology/model.ts';
import { beforeTrafficFunction } from './before-traffic-function.ts';
import { addCanaryAlarm } from './canaries.ts';
import type { FunctionFactory, VersionedFunction } from './functions.ts';
import { arnOf, makeFunctionName, named, pascal } from './names.ts';
import type { StageSettings } from './settings.ts';

/** Adds the function that CodeDeploy invokes before a new version gets traffic. Both stacks with aliases use it. */
export function addBeforeTraffic(stack: Stack, functions: FunctionFactory, { stage, protect }: StageSettings): void {
  if (!protect) return;
  const [versions, groups] = [`function:${named(stage, '*')}`, `deploymentgroup:${named(stage, '*')}`];
  functions.add(beforeTrafficFunction, [
    new iam.PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [arnOf('lambda', versions)] }),
    new iam.PolicyStatement({
      actions: [
        'codedeploy:GetDeploymentTarget',
        'codedeploy:ListDeploymentTargets',
        'codedeploy:PutLifecycleEventHookExecutionStatus',
      ],
      resources: [arnOf('codedeploy', groups)],
    }),
  ]);
  for (const [service, resource] of [
    ['lambda', versions],
    ['codedeploy', groups],
  ]) {
    Validations.of(stack.node.findChild(`${pascal(beforeTrafficFunction.name)}Role`)).acknowledge({
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:${service}:<AWS::Region>:<AWS::AccountId>:${resource}]`,
      reason: 'The functions and deployment groups of this stage only. A version has its number when it is deployed.',
    });
  }
}

/** Deploys new versions of a function. */
export type Roll = (deployed: VersionedFunction, description: Pick<FunctionDescription, 'name'>) => void;

/**
 * Adds the deployments of a stack. In a protected stage a new version gets a tenth of the calls first. It is called before it gets any, and rolled back
 * if the function's own alarm is active: one alarm of all functions would roll back those that work, and not show that a small one
 * fails. In a preview new versions replace the former ones at once.
 */
export function addDeployments(stack: Stack, { stage, protect, rollback }: StageSettings): Roll {
  if (!protect) return () => undefined;
  const hook = arnOf('lambda', `function:${makeFunctionName(stage, beforeTrafficFunction.name)}`);
  // A deployment group grants its hook what it needs, which the role of the function has already.
  const hookRole = iam.Role.fromRoleName(stack, 'BeforeTrafficRole', 'unused', { mutable: false });
  const shared = {
    application: new codedeploy.LambdaApplication(stack, 'Deployments', { applicationName: stack.stackName }),
    role: addRole(stack, hook),
    preHook: lambda.Function.fromFunctionAttributes(stack, 'BeforeTraffic', { functionArn: hook, role: hookRole }),
    deploymentConfig: codedeploy.LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
    autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: rollback },
  };
  return (deployed, { name }) => {
    const alarm = addCanaryAlarm(deployed, makeFunctionName(stage, name));
    new codedeploy.LambdaDeploymentGroup(deployed.fn, 'Rollout', {
      ...shared,
      alias: deployed.alias,
      alarms: rollback ? [alarm] : [],
    });
  };
}

/** The role of CodeDeploy. @param hook the ARN of the function that it invokes before traffic */
function addRole(stack: Stack, hook: string): iam.IRole {
  const role = new iam.Role(stack, 'DeploymentsRole', {
    assumedBy: new iam.ServicePrincipal('codedeploy.amazonaws.com'),
    managedPolicies: [iam.ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited')],
    // The managed policy allows hooks by a prefix of their names.
    inlinePolicies: {
      hook: new iam.PolicyDocument({
        statements: [new iam.PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [hook] })],
      }),
    },
  });
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
    reason: "AWS's own policy for CodeDeploy on Lambda; what CodeDeploy calls is its business and may change.",
  });
  // The role names the function by a text, and the stack that adds the function must do so first.
  const fn = stack.node.tryFindChild(pascal(beforeTrafficFunction.name));
  if (fn !== undefined) role.node.addDependency(fn);
  return role.withoutPolicyUpdates();
}
