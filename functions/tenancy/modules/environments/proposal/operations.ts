import { isPending, stageDecision } from '../../../../kernel/approvals/decide.ts';
import { type ProposalRecord, proposals, proposalScope } from '../../../../kernel/approvals/entity.ts';
import { operatorOnly, operatorRequired } from '../../../../kernel/authentication/operator-only.ts';
import { operatorPermissionRequired } from '../../../../kernel/authentication/operator-permission.ts';
import type { Caller } from '../../../../kernel/authentication/caller.ts';
import { clock } from '../../../../kernel/clock.ts';
import { declareError, Failure, notFound, orFail } from '../../../../kernel/errors.ts';
import { envelopes } from '../../../../kernel/keys/shared.ts';
import { operation } from '../../../../kernel/operation.ts';
import { readPage } from '../../../../kernel/pagination.ts';
import { ListProposals, presentProposal, presentSummary, Proposal, ProposalList } from './schema.ts';

const PATH = '/x/platform/stage/proposals';
const proposalNotFound = declareError({
  ...notFound('proposal'),
  message: `There is no such proposal in this environment. GET ${PATH} lists them.`,
});

const ownProposal = declareError({
  status: 403,
  code: 'own_proposal',
  message:
    'No operator approves their own proposal. Ask another owner or, if the stage has only one, run "npm run operators -- approve".',
});

const proposalDecided = declareError({
  status: 409,
  code: 'proposal_decided',
  message: 'The proposal was decided or has expired. Propose the call again.',
});

const shared = { auth: operatorOnly, emits: [], idempotency: 'none' } as const;

async function readProposal(record: ProposalRecord) {
  const { environmentId, id } = record;
  const input = await envelopes().openText(proposalScope(environmentId), id, record.sealed as Uint8Array);
  return presentProposal(record, input, clock.timestamp());
}

const listProposals = operation({
  ...shared,
  id: 'proposals.list',
  method: 'GET',
  path: PATH,
  summary: 'List the proposals of the environment',
  description:
    'Only for operators. Proposals are calls that another operator has to approve. They are kept for 90 days.',
  operator: 'config.read',
  query: ListProposals,
  responses: { 200: ProposalList },
  errors: [operatorRequired],
  async handle({ environmentId, query }) {
    const now = clock.timestamp();
    const page = await readPage(
      query,
      (window) => proposals.list('byCreation', { environmentId }).toPage(window),
      (record) => presentSummary(record, now),
    );
    return { status: 200, body: page };
  },
});

const getProposal = operation({
  ...shared,
  id: 'proposals.get',
  method: 'GET',
  path: `${PATH}/{id}`,
  summary: 'Get a proposal with the input of its call',
  operator: 'config.read',
  responses: { 200: Proposal },
  errors: [operatorRequired, proposalNotFound],
  async handle({ environmentId, params, fail }) {
    const found = await orFail(proposals.get(environmentId, params.id), () => fail(proposalNotFound));
    return { status: 200, body: await readProposal(found) };
  },
});

/** Checks that an operator has the permission of the proposed operation. @throws Failure 403 */
function requirePermission({ operator }: Caller, { permission }: ProposalRecord): void {
  const permissions: ReadonlySet<string> | undefined = operator?.permissions;
  if (permissions?.has(permission) !== true) throw new Failure(operatorPermissionRequired, { members: { permission } });
}

const approve = operation({
  ...shared,
  id: 'proposals.approve',
  method: 'POST',
  path: `${PATH}/{id}/approve`,
  summary: 'Approve a proposal of another operator',
  description:
    'Only for operators with the permission of the proposed operation. Its author can then make exactly this call once within 24 hours, with ' +
    'the header `Gatehouse-Proposal`.',
  operator: 'destroy',
  responses: { 200: Proposal },
  errors: [operatorRequired, operatorPermissionRequired, proposalNotFound, ownProposal, proposalDecided],
  async handle({ environmentId, caller, params, unit, fail }) {
    const found = await orFail(proposals.get(environmentId, params.id), () => fail(proposalNotFound));
    requirePermission(caller, found);
    if (found.authorId === caller.actor.id) throw fail(ownProposal);
    if (!isPending(found)) throw fail(proposalDecided);
    return { status: 200, body: await readProposal(stageDecision(unit, found, 'approved', caller.actor)) };
  },
});

const decline = operation({
  ...shared,
  id: 'proposals.decline',
  method: 'POST',
  path: `${PATH}/{id}/decline`,
  summary: 'Decline a proposal, or withdraw one of your own',
  operator: 'destroy',
  responses: { 200: Proposal },
  errors: [operatorRequired, operatorPermissionRequired, proposalNotFound, proposalDecided],
  async handle({ environmentId, caller, params, unit, fail }) {
    const found = await orFail(proposals.get(environmentId, params.id), () => fail(proposalNotFound));
    requirePermission(caller, found);
    if (!isPending(found)) throw fail(proposalDecided);
    return { status: 200, body: await readProposal(stageDecision(unit, found, 'declined', caller.actor)) };
  },
});

export const proposalOperations = [listProposals, getProposal, approve, decline] as const;
