import { actAs, delegateToAgent, renewAgent, visitAccount } from './history-acts.ts';
import {
  accept,
  askFactor,
  changeAddress,
  changeDomain,
  changeMembership,
  changeRole,
  invite,
  requireFactor,
  requireSso,
  stopAgents,
  unlink,
} from './history-calls.ts';
import { type Entered, findChanges, findEntry, type State, type Words } from './history-oracle.ts';
import { plantPortal, plantSession } from './history-planted.ts';
import {
  comeThrough,
  type History,
  linkByOwnSignIn,
  type Outcome,
  readToken,
  renew,
  type Renewal,
  type Session,
  signIn,
  type Step,
  sync,
} from './history-steps.ts';
import { begin, NAMES, random, readState } from './history-world.ts';

/** Random histories of sign-ins, directories and calls of an application, each step of which is compared with rule 1. */

/** Each step, and how often it is chosen. */
const STEPS: readonly (readonly [Step, number])[] = [
  [signIn, 3],
  [comeThrough, 7],
  [linkByOwnSignIn, 5],
  [renew, 7],
  [actAs, 1],
  [plantSession, 1],
  [plantPortal, 1],
  [visitAccount, 4],
  [delegateToAgent, 2],
  [renewAgent, 2],
  [changeMembership, 2],
  [changeAddress, 2],
  [changeDomain, 2],
  [changeRole, 1],
  [requireSso, 1],
  [requireFactor, 2],
  [askFactor, 1],
  [unlink, 1],
  [stopAgents, 1],
  [invite, 2],
  [accept, 2],
  [sync, 5],
];
/** The steps, those that are named much more often. */
const listChoices = (more: readonly string[]): Step[] =>
  STEPS.flatMap(([step, weight]) => Array.from({ length: weight * (more.includes(step.name) ? 5 : 1) }, () => step));

const MOST_SESSIONS = 30;

/** Compares a refresh with the session before it. */
function checkRenewal({ session, isMoved }: Renewal, { userId, organizationId }: Entered): string[] {
  const isElsewhere = !isMoved && session.entered.organizationId !== organizationId;
  return [
    ...(session.entered.userId === userId ? [] : ['a refresh changed the person']),
    ...(isElsewhere ? ['a refresh moved the session'] : []),
    ...(session.isOver === true ? ['a session outlived its membership'] : []),
  ];
}

/** Compares the claims of an access token, and the stops of agents, with what is known. */
function checkToken(
  { state, stopped }: History,
  { granted, agentOf }: Outcome,
  { userId, organizationId }: Entered,
): string[] {
  const { org_id, role } = readToken(granted?.access_token ?? '');
  const member = state.members.get(`${organizationId ?? ''}|${userId}`);
  const isAgent = agentOf !== undefined;
  const isStopped = isAgent && [userId, organizationId].some((id) => stopped.has(id ?? ''));
  return [
    ...(org_id === organizationId ? [] : ['the access token names another organization']),
    ...(isAgent || role === member?.role ? [] : [`the access token has the role ${role ?? 'none'}`]),
    ...(isStopped ? ['a stopped agent got a token'] : []),
  ];
}

/** Remembers the session, and the link that the person's own sign-in made. */
function remember({ state, ledger, sessions }: History, session: Session, subject: string | undefined): void {
  const { words, entered } = session;
  sessions.push(session);
  if (sessions.length > MOST_SESSIONS) sessions.shift();
  if (words.person === undefined || subject === undefined) return;
  for (const organization of words.organizations) {
    const member = state.members.get(`${organization}|${entered.userId}`);
    ledger.links.add(`${organization}|${subject}|${entered.userId}|${member?.id ?? ''}`);
  }
}

/** Remembers what a step ended, and what it proved. */
function follow({ state, sessions, ledger, claimed }: History, before: State, { accepted }: Partial<Words>): void {
  for (const [id, { email_verified }] of before.people) {
    if (!email_verified && state.people.get(id)?.email_verified === true) claimed.add(id);
  }
  for (const [key, { status }] of state.members) {
    const isNew = status === 'active' && before.members.get(key)?.status !== 'active';
    if (isNew && accepted !== undefined && key.startsWith(accepted)) ledger.ended.delete(key);
  }
  for (const session of sessions) {
    const key = `${session.entered.organizationId ?? ''}|${session.entered.userId}`;
    const [former, now] = [before.members.get(key), state.members.get(key)];
    if (former !== undefined && (now?.id !== former.id || now.status !== 'active')) session.isOver = true;
  }
}

/** Compares a step with rule 1, and remembers the session and the link that it made. */
function checkStep(history: History, before: State, outcome: Outcome): string[] {
  const { words, granted, subject, renewed, agentOf, found = [] } = outcome;
  const { state, ledger, sessions } = history;
  follow(history, before, words ?? {});
  if (words === undefined) return found;
  const broken = [...found, ...findChanges(before, state, words, ledger)];
  if (granted === undefined) return broken;
  const entered = { userId: granted.user.id, organizationId: granted.organization_id };
  broken.push(...checkToken(history, outcome, entered));
  if (renewed !== undefined) {
    broken.push(...checkRenewal(renewed, entered));
    sessions.splice(sessions.indexOf(renewed.session), 1);
  }
  const former = renewed?.session ?? agentOf;
  const isKept = former !== undefined && former.entered.organizationId === entered.organizationId;
  const by = { subject: former === undefined ? subject : undefined, isKept, ledger };
  broken.push(...findEntry(state, words, entered, by).map((reason) => `a session ${reason}`));
  const { refresh_token: refreshToken, access_token: accessToken } = granted;
  const session = { refreshToken, accessToken, sessionId: readToken(accessToken).sid, words, entered };
  remember(history, { ...session, isAgent: agentOf !== undefined }, subject);
  return broken;
}

/** The numbers of what happened, so that a run shows that it has not become empty. */
export interface Counts {
  steps: number;
  sessions: number;
  links: number;
  moves: number;
}

/**
 * Runs a history.
 * @param more the names of steps that are chosen more often
 * @throws Error with the seed and all steps, if a step did what rule 1 does not allow
 */
export async function runHistory(seed: number, steps: number, more: readonly string[] = []): Promise<Counts> {
  const by = random(seed);
  const world = await begin(by);
  const ledger = { ended: new Set<string>(), links: new Set<string>() };
  const choices = listChoices(more);
  const rest = {
    sessions: [],
    waiting: [],
    linked: [],
    invitations: [],
    directoryUsers: [],
    claimed: new Set<string>(),
    stopped: new Set<string>(),
  };
  const history: History = { by, world, state: await readState(world), ledger, ...rest };
  const counts: Counts = { steps: 0, sessions: 0, links: 0, moves: 0 };
  const log: string[] = [];
  for (; counts.steps < steps; counts.steps += 1) {
    const before = history.state;
    const outcome = await by.pick(choices)(history);
    history.state = await readState(world);
    log.push(`${counts.steps + 1}. ${outcome.what}`);
    const broken = checkStep(history, before, outcome);
    if (outcome.granted !== undefined) counts.sessions += 1;
    if (outcome.granted !== undefined && outcome.renewed?.isMoved === true) counts.moves += 1;
    counts.links = ledger.links.size;
    if (broken.length === 0) continue;
    const names = `${NAMES.map((name, at) => `${name} is ${world.organizations[at]?.id ?? ''}`).join(', ')}`;
    throw new Error(`Seed ${seed} breaks rule 1: ${broken.join('; ')}.\n${names}\n${log.join('\n')}`);
  }
  return counts;
}
