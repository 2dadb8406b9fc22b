import { httpEntry } from '../../kernel/http/entry.ts';
import { eventEntry } from '../../kernel/http/worker.ts';
import { performWork } from '../../kernel/storage/work.ts';
import { pipesArea } from './area.ts';
import { eraseSomeAccounts, integrationRemoval } from './erasure/work.ts';

export const http = httpEntry(pipesArea);

export const eraseIntegrations = eventEntry('pipes-erase-integrations', (detail) =>
  performWork(detail, [integrationRemoval.by(eraseSomeAccounts)]),
);
