import type { LogLine } from '../../kernel/http/operators-log.ts';

/** A message of the audit-logs queue. */
export type Work = WorkOrder & {
  /** Number of times it was postponed because a part of the service did not respond. */
  put_back?: number;
};

/** Work that a schedule finds in the table of an environment. */
export type DueWork = Exclude<Work, { kind: 'record' }>;

type WorkOrder =
  /** Record a line of the operators' log, which the kernel left in the outbox. */
  | { kind: 'record'; line: LogLine }
  /** Seal the hours of an organization that have ended, from this one on. */
  | { kind: 'seal'; environment_id: string; organization_id: string; from: string }
  /** Make an export. */
  | { kind: 'export'; environment_id: string; id: string }
  /** Expire an export. */
  | { kind: 'end-export'; environment_id: string; id: string }
  /** End an export of a list: delete its file, or fail it if no run has finished it. */
  | { kind: 'end-list-export'; environment_id: string; id: string }
  /** Erase events that are past an organization's retention. */
  | { kind: 'retain'; environment_id: string; organization_id: string }
  /** Deliver an organization's events to its log stream. */
  | { kind: 'stream'; environment_id: string; organization_id: string };
