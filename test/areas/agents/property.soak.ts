import { beforeEach, test } from '@jest/globals';

import { reset } from '../../support/service.ts';
import { walkTrees } from './trees.ts';

beforeEach(() => reset({ calm: true }));

test('in 200 random walks of up to 40 steps no token and no validation has a permission that a parent, the blueprint or the user lacks', async () => {
  await walkTrees(200, 40);
}, 1_800_000);
