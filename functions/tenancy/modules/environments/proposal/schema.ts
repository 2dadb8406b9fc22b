import * as z from 'zod';

import { PROPOSAL_STATES } from '../../../../kernel/approvals/declare.ts';
import type { ProposalRecord } from '../../../../kernel/approvals/entity.ts';
import { listSchema, pageMembers } from '../../../../kernel/pagination.ts';
import { timestamp } from '../../../../kernel/values.ts';

export const ListProposals = z.object(pageMembers('proposal'));

const Person = z.object({ id: z.string(), name: z.string().nullable() });

const members = {
  object: z.literal('proposal'),
  id: z.string(),
  operation: z.string().describe('The id of the operation.'),
  method: z.string(),
  path: z.string(),
  permission: z.string().describe('The permission that the operation requires, and that its approval requires too.'),
  reason: z.string(),
  state: z
    .enum([...PROPOSAL_STATES, 'expired'])
    .describe('`approved`: its author may make the call once, until `expires_at`; `used`: it was made.'),
  author: Person,
  decided_by: Person.nullable(),
  expires_at: timestamp,
  created_at: timestamp,
};

const ProposalSummary = z.object(members).meta({ id: 'ProposalSummary' });
export const ProposalList = listSchema(ProposalSummary).meta({ id: 'ProposalList' });
export const Proposal = z
  .object({
    ...members,
    query: z.unknown().describe('The query parameters of the proposed call.'),
    body: z.unknown().describe('The body of the call without its secrets.'),
    records: z.unknown().describe('The records that the call concerns, with their versions when it was proposed.'),
    dry_run: z.unknown().describe('The result of the dry run; null for an operation without one.'),
  })
  .meta({ id: 'Proposal' });

/** A proposal without the input of its call. */
export const presentSummary = (record: ProposalRecord, now: string): z.input<typeof ProposalSummary> => ({
  object: 'proposal',
  id: record.id,
  operation: record.operation,
  method: record.method,
  path: record.path,
  permission: record.permission,
  reason: record.reason,
  state: isOpen(record) && record.endsAt <= now ? 'expired' : record.state,
  author: { id: record.authorId, name: record.authorName ?? null },
  decided_by: record.decidedById === undefined ? null : { id: record.decidedById, name: record.decidedByName ?? null },
  expires_at: record.endsAt,
  created_at: record.createdAt,
});

const isOpen = ({ state }: ProposalRecord): boolean => state === 'pending' || state === 'approved';

/** A proposal with the input of its call. @param input The decrypted input as JSON */
export const presentProposal = (record: ProposalRecord, input: string, now: string): z.input<typeof Proposal> => {
  const { query = null, body = null } = JSON.parse(input) as { query?: unknown; body?: unknown };
  return {
    ...presentSummary(record, now),
    query,
    body,
    records: JSON.parse(record.records) as unknown,
    dry_run: record.rehearsed === undefined ? null : (JSON.parse(record.rehearsed) as unknown),
  };
};
