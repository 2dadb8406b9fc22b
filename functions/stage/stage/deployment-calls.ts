import { createRequire } from 'node:module';

import type { DeploymentCalls } from './before-traffic.ts';

/** The parts of the SDK's clients of CodeDeploy and Lambda that the hook of a deployment uses. */
interface CodeDeploy {
  listDeploymentTargets(input: { deploymentId: string }): Promise<{ targetIds?: string[] }>;
  getDeploymentTarget(input: { deploymentId: string; targetId: string | undefined }): Promise<{
    deploymentTarget?: {
      lambdaTarget?: { lambdaFunctionInfo?: { functionName?: string; targetVersion?: string } };
    };
  }>;
  putLifecycleEventHookExecutionStatus(input: {
    deploymentId: string;
    lifecycleEventHookExecutionId: string;
    status: string;
  }): Promise<unknown>;
}
interface Lambda {
  invoke(input: {
    FunctionName: string;
    Qualifier: string;
    Payload: string;
  }): Promise<{ FunctionError?: string; Payload?: Uint8Array }>;
}

/** The calls with the clients that the Lambda runtime contains, like those of Secrets Manager. */
export function deploymentCalls(): DeploymentCalls {
  const load = createRequire(import.meta.url) as (name: string) => Record<string, new () => unknown>;
  const make = <T>(service: string, name: string): T => new (load(`@aws-sdk/client-${service}`)[name] as new () => T)();
  return makeDeploymentCalls(make<CodeDeploy>('codedeploy', 'CodeDeploy'), make<Lambda>('lambda', 'Lambda'));
}

/** The calls with given clients. */
export function makeDeploymentCalls(codeDeploy: CodeDeploy, lambda: Lambda): DeploymentCalls {
  return {
    findVersion: async (deploymentId) => {
      const { targetIds = [] } = await codeDeploy.listDeploymentTargets({ deploymentId });
      const [targetId] = targetIds;
      const { deploymentTarget } = await codeDeploy.getDeploymentTarget({ deploymentId, targetId });
      const { functionName, targetVersion } = deploymentTarget?.lambdaTarget?.lambdaFunctionInfo ?? {};
      if (functionName === undefined || targetVersion === undefined)
        throw new Error(`The deployment ${deploymentId} names no version`);
      return { functionName, version: targetVersion };
    },
    invoke: async (FunctionName, Qualifier, event) => {
      const { FunctionError, Payload } = await lambda.invoke({
        FunctionName,
        Qualifier,
        Payload: JSON.stringify(event),
      });
      return (
        FunctionError &&
        `${FunctionError}: ${Buffer.from(Payload ?? [])
          .toString()
          .slice(0, 1_000)}`
      );
    },
    report: (event, status) =>
      codeDeploy.putLifecycleEventHookExecutionStatus({
        deploymentId: event.DeploymentId,
        lifecycleEventHookExecutionId: event.LifecycleEventHookExecutionId,
        status,
      }),
  };
}
