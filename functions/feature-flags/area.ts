import { area } from '../kernel/area.ts';
import { messages } from '../kernel/http/refusal.ts';
import { listFlagsOfUser } from './flag/operations.ts';

export const featureFlagsArea = area({
  name: 'feature-flags',
  summary: 'Feature flags of users',
  refusals: messages,
  needs: ['table'],
  operations: [listFlagsOfUser],
  workers: [],
});
