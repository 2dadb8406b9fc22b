import { accountAddress } from '../../support/account.ts';
import { type Browser, browser, type Page } from '../../support/browser.ts';
import { call, service } from '../../support/service.ts';
import { newScimUser, patch } from '../directory-sync/scim.ts';
import { redeem, startUrl } from '../sso/identity-provider.ts';
import { covers, type Entered, findEntry, findReach, type Ledger, type State, type Words } from './history-oracle.ts';
import { type Organization, pickAddress, type Random, readState, type World } from './history-world.ts';
import { arrive, type Granted, PASSWORD, readResult, refresh, signInByPassword } from './tenants.ts';

/** Steps of random histories: sign-ins, refreshes, and what providers and directories send. */

export interface Session {
  refreshToken: string;
  sessionId: string;
  accessToken?: string;
  words: Words;
  entered: Entered;
  /** True for the tokens of an agent, to which a session delegated. */
  isAgent?: boolean;
  /** True once the membership has ended in which it is. */
  isOver?: boolean;
}

/** The claims of an access token, which are not verified. */
export const readToken = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    sid: string;
    org_id?: string;
    role?: string;
  };

/** The claims of an organization's provider about a person. */
interface Identity {
  organization: Organization;
  email: string;
  subject: string;
}

/** A sign-in through a connection that waits for the person's own. */
interface Waiting extends Identity {
  page: Page;
  person: Browser;
  invitedTo: string | undefined;
}

export interface History {
  by: Random;
  world: World;
  state: State;
  ledger: { ended: Set<string>; links: Set<string> } & Ledger;
  sessions: Session[];
  waiting: Waiting[];
  /** The identities for which a person completed a sign-in: their providers send them again. */
  linked: Identity[];
  invitations: { id: string; token: string; organizationId: string; email: string }[];
  directoryUsers: string[];
  /** People whose address its organization proved first: that ends a password which was set before the proof. */
  claimed: Set<string>;
  /** The organizations and people whose agents are stopped. */
  stopped: Set<string>;
}

/** The session that was refreshed, and whether another organization was asked for. */
export interface Renewal {
  session: Session;
  isMoved: boolean;
}

/** The result of a step: who spoke, and the session that it gave. Without `words` the application or an administrator acted. */
export interface Outcome {
  what: string;
  words?: Words;
  granted?: Granted;
  subject?: string;
  renewed?: Renewal;
  /** The session that delegated to an agent, which got the token. */
  agentOf?: Session;
  found?: string[];
}

export type Step = (history: History) => Promise<Outcome>;

async function grant(grant_type: string, members: Record<string, unknown>) {
  const { clientId, apiKey } = await service();
  const body = { client_id: clientId, client_secret: apiKey, grant_type, ...members };
  return call<Granted & { code?: string; pending_authentication_token?: string }>(
    'POST',
    '/user_management/authenticate',
    body,
    { apiKey: null },
  );
}

export const findEmail = ({ state }: History, userId: string): string => state.people.get(userId)?.email ?? '';

/** The session of a browser that has returned to the application, if it has a code. */
async function grantedAt(page: Page): Promise<Granted | undefined> {
  const code = page.url.startsWith('https://app.example.com/') ? readResult(page).code : undefined;
  if (code === undefined) return undefined;
  const { status, body } = await redeem<Granted>(code);
  return status === 200 ? body : undefined;
}

export const signIn: Step = async (history) => {
  const { by, world } = history;
  const person = by.pick(world.people);
  const own = world.organizations.filter(({ id }) => history.state.members.get(`${id}|${person}`)?.status === 'active');
  const { id: organizationId, name } = by.pick(own.length === 0 || by.isOneIn(6) ? world.organizations : own);
  const first = await grant('password', { email: findEmail(history, person), password: PASSWORD });
  const token = first.body.pending_authentication_token;
  const isAsked = first.body.code === 'organization_selection_required';
  const { status, body } = isAsked
    ? await grant('urn:workos:oauth:grant-type:organization-selection', {
        pending_authentication_token: token,
        organization_id: organizationId,
      })
    : first;
  const isLost = first.body.code === 'invalid_credentials' && !history.claimed.has(person);
  const found = isLost ? ['the password no longer signs in'] : [];
  return {
    what: `${findEmail(history, person)} signs in by password to ${isAsked ? name : 'the only organization'}: ${status}`,
    words: { person, organizations: [] },
    found,
    ...(status === 200 && { granted: body }),
  };
};

