import { noPermissions } from '../topology/access.ts';
import type { FunctionDescription } from '../topology/model.ts';
import { commonVariables } from '../topology/resources.ts';

/** Calls each new version of a function before it gets traffic, on behalf of CodeDeploy. */
export const beforeTrafficFunction: Omit<FunctionDescription, 'source'> = {
  name: 'stage-before-traffic',
  area: 'stage',
  entry: { file: 'functions/stage/stage/handler.ts', export: 'beforeTraffic' },
  summary: 'Calls a new version of a function before it gets traffic.',
  needs: [],
  permissions: noPermissions,
  variables: [...commonVariables],
  timeoutSeconds: 120,
  memoryMb: 256,
};
