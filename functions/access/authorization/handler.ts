import { httpEntry } from '../../kernel/http/entry.ts';
import { eventEntry, scheduleEntry } from '../../kernel/http/worker.ts';
import { performWork } from '../../kernel/storage/work.ts';
import { authorizationArea } from './area.ts';
import { removeGrantsFor } from './assignment/cleanup.ts';
import { removeSubtree, removeType, sweepAfterDeletions } from './resource/sweep.ts';

export const http = httpEntry(authorizationArea);

export const removeSubtrees = eventEntry('authorization-remove-subtrees', (detail) =>
  performWork(detail, [removeSubtree, removeType]),
);

export const removeGrants = eventEntry('authorization-remove-grants', ({ environment_id, data }) =>
  removeGrantsFor(environment_id, (data as { id: string }).id),
);

export const tend = scheduleEntry('authorization-tend', sweepAfterDeletions);