/** Reports whether the membership for which a person linked an identity is still active. */
const isLive = ({ state, ledger }: History, { organization: { id }, subject }: Identity): boolean =>
  [...state.members].some(
    ([key, member]) =>
      key.startsWith(id) &&
      member.status === 'active' &&
      ledger.links.has(`${id}|${subject}|${key.split('|')[1] ?? ''}|${member.id}`),
  );

/** An identity that a provider sends: one that was linked, a member's, or any other person's, sometimes with a subject of another person. */
function chooseIdentity(history: History): Identity & { isRepeated: boolean } {
  const { by, world, state } = history;
  const linked = history.linked.filter((identity) => isLive(history, identity));
  const known = by.isOneIn(3) && linked.length > 0 ? by.pick(linked) : undefined;
  const connected = world.organizations.filter(({ connectionId }) => connectionId !== undefined);
  const organization = known?.organization ?? by.pick(connected);
  const { id } = organization;
  const members = [...state.members.keys()].filter((key) => key.startsWith(id)).map((key) => key.split('|')[1] ?? '');
  const covered = [...state.people.values()].filter((user) => covers(state, id, user)).map((user) => user.id);
  const among =
    [by.pick([members, members, members, covered]), [...state.people.keys()]].find(({ length }) => length > 0) ?? [];
  const someone = by.isOneIn(8) ? pickAddress(by) : findEmail(history, by.pick(among));
  const email = known?.email ?? someone;
  const isForged = by.isOneIn(7);
  const subject = isForged ? `id of ${pickAddress(by)}` : (known?.subject ?? `id of ${email}`);
  return { organization, email, subject, isRepeated: known !== undefined };
}

/** An identity provider sends any address as any subject; then its browser tries the account page and another organization. */
export const comeThrough: Step = async (history) => {
  const { by, state, invitations } = history;
  const { organization, email, subject, isRepeated } = chooseIdentity(history);
  const { id, connectionId = '', name } = organization;
  const invitation = by.isOneIn(3) ? invitations.find((made) => made.organizationId === id) : undefined;
  const person = browser();
  const attributes = { id: subject, email, firstName: `Forged by ${name}` };
  const query: Record<string, string> = invitation === undefined ? {} : { invitation_token: invitation.token };
  const page = await arrive(connectionId, email, { person, attributes, query });
  const words = { organizations: [id] };
  const isWaiting =
    page.url.includes('/hosted/sign-in') && page.text.includes('name="email"') && !isRepeated && !by.isOneIn(4);
  const invitedTo = invitation?.organizationId;
  if (isWaiting) history.waiting.push({ page, person, organization, email, subject, invitedTo });
  const granted = await grantedAt(page);
  const what = `${name} sends ${email} as "${subject}"${invitation === undefined ? '' : ' with an invitation'}`;
  // A person who is sent with the link of an invitation by the organization that covers the account has accepted it.
  const invited = [...state.people.values()].find((known) => known.email === invitation?.email);
  const isAccepted = invited !== undefined && covers(state, id, invited);
  const all = { ...words, ...(isAccepted && { accepted: id }) };
  const outcome = { what, words: all, subject, ...(granted && { granted }) };
  return isWaiting ? outcome : { ...outcome, found: await explore(history, person, words, { page, email, subject }) };
};

/** The account that is linked to a subject at an organization's connection, otherwise the one with the address. */
async function findHolder(
  { people }: State,
  [organization]: readonly string[],
  subject: string,
  email: string,
): Promise<string> {
  for (const id of people.keys()) {
    const path = `/x/user-management/users/${id}/sso_identities`;
    const { body } = await call<{ data: { organization_id: string; idp_id: string }[] }>('GET', path);
    if (body.data.some((link) => link.organization_id === organization && link.idp_id === subject)) return id;
  }
  return [...people.values()].find((known) => known.email === email)?.id ?? '';
}

