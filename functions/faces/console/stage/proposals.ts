import { html } from '../../../kernel/pages/html.ts';
import { OPERATIONS } from '../operation-table.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call, consolePage } from '../page/declare.ts';
import { matchPath } from '../page/router.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { listPage } from '../view/list-page.ts';
import { facts, frame, members, panel } from '../view/parts.ts';
import { code, dump, state, when } from '../view/values.ts';

interface Person {
  id: string;
  name: string | null;
}

interface Proposal {
  id: string;
  operation: string;
  method: string;
  path: string;
  reason: string;
  state: string;
  author: Person;
  decided_by: Person | null;
  expires_at: string;
  created_at: string;
  query: unknown;
  body: unknown;
  records: unknown;
  dry_run: unknown;
}

const approve: Act = {
  name: 'approve',
  label: 'Approve',
  operation: 'proposals.approve',
  call: (_, { params: { id } }) => call('proposals.approve', { id }),
  done: 'The proposal is approved. Its author can carry it out within 24 hours.',
};

const decline: Act = {
  name: 'decline',
  label: 'Decline',
  operation: 'proposals.decline',
  call: (_, { params: { id } }) => call('proposals.decline', { id }),
  done: 'The proposal is declined.',
};

/** The members of a JSON object in a form; none for any other text. */
function readObject(text = ''): Record<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, string>) : undefined;
  } catch {
    return undefined;
  }
}

/** Makes the approved call. The API accepts no other one with this proposal, whatever the form has. */
const carryOut: Act = {
  name: 'carry-out',
  label: 'Carry out',
  operation: 'form',
  call({ operation = '', path = '', query, body }) {
    const pattern = OPERATIONS[operation]?.[1] ?? '';
    const params = matchPath(pattern.slice(1), path.slice(1).split('/')) ?? {};
    return call(operation, params, readObject(query) ?? {}, readObject(body));
  },
  headers: (_, { params: { id = '' } }) => ({ 'gatehouse-proposal': id }),
  done: 'The approved call was made.',
};

const LOOKS = { approved: 'good', pending: 'wait', declined: 'bad', expired: 'bad', used: 'plain' } as const;
const renderState = (text: string) => state(text, LOOKS[text as keyof typeof LOOKS]);
const nameOf = (person: Person | null) => person && (person.name ?? person.id);

const proposalsPage = listPage<Proposal>({
  path: 'e/{environment}/proposals',
  title: 'Proposals',
  permission: 'config.read',
  menu: { group: 'Activity' },
  operation: 'proposals.list',
  idPrefix: 'proposal',
  columns: (visit) => [
    {
      title: 'Operation',
      cell: (each) => html`<a href="${addressIn(visit, 'proposals', each.id)}">${each.operation}</a>`,
    },
    { title: 'State', cell: (each) => renderState(each.state) },
    { title: 'Author', cell: (each) => nameOf(each.author) },
    { title: 'Reason', cell: (each) => each.reason },
    { title: 'Until', look: 'when', cell: (each) => when(each.expires_at) },
    { title: 'Created', look: 'when', cell: (each) => when(each.created_at) },
  ],
  none: 'No proposals. An act that needs a second person becomes one: deleting an organization, for example.',
});

function renderActs(visit: Visit, proposal: Proposal) {
  const isOwn = proposal.author.id === visit.operator.id;
  if (proposal.state === 'approved' && isOwn) {
    const { operation, path, query, body } = proposal;
    return renderAct(visit, carryOut, {
      fields: { operation, path, query: JSON.stringify(query ?? {}), body: JSON.stringify(body ?? null) },
      effect: `Makes the call ${proposal.method} ${path} now, once.`,
      look: 'danger',
    });
  }
  if (proposal.state !== 'pending') return undefined;
  return html`${
    !isOwn &&
    renderAct(visit, approve, {
      fields: {},
      effect: `${nameOf(proposal.author)} can then make exactly this call once, within 24 hours.`,
      look: 'danger',
    })
  }
  ${renderAct(visit, decline, { fields: {}, effect: isOwn ? 'Withdraws your proposal.' : 'Rejects the proposal.' })}`;
}

const proposalPage = consolePage({
  path: 'e/{environment}/proposals/{id}',
  title: 'Proposal',
  permission: 'config.read',
  parent: 'e/{environment}/proposals',
  main: 'proposal',
  acts: [approve, decline, carryOut],
  calls: ({ params: { id } }) => ({ proposal: call<Proposal>('proposals.get', { id }) }),
  heading: ({ proposal }) =>
    proposal.state === 'shown'
      ? { title: proposal.value.operation, lead: html`${renderState(proposal.value.state)}${code(proposal.value.id)}` }
      : undefined,
  view: ({ proposal }, visit) =>
    html`<div class="columns">
      <div>
        ${panel(
          'What it concerns, as it was proposed',
          proposal,
          ({ records, body }) =>
            html`<div class="pad">${members(records)}</div>
              ${body !== null && dump(body, 'Body of the call')}`,
        )}
        ${panel('Dry run', proposal, ({ dry_run: rehearsed }) =>
          rehearsed === null
            ? html`<p class="empty">This operation has no dry run.</p>`
            : dump(rehearsed, 'Result of the dry run'),
        )}
      </div>
      <div>
        ${panel('Proposal', proposal, (each) =>
          facts([
            ['Call', html`<code>${each.method} ${each.path}</code>`],
            ['Reason', each.reason],
            ['Author', nameOf(each.author)],
            ['Decided by', nameOf(each.decided_by)],
            ['Until', when(each.expires_at)],
            ['Created', when(each.created_at)],
          ]),
        )}
        ${
          proposal.state === 'shown' &&
          frame(
            'Decision',
            html`<div class="pad actions">
              ${renderActs(visit, proposal.value) ?? html`<p class="hint">There is nothing to decide.</p>`}
            </div>`,
          )
        }
      </div>
    </div>`,
});

/** Calls that wait for a second person, in one environment. */
export const proposalPages = [proposalsPage, proposalPage];
