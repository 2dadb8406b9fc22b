import { subscribe } from 'node:diagnostics_channel';

import { type Commit, commits } from '../../../functions/kernel/storage/unit.ts';
import type { RecordChange } from '../../../functions/kernel/storage/write.ts';
import { note } from './record.ts';

/**
 * The test service loads this file first, so that every commit is compared with the collections' declarations about their
 * events (`Announcement` of `kernel/storage/write.ts`). Each finding is recorded once; the reporter in this folder reads
 * them.
 */
const noted = new Set<string>();

subscribe(commits.name, (message) => {
  const commit = message as Commit;
  const { operation, events, changes, isSilent } = commit;
  if (operation !== undefined) for (const { name } of events) once({ kind: 'emission', operation, name });
  if (isSilent) return;
  for (const change of changes) {
    const changed = unannouncedChanges(change, events);
    if (changed.length > 0) {
      once({ kind: 'unannounced', by: operation ?? 'a worker', record: change.kind, changed });
    }
  }
});

function once(seen: Parameters<typeof note>[0]): void {
  const text = JSON.stringify(seen);
  if (!noted.has(text)) note(seen);
  noted.add(text);
}

/** The changes of a record that its kind does not declare silent and that no event of the commit reports. */
export function unannouncedChanges(
  { id, announcement, changed }: RecordChange,
  events: Commit['events'],
): readonly string[] {
  if (typeof announcement === 'string') return [];
  const silent: readonly string[] = announcement.silent ?? [];
  const announced = changed.filter((name) => !silent.includes(name));
  const isAnnounced = events.some(
    ({ name, data }) => (announcement.events as readonly string[]).includes(name) && isAbout(id, data),
  );
  return isAnnounced ? [] : announced;
}

/**
 * Reports whether an event is about a record: it contains the record's id, or belongs to a kind whose events contain none.
 */
function isAbout(id: string, data: unknown): boolean {
  const text = JSON.stringify(data);
  return text.includes(JSON.stringify(id)) || !text.includes('"id":');
}
