import type { FunctionDescription } from '../topology/model.ts';
import { commonVariables, variablesOfNeed } from '../topology/resources.ts';

/** Hands over the stage's first API key: runs at the end of each deployment that changes it, and repeats harmlessly. */
export const firstKeyFunction: Omit<FunctionDescription, 'source'> = {
  name: 'stage-first-key',
  area: 'stage',
  entry: { file: 'functions/stage/handler.ts', export: 'firstKey' },
  summary: 'Creates the first environment and its API key, and leaves the key in Secrets Manager.',
  needs: ['table'],
  variables: [...commonVariables, ...variablesOfNeed.table, 'GATEHOUSE_FIRST_KEY_SECRET'],
  timeoutSeconds: 60,
  memoryMb: 512,
};
