import { httpEntry } from '../../kernel/http/entry.ts';
import { eventEntry, scheduleEntry } from '../../kernel/http/worker.ts';
import { performWork } from '../../kernel/storage/work.ts';
import { agentsArea } from './area.ts';
import { expireRegistrations } from './registration/end.ts';
import { endStep, sessionsEnd } from './work/end.ts';
import { endDelegated } from './work/react.ts';

export const http = httpEntry(agentsArea);

/** The Lambda entry of the worker that removes the sessions and instances of deleted or stopped records. */
export const work = eventEntry('agents-work', (detail) => performWork(detail, [sessionsEnd.by(endStep)]));

/** The Lambda entry of the worker that ends sessions which users' sessions and memberships delegated. */
export const react = eventEntry('agents-react', endDelegated);

/** The Lambda entry of the scheduled worker that expires registrations. */
export const expire = scheduleEntry('agents-expire', expireRegistrations);
