import { noPermissions } from '../topology/access.ts';
import type { FunctionDescription } from '../topology/model.ts';
import { commonVariables } from '../topology/resources.ts';

/**
 * The function that computes for CloudFormation the digests of the secrets by which CloudFront authenticates itself. It
 * runs when the secrets change.
 */
export const edgeDigestsFunction: Omit<FunctionDescription, 'source'> = {
  name: 'stage-edge-digests',
  area: 'stage',
  entry: { file: 'functions/stage/stage/handler.ts', export: 'edgeDigests' },
  summary: 'Works out the digests of the secrets by which CloudFront proves itself.',
  needs: [],
  permissions: noPermissions,
  variables: [...commonVariables],
  timeoutSeconds: 60,
  memoryMb: 256,
};
