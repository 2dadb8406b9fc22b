import { html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { bulkPages } from '../bulk/pages.ts';
import { type Act, call, type ConsolePage } from '../page/declare.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { listPage } from '../view/list-page.ts';
import type { List } from '../view/parts.ts';
import { code, record, state, when } from '../view/values.ts';

interface Invitation {
  id: string;
  email: string;
  state: string;
  organization_id: string | null;
  inviter_user_id: string | null;
  role_slug?: string | null;
  expires_at: string;
  created_at: string;
}

/** The invitations to an address that can be changed. */
const ofAddress = {
  by: 'address' as const,
  call: (email: string) => call('invitations.list', {}, { email, limit: 100 }),
  list: (body: unknown) =>
    (body as List<Invitation>).data.filter((each) => each.state === 'pending').map(({ id }) => ({ id, label: '' })),
};

const resend: Act = {
  name: 'resend',
  label: 'Resend',
  operation: 'invitations.resend',
  call: ({ id }) => call('invitations.resend', { id }),
  done: 'The invitation is sent again, with a new link.',
  bulk: {
    record: 'invitation',
    plural: 'invitations',
    ofAddress,
    effect: 'Sends each invitation again, with a new link. The former links stop working.',
  },
};

const revoke: Act = {
  name: 'revoke',
  label: 'Revoke',
  operation: 'invitations.revoke',
  call: ({ id }) => call('invitations.revoke', { id }),
  done: 'The invitation is revoked. Its link no longer works.',
  bulk: {
    record: 'invitation',
    plural: 'invitations',
    ofAddress,
    effect: 'The link of each invitation stops working. It cannot be undone.',
    isDanger: true,
    isRepeatable: true,
  },
};

/** Invitations and their states; never their links. */
const invitationsPage = listPage<Invitation>({
  path: 'e/{environment}/invitations',
  title: 'Invitations',
  permission: 'people.read',
  menu: { group: 'People', shortcut: 'i' },
  operation: 'invitations.list',
  filters: [
    { name: 'email', label: 'Email address', type: 'email', isWide: true },
    { name: 'organization_id', label: 'Organization id', placeholder: 'org_…' },
  ],
  idPrefix: 'invitation',
  columns: (visit) => [
    { title: 'Email', cell: (each) => html`${each.email}<small>${code(each.id)}</small>` },
    { title: 'State', cell: (each) => state(each.state) },
    { title: 'Organization', cell: (each) => record(visit, each.organization_id) },
    { title: 'Role', cell: (each) => each.role_slug },
    { title: 'Invited', look: 'when', cell: (each) => when(each.created_at) },
    { title: 'Expires', look: 'when', cell: (each) => when(each.expires_at) },
    {
      title: 'Change',
      cell: (each) =>
        each.state === 'pending' &&
        html`<div class="actions">
          ${renderAct(visit, resend, { fields: { id: each.id }, effect: `Sends the invitation to ${each.email} again. The former link stops working.`, of: each.email })}
          ${renderAct(visit, revoke, { fields: { id: each.id }, effect: `The link that ${each.email} has stops working.`, look: 'danger', of: each.email })}
        </div>`,
    },
  ],
  none: 'No invitations yet. POST /user_management/invitations sends the first one.',
  acts: [resend, revoke],
  exported: 'invitations',
  select: ({ id, email, state: now }) => (now === 'pending' ? { id, name: email } : undefined),
});

/** The pages of acts on many invitations. */
const invitationBulkPages = bulkPages({ ...invitationsPage, permission: 'people.read' });

interface Waitlist {
  id: string;
  created_at: string;
}

/** The waitlists. */
const waitlistsPage = listPage<Waitlist>({
  path: 'e/{environment}/waitlists',
  title: 'Waitlists',
  permission: 'people.read',
  menu: { group: 'People' },
  operation: 'waitlists.list',
  isWhole: true,
  columns: (visit) => [
    {
      title: 'Waitlist',
      cell: ({ id }) => html`<a class="mono" href="${addressIn(visit, 'waitlists', id)}">${id}</a>`,
    },
    { title: 'Created', look: 'when', cell: (each) => when(each.created_at) },
  ],
  none: 'No waitlist.',
});

interface Entry {
  id: string;
  email: string;
  state: string;
  approved_at: string | null;
  created_at: string;
}

const decision = {
  record: 'wl_user',
  plural: 'people',
  isRepeatable: true,
  ofAddress: {
    by: 'address' as const,
    call: (email: string, { params }: Visit) => call('waitlist_entries.list', { id: params.id }, { email, limit: 100 }),
    list: (body: unknown) =>
      (body as List<Entry>).data.filter((each) => each.state === 'pending').map(({ id }) => ({ id, label: '' })),
  },
};

const approve: Act = {
  name: 'approve-entry',
  label: 'Approve',
  operation: 'waitlist_entries.approve',
  call: ({ id }) => call('waitlist_entries.approve', { id }),
  done: 'The person is approved.',
  bulk: { ...decision, effect: 'Approves each person, who may sign up from now on.' },
};

const deny: Act = {
  name: 'deny-entry',
  label: 'Deny',
  operation: 'waitlist_entries.deny',
  call: ({ id }) => call('waitlist_entries.deny', { id }),
  done: 'The person is denied.',
  bulk: { ...decision, effect: 'Denies each person.', isDanger: true },
};

/** The people on a waitlist. */
const waitlistPage = listPage<Entry>({
  path: 'e/{environment}/waitlists/{id}',
  title: 'Waitlist',
  permission: 'people.read',
  parent: 'e/{environment}/waitlists',
  operation: 'waitlist_entries.list',
  params: ({ params }) => ({ id: params.id ?? '' }),
  filters: [
    { name: 'email', label: 'Email address', type: 'email', isWide: true },
    { name: 'state', label: 'State', options: ['pending', 'approved', 'denied'] },
  ],
  idPrefix: 'wl_user',
  columns: () => [
    { title: 'Email', cell: (each) => each.email },
    { title: 'State', cell: (each) => state(each.state) },
    { title: 'Joined', look: 'when', cell: (each) => when(each.created_at) },
    { title: 'Approved', look: 'when', cell: (each) => when(each.approved_at) },
  ],
  none: 'This waitlist is empty.',
  acts: [approve, deny],
  select: ({ id, email, state: now }) => (now === 'pending' ? { id, name: email } : undefined),
});

/** The pages of acts on many people of a waitlist. */
const waitlistBulkPages = bulkPages({ ...waitlistPage, permission: 'people.read' });

/** Invitations, and the waitlists with their people. */
export const invitationPages: readonly ConsolePage[] = [
  invitationsPage,
  ...invitationBulkPages,
  waitlistsPage,
  waitlistPage,
  ...waitlistBulkPages,
];
