import { call } from '../../support/service.ts';
import { findEmail, type Step } from './history-steps.ts';
import { MEMBERSHIPS, pickAddress, pickDomain, setSsoPolicy } from './history-world.ts';
import { PASSWORD } from './tenants.ts';

const ROLES = ['member', 'admin'];

/** Steps of random histories: what the application and administrators do by calls, and the acceptance of invitations. */

export const changeMembership: Step = async (history) => {
  const { by, world, state, ledger } = history;
  const userId = by.pick([...state.people.keys()]);
  const { id: organizationId, name } = by.pick(world.organizations);
  const key = `${organizationId}|${userId}`;
  const known = state.members.get(key);
  const act = known === undefined ? 'add' : by.pick(['deactivate', 'reactivate', 'remove']);
  const path = `${MEMBERSHIPS}/${known?.id ?? ''}`;
  const { status } =
    act === 'add'
      ? await call('POST', MEMBERSHIPS, { user_id: userId, organization_id: organizationId })
      : act === 'remove'
        ? await call('DELETE', path)
        : await call('PUT', `${path}/${act}`);
  if (status < 300 && (act === 'deactivate' || act === 'remove')) ledger.ended.add(key);
  else if (status < 300) ledger.ended.delete(key);
  return { what: `the application will ${act} ${findEmail(history, userId)} in ${name}: ${status}` };
};

export const changeAddress: Step = async (history) => {
  const { by, world } = history;
  const userId = by.pick(world.people);
  const [former, email, email_verified] = [findEmail(history, userId), pickAddress(by), !by.isOneIn(4)];
  const { status } = await call('PUT', `/user_management/users/${userId}`, {
    email,
    email_verified,
    password: PASSWORD,
  });
  if (status === 200) history.claimed.delete(userId);
  return { what: `the application changes ${former} to ${email} (${email_verified ? '' : 'not '}proved): ${status}` };
};

export const changeDomain: Step = async ({ by, world, state }) => {
  const { id, name } = by.pick(world.organizations);
  const domain = by.isOneIn(2) ? `${name}.example` : pickDomain(by);
  const own = state.domains.get(id) ?? [];
  const wanted = own.includes(domain) ? own.filter((known) => known !== domain) : [...own, domain];
  const domain_data = wanted.map((known) => ({ domain: known, state: 'verified' }));
  const { status } = await call('PUT', `/organizations/${id}`, { name, domain_data });
  return { what: `${name} ${own.includes(domain) ? 'loses' : 'verifies'} ${domain}: ${status}` };
};

export const requireSso: Step = async ({ by, world }) => {
  const organization = by.pick(world.organizations);
  const required = by.isOneIn(2);
  await setSsoPolicy(world.policies, organization, required);
  return { what: `${organization.name} ${required ? 'requires' : 'does not require'} its connection` };
};

/** No person of a history has a second factor: what the environment requires is then met by an organization's provider for it only. */
export const requireFactor: Step = async ({ by, world: { policies } }) => {
  policies.requiresFactor = !policies.requiresFactor && by.isOneIn(3);
  const { status } = await call('PUT', '/x/authentication/settings', {
    mfa: policies.requiresFactor ? 'required' : by.pick(['off', 'optional']),
  });
  return { what: `the environment ${policies.requiresFactor ? 'requires' : 'does not require'} a factor: ${status}` };
};

export const changeRole: Step = async (history) => {
  const { by, state } = history;
  const key = by.pick([...state.members.keys()]);
  const role_slug = by.pick(ROLES);
  const { status } = await call('PUT', `${MEMBERSHIPS}/${state.members.get(key)?.id ?? ''}`, { role_slug });
  return { what: `the application gives ${key} the role ${role_slug}: ${status}` };
};

/** The application unlinks an account at a connection from a person. */
export const unlink: Step = async (history) => {
  const { by, world, ledger } = history;
  const [organization = '', subject, userId = by.pick(world.people)] = by.pick([...ledger.links, '']).split('|');
  const path = `/x/user-management/users/${userId}/sso_identities`;
  const { body } = await call<{ data: { id: string; organization_id: string; idp_id: string }[] }>('GET', path);
  const found = body.data.find((link) => link.organization_id === organization && link.idp_id === subject);
  if (found === undefined) return { what: 'nothing to unlink' };
  const { status } = await call('DELETE', `${path}/${found.id}`);
  for (const link of ledger.links)
    if (link.startsWith(`${organization}|${subject}|${userId}|`)) ledger.links.delete(link);
  return { what: `the application unlinks "${subject}" from ${findEmail(history, userId)}: ${status}` };
};

/** Stops all agents of an organization or a person, or lifts the stop. */
export const stopAgents: Step = async ({ by, world, stopped }) => {
  const [target, target_id] = by.isOneIn(2)
    ? ['organization', by.pick(world.organizations).id]
    : ['user', by.pick(world.people)];
  const act = stopped.has(target_id) ? 'lift' : 'stop';
  const { status } = await call('POST', `/x/agents/${act}`, { target, target_id, reason: 'A history' });
  if (act === 'lift') stopped.delete(target_id);
  else stopped.add(target_id);
  return { what: `${act} agents of ${target_id}: ${status}` };
};

/** A connection that asks for a factor shows a page before the session: the browser stays signed in by the organization's word. */
export const askFactor: Step = async ({ by, world }) => {
  const { connectionId, name } = by.pick(world.organizations.filter((known) => known.connectionId !== undefined));
  const second_factor = by.pick(['ask', 'trust'] as const);
  const { status } = await call('PATCH', `/x/connections/${connectionId ?? ''}`, { settings: { second_factor } });
  return { what: `the connection of ${name} asks for ${second_factor}: ${status}` };
};

export const invite: Step = async (history) => {
  const { by, world, invitations } = history;
  const { id: organizationId, name } = by.pick(world.organizations);
  const email = findEmail(history, by.pick(world.people));
  const made = await call<{ id: string; token: string }>('POST', '/user_management/invitations', {
    email,
    organization_id: organizationId,
  });
  if (made.status === 201) invitations.unshift({ ...made.body, organizationId, email });
  return { what: `${email} is invited to ${name}: ${made.status}` };
};

/** A person accepts an invitation of the application or of the directory. */
export const accept: Step = async (history) => {
  const { by, world, ledger } = history;
  const userId = by.pick(world.people);
  const email = findEmail(history, userId);
  const query = `email=${encodeURIComponent(email)}`;
  const { body } = await call<{ data: { id: string; state: string; organization_id: string }[] }>(
    'GET',
    `/user_management/invitations?${query}`,
  );
  const open = body.data.filter(({ state }) => state === 'pending');
  if (open.length === 0) return { what: 'nothing to accept', words: { organizations: [] } };
  const { id, organization_id } = by.pick(open);
  const { status } = await call('POST', `/user_management/invitations/${id}/accept`, { user_id: userId });
  if (status === 200) ledger.ended.delete(`${organization_id}|${userId}`);
  return {
    what: `${email} accepts an invitation: ${status}`,
    words: { person: userId, organizations: [], accepted: organization_id },
  };
};
