import { beforeEach, test } from '@jest/globals';

import { reset } from '../../support/service.ts';
import { walkTrees } from './trees.ts';

beforeEach(() => reset({ calm: true }));

test('no token and no validation contains a permission that the delegating agent, the blueprint or the user does not have', async () => {
  await walkTrees(5, 14);
}, 120_000);
