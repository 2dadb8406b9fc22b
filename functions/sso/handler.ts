import { httpEntry } from '../kernel/http/entry.ts';
import { eventEntry, scheduleEntry } from '../kernel/http/worker.ts';
import { performWork } from '../kernel/storage/work.ts';
import { ssoArea } from './area.ts';
import { connectionRemoval, removeConnection } from './connection/removal-operations.ts';
import { timeOutSignIns as timeOut } from './sign-in/time-out.ts';

export const http = httpEntry(ssoArea);

export const work = eventEntry('sso-work', (detail) => performWork(detail, [connectionRemoval.by(removeConnection)]));

export const timeOutSignIns = scheduleEntry('sso-time-out-sign-ins', timeOut);
