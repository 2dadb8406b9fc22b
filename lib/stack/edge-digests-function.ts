import type { FunctionDescription } from '../topology/model.ts';
import { commonVariables } from '../topology/resources.ts';

/**
 * Returns to CloudFormation the digests of the secrets with which CloudFront authenticates itself; runs when those
 * change.
 */
export const edgeDigestsFunction: Omit<FunctionDescription, 'source'> = {
  name: 'stage-edge-digests',
  area: 'stage',
  entry: { file: 'functions/stage/handler.ts', export: 'edgeDigests' },
  summary: 'Works out the digests of the secrets by which CloudFront proves itself.',
  needs: [],
  variables: [...commonVariables],
  timeoutSeconds: 60,
  memoryMb: 256,
};
