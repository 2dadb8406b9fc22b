import { CfnOutput, Duration, type Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Trigger } from 'aws-cdk-lib/triggers';

import { firstKeyFunction } from './first-key-function.ts';
import type { FunctionFactory } from './functions.ts';

/** Adds the function and its run in the deployment. */
export function addFirstKey(stack: Stack, functions: FunctionFactory, secretArn: string): void {
  const secret = new iam.PolicyStatement({
    actions: ['secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'],
    resources: [secretArn],
  });
  const { fn } = functions.add(firstKeyFunction, [secret]);
  new Trigger(stack, 'FirstKey', { handler: fn, timeout: Duration.seconds(firstKeyFunction.timeoutSeconds) });
  new CfnOutput(stack, 'FirstKeySecretArn', {
    value: secretArn,
    description: 'Secret with the first environment: { environment_id, client_id, api_key }.',
  });
}
