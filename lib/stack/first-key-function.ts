import access from '../topology/access.json' with { type: 'json' };
import { readPermissions } from '../topology/access.ts';
import type { FunctionDescription } from '../topology/model.ts';
import { commonVariables, variablesOfNeed } from '../topology/resources.ts';

const NAME = 'stage-first-key';

/** Creates the stage's first API key at the end of each deployment that changes it; a repetition has no effect. */
export const firstKeyFunction: Omit<FunctionDescription, 'source'> = {
  name: NAME,
  area: 'stage',
  entry: { file: 'functions/stage/stage/handler.ts', export: 'firstKey' },
  summary: 'Creates the first environment and its API key, and leaves the key in Secrets Manager.',
  needs: ['table'],
  permissions: readPermissions(NAME, access),
  variables: [...commonVariables, ...variablesOfNeed.table, 'GATEHOUSE_FIRST_KEY_SECRET'],
  timeoutSeconds: 60,
  memoryMb: 512,
};