/** Finds what a browser that an organization's provider has signed in gets without a prompt. */
async function explore(
  history: History,
  person: Browser,
  words: Words,
  { page, email, subject }: { page: Page; email: string; subject: string },
): Promise<string[]> {
  const { by, world } = history;
  const target = by.pick(world.organizations).id;
  const account = await person.open(await accountAddress());
  const url = await startUrl('/user_management/authorize', { provider: 'hosted', organization_id: target });
  const state = await readState(world);
  const silent = await grantedAt(await person.open(url));
  const check = (entered: Entered): string[] => findEntry(state, words, entered, history);
  const isOpen = account.status === 200 && new URL(account.url).pathname.startsWith('/hosted/account');
  const isEnrolling = new URL(page.url).pathname.startsWith('/hosted/mfa/enroll');
  const holder = isOpen || isEnrolling ? await findHolder(state, words.organizations, subject, email) : '';
  return [
    ...(isOpen ? findReach(state, words, holder) : []).map((why) => `an account page ${why}`),
    ...(isEnrolling ? findReach(state, words, holder) : []).map((why) => `an enrolment ${why}`),
    ...(silent === undefined
      ? []
      : check({ userId: silent.user.id, organizationId: silent.organization_id }).map(
          (why) => `a silent sign-in ${why}`,
        )),
  ];
}

export const linkByOwnSignIn: Step = async (history) => {
  const { by, world } = history;
  const at = by.below(history.waiting.length);
  const [waiting] = history.waiting.splice(at, 1);
  if (waiting === undefined) return comeThrough(history);
  const { page, person, organization, email, subject, invitedTo } = waiting;
  const named = [...history.state.people.values()].find((known) => known.email === email);
  const userId = by.isOneIn(5) ? by.pick(world.people) : named?.id;
  if (userId === undefined || !world.people.includes(userId))
    return { what: 'there is no account to sign in', words: { organizations: [] } };
  const done = await signInByPassword(person, page, findEmail(history, userId)).catch(() => page);
  const granted = await grantedAt(done);
  if (granted !== undefined) history.linked.push({ organization, email, subject });
  return {
    what: `${findEmail(history, userId)} signs in, as ${organization.name} asked for "${subject}": ${granted ? 'linked' : done.status}`,
    words: {
      person: userId,
      organizations: [organization.id],
      ...(invitedTo !== undefined && { accepted: invitedTo }),
    },
    subject,
    ...(granted && { granted }),
  };
};

export const renew: Step = async ({ by, world, sessions: all, state }) => {
  const sessions = all.filter(({ isAgent }) => isAgent !== true);
  const byProvider = sessions.filter(({ words }) => words.person === undefined);
  const among = byProvider.length > 0 && !by.isOneIn(3) ? byProvider : sessions;
  const session = among.length === 0 ? undefined : by.pick(among);
  if (session === undefined) return { what: 'no session to refresh', words: { organizations: [] } };
  const { userId } = session.entered;
  const own = world.organizations.filter(({ id }) => state.members.get(`${id}|${userId}`)?.status === 'active');
  const target = by.pick([undefined, by.pick(world.organizations), by.pick(own)]);
  const { status, body } = await refresh(session.refreshToken, target?.id);
  const owner = state.people.get(userId)?.email ?? userId;
  // Nothing brings a session back that has ended.
  if (target === undefined && status >= 400) all.splice(all.indexOf(session), 1);
  return {
    what: `a session of ${owner} is refreshed to ${target?.name ?? 'where it is'}: ${status}`,
    words: session.words,
    renewed: { session, isMoved: target !== undefined },
    ...(status === 200 && { granted: body }),
  };
};

/** The directory of the first organization acts on a user of its own with any person's address. */
export const sync: Step = async (history) => {
  const { by, world, directoryUsers } = history;
  const { provider } = world;
  const words = { organizations: [provider.directory.organization_id] };
  const own = [...history.state.people.values()].filter((known) =>
    covers(history.state, words.organizations[0] ?? '', known),
  );
  const someone = findEmail(history, by.pick(world.people));
  const email = by.pick([pickAddress(by), someone, someone, by.pick(own)?.email ?? someone]);
  const name = { givenName: 'Synced', familyName: `${by.below(100)}` };
  if (directoryUsers.length === 0 || by.isOneIn(3)) {
    const emails = [{ value: email, primary: true }];
    const made = await newScimUser(provider, email, { emails, name, active: !by.isOneIn(4) }).catch(() => undefined);
    if (made !== undefined) directoryUsers.push(made.id);
    return { what: `evil1's directory creates ${email}`, words };
  }
  const id = by.pick(directoryUsers);
  const value = by.pick([
    { active: false },
    { active: true },
    { active: true, name },
    { name },
    { userName: email, emails: [{ value: email, primary: true }] },
    { userName: email, emails: [{ value: email, primary: true }], active: true, name },
  ]);
  const { status } = await provider.send('PATCH', `/Users/${id}`, patch({ op: 'replace', value }));
  return { what: `evil1's directory writes ${JSON.stringify(value)} to ${id}: ${status}`, words };
};
