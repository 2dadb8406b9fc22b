import { PING } from '../../kernel/http/ping.ts';

/** The request of CodeDeploy to a hook of a deployment. */
export interface HookEvent {
  DeploymentId: string;
  LifecycleEventHookExecutionId: string;
}

/** The calls of AWS that the hook makes. */
export interface DeploymentCalls {
  /** The function of a deployment, and the version that is to get traffic. */
  findVersion(deploymentId: string): Promise<{ functionName: string; version: string }>;
  /** Invokes a version. @returns the error of the function; undefined for success */
  invoke(functionName: string, version: string, event: object): Promise<string | undefined>;
  report(event: HookEvent, status: 'Succeeded' | 'Failed'): Promise<unknown>;
}

/** Number of attempts, so that a dependency that is throttled for a moment does not stop a deployment. */
const TRIES = 3;

/**
 * Calls a new version before it gets traffic, and has CodeDeploy stop the deployment if the call fails.
 * @param wait waits for a number of milliseconds before a further attempt
 * @returns the error of the last attempt; undefined for success
 */
export async function checkVersion(
  event: HookEvent,
  calls: DeploymentCalls,
  wait: (milliseconds: number) => Promise<unknown>,
): Promise<string | undefined> {
  let error: string | undefined;
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    if (attempt > 1) await wait(1_000 * attempt);
    error = await callVersion(event, calls);
    if (error === undefined) break;
  }
  await calls.report(event, error === undefined ? 'Succeeded' : 'Failed');
  return error;
}

async function callVersion({ DeploymentId }: HookEvent, calls: DeploymentCalls): Promise<string | undefined> {
  try {
    const { functionName, version } = await calls.findVersion(DeploymentId);
    return await calls.invoke(functionName, version, PING);
  } catch (error) {
    return String(error);
  }
}
