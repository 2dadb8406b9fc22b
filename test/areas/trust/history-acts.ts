import { openAccount } from '../../support/account.ts';
import { delegate, refresh as refreshAgent } from '../agents/support.ts';
import { impersonate, readCode } from '../authentication/impersonating.ts';
import { redeem } from '../sso/identity-provider.ts';
import { findReach, type State, type Words } from './history-oracle.ts';
import { findEmail, type History, readToken, type Session, type Step } from './history-steps.ts';
import { type Granted, PASSWORD } from './tenants.ts';

/** Steps of random histories: what operators, agents and the holders of sessions do. */

/** An operator acts as a person, in one organization or in all. */
export const actAs: Step = async (history) => {
  const { by, world, state } = history;
  const userId = by.pick(world.people);
  const own = [...state.members.keys()].filter((key) => key.endsWith(userId)).map((key) => key.split('|')[0]);
  const organizationId = by.isOneIn(4) ? undefined : by.pick(own);
  const body = organizationId === undefined ? {} : { organization_id: organizationId };
  const made = await impersonate(userId, world.operatorId, body);
  const { status, body: granted } = await redeem<Granted>(made.status === 201 ? readCode(made.body) : '');
  return {
    what: `an operator acts as ${findEmail(history, userId)} in ${organizationId ?? 'all'}: ${made.status} ${status}`,
    words: { organizations: [], operator: { userId, organizationId } },
    ...(status === 200 && { granted }),
  };
};

const pickSession = ({ by, sessions }: Parameters<Step>[0]): Session | undefined => {
  const users = sessions.filter(({ isAgent }) => isAgent !== true);
  const others = users.filter(({ words }) => words.person === undefined);
  const among = others.length > 0 && !by.isOneIn(3) ? others : users;
  return among.length === 0 ? undefined : by.pick(among);
};

/** A session with which to open the account page: often one of a person whose directory manages a membership. */
function pickVisitor(history: History): Session | undefined {
  const { by, state, sessions } = history;
  const persons = sessions.filter(({ words, isAgent }) => words.person !== undefined && isAgent !== true);
  const isManaged = ({ entered }: Session): boolean =>
    [...state.members].some(([key, member]) => member.isManaged && key.endsWith(entered.userId));
  const managed = persons.filter(isManaged);
  return by.pick([pickSession(history), by.pick(persons), by.pick(managed.length === 0 ? persons : managed)]);
}

/** The application opens the account page with a session of its own; there a name is changed, or an organization is left. */
export const visitAccount: Step = async (history) => {
  const { by, state } = history;
  const session = pickVisitor(history);
  if (session === undefined) return { what: 'no session to open the account page' };
  const { words, sessionId, entered } = session;
  const { userId } = entered;
  const user = findEmail(history, userId);
  const holder = await openAccount(userId, { session_id: sessionId }).catch(() => undefined);
  if (holder === undefined) return { what: `no link to the account page of ${user}`, words };
  const wanted = by.pick(['name', 'organizations'] as const);
  const first = await holder.open(wanted);
  const asksPassword = first.text.includes('name="password"');
  const isOwn = words.person === userId;
  const page = isOwn && asksPassword ? await holder.person.submit(first, { password: PASSWORD }) : first;
  const isOpen = page.status === 200 && new URL(page.url).pathname.startsWith('/hosted/account/');
  const { field, changes, organization } = chooseChange(history, wanted, userId);
  const isForm = isOpen && page.text.includes(field);
  const what = `the account page of ${user} is ${isOpen ? 'open' : 'closed'} for a session of ${JSON.stringify(words)}`;
  const found = isOpen ? checkVisit(state, words, userId, isForm || asksPassword) : [];
  if (!isForm) return { what, words, found };
  const done = await holder.person.submit(page, changes, field);
  const left = isOwn ? organization : undefined;
  return { what: `${what}: ${wanted} ${organization ?? ''} ${done.status}`, words: { ...words, left }, found };
};

/** A change on a page of the account: the part of its form that shows it, what is filled in, and the organization that is left. */
function chooseChange({ by, state }: History, wanted: 'name' | 'organizations', userId: string) {
  if (wanted === 'name') {
    return {
      field: 'name="first_name"',
      changes: { first_name: `Renamed ${by.below(1_000)}` },
      organization: undefined,
    };
  }
  const own = [...state.members].filter(([key]) => key.endsWith(userId));
  const chosen = own.length === 0 ? undefined : by.pick(own);
  return { field: `value="${chosen?.[1].id ?? '-'}"`, changes: {}, organization: chosen?.[0].split('|')[0] };
}

/** Why words do not open a page of the account: an operator sees it, and is offered no change. */
function checkVisit(state: State, words: Words, userId: string, isOffered: boolean): string[] {
  if (words.operator !== undefined) return isOffered ? ['an operator is offered a change'] : [];
  return findReach(state, words, userId).map((why) => `an account page ${why}`);
}

/** A session delegates to an agent, whose tokens are renewed like sessions. */
export const delegateToAgent: Step = async (history) => {
  const session = pickSession(history);
  if (session?.accessToken === undefined) return { what: 'no session to delegate' };
  const { status, body } = await delegate(history.world.blueprintId, { token: session.accessToken });
  return {
    what: `a session of ${findEmail(history, session.entered.userId)} delegates to an agent: ${status}`,
    words: session.words,
    ...(status < 300 && { granted: readAgent(session, body), agentOf: session }),
  };
};

export const renewAgent: Step = async (history) => {
  const agents = history.sessions.filter(({ isAgent }) => isAgent === true);
  if (agents.length === 0) return delegateToAgent(history);
  const session = history.by.pick(agents);
  const { status, body } = await refreshAgent(history.world.blueprintId, session.refreshToken);
  return {
    what: `an agent of ${findEmail(history, session.entered.userId)} renews its token: ${status}`,
    words: session.words,
    renewed: { session, isMoved: false },
    ...(status < 300 && { granted: readAgent(session, body), agentOf: session }),
  };
};

const readAgent = (
  { entered: { userId } }: Session,
  { access_token, refresh_token }: { access_token: string; refresh_token: string },
): Granted => {
  const { org_id } = readToken(access_token);
  const tokens = { user: { id: userId, email: '', first_name: null }, access_token, refresh_token };
  return org_id === undefined ? tokens : { ...tokens, organization_id: org_id };
};
