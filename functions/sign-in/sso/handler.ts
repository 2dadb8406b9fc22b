import { httpEntry } from '../../kernel/http/entry.ts';
import { eventEntry, scheduleEntry } from '../../kernel/http/worker.ts';
import { performWork } from '../../kernel/storage/work.ts';
import { ssoArea } from './area.ts';
import { checkConnections as check } from './connection/check.ts';
import { removeOrganizationConnections } from './connection/end-of-organization.ts';
import { connectionRemoval, removeConnection } from './connection/removal.ts';
import { timeOutSignIns as timeOut } from './sign-in/time-out.ts';

export const http = httpEntry(ssoArea);

export const work = eventEntry('sso-work', (detail) =>
  detail.event === 'organization.deleted'
    ? removeOrganizationConnections(detail.environment_id, detail.organization_id ?? '')
    : performWork(detail, [connectionRemoval.by(removeConnection)]),
);

export const checkConnections = scheduleEntry('sso-check-connections', check);

export const timeOutSignIns = scheduleEntry('sso-time-out-sign-ins', timeOut);
