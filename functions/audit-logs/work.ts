/** A message of the audit-logs queue. */
export type Work = WorkOrder & {
  /** Times it was put back because a part of the service did not answer. */
  put_back?: number;
};

type WorkOrder =
  /** Seal the hours of an organization that are over, from this one on. */
  | { kind: 'seal'; environment_id: string; organization_id: string; from: string }
  /** Make an export. */
  | { kind: 'export'; environment_id: string; id: string }
  /** End an export. */
  | { kind: 'end-export'; environment_id: string; id: string }
  /** Erase what is past an organization's retention. */
  | { kind: 'retain'; environment_id: string; organization_id: string }
  /** Send an organization's events on to its log stream. */
  | { kind: 'stream'; environment_id: string; organization_id: string };
