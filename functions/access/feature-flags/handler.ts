import { httpEntry } from '../../kernel/http/entry.ts';
import { eventEntry } from '../../kernel/http/worker.ts';
import { performWork } from '../../kernel/storage/work.ts';
import { featureFlagsArea } from './area.ts';
import { leaveFlags } from './target/leave.ts';
import { removeTargets } from './target/remove.ts';
import { flagRemoval } from './flag/entity.ts';

export const http = httpEntry(featureFlagsArea);

export const work = eventEntry('feature-flags-work', (detail) => performWork(detail, [flagRemoval.by(removeTargets)]));

export const leave = eventEntry('feature-flags-leave', leaveFlags);
