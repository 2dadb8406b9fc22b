import type { Reading } from '../../../../kernel/storage/range.ts';
import type { Window } from '../../../../kernel/storage/window.ts';
import { type InvitationRecord, invitations } from './entity.ts';

/** The filter of a list of invitations. */
export interface InvitationFilter {
  organizationId?: string | undefined;
  /** The email address, normalized by `normalizeEmail`. */
  email?: string | undefined;
}

/** Number of records in each read, and maximum number of reads, if an index covers only a part of the filter. */
const ROWS_PER_READ = 100;
const MAX_READS = 10;

/**
 * The invitations of a page, by one Query of the index that the filter names. With both members the invitations to the
 * address are read, and those to other organizations are left out. An address has few invitations; after a thousand the
 * page is returned even if it is short.
 */
export async function findInvitations(
  environmentId: string,
  { organizationId, email }: InvitationFilter,
  window: Window,
): Promise<Reading<InvitationRecord>> {
  if (email === undefined) {
    return organizationId === undefined
      ? invitations.list('byCreation', { environmentId }).toPage(window)
      : invitations.list('byOrganization', { environmentId, organizationId }).toPage(window);
  }
  if (organizationId === undefined) return invitations.list('byEmail', { environmentId, email }).toPage(window);
  const records: InvitationRecord[] = [];
  let { after } = window;
  for (let read = 0; read < MAX_READS; read += 1) {
    const next = { scan: window.scan, limit: ROWS_PER_READ, ...(after === undefined ? {} : { after }) };
    const found = await invitations.list('byEmail', { environmentId, email }).toPage(next);
    records.push(...found.records.filter((record) => record.organizationId === organizationId));
    after = found.reached;
    if (after === undefined || records.length >= window.limit) break;
  }
  return { records, ...(after === undefined ? {} : { reached: after }) };
}
