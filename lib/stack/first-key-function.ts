import type { FunctionDescription } from '../topology/model.ts';
import { commonVariables, variablesOfNeed } from '../topology/resources.ts';

/** Creates the stage's first API key at the end of each deployment that changes it; a repetition has no effect. */
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
