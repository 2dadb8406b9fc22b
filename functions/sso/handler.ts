import { httpEntry } from '../kernel/http/entry.ts';
import { eventEntry } from '../kernel/http/worker.ts';
import { performWork } from '../kernel/storage/work.ts';
import { ssoArea } from './area.ts';
import { connectionRemoval, removeConnection } from './connection/removal-operations.ts';

export const http = httpEntry(ssoArea);

export const work = eventEntry('sso-work', (detail) => performWork(detail, [connectionRemoval.by(removeConnection)]));
