import {
  accept,
  askFactor,
  changeAddress,
  changeDomain,
  changeMembership,
  invite,
  requireSso,
} from './history-calls.ts';
import { type Entered, findChanges, findEntry, type State } from './history-oracle.ts';
import {
  comeThrough,
  type History,
  linkByOwnSignIn,
  type Outcome,
  renew,
  type Renewal,
  type Session,
  signIn,
  type Step,
  sync,
} from './history-steps.ts';
import { begin, NAMES, random, readState } from './history-world.ts';

/** Random histories of sign-ins, directories and calls of an application, each step of which is compared with rule 1. */

/** Each step as often as it is in the list. */
const STEPS: readonly Step[] = [
  ...[signIn, signIn],
  ...[comeThrough, comeThrough, comeThrough, comeThrough],
  ...[linkByOwnSignIn, linkByOwnSignIn, linkByOwnSignIn],
  ...[renew, renew, renew, renew],
  changeMembership,
  changeAddress,
  changeDomain,
  requireSso,
  askFactor,
  ...[invite, accept],
  ...[sync, sync, sync],
];

const MOST_SESSIONS = 30;

/** Compares a refresh with the session before it. */
function checkRenewal({ session, isMoved }: Renewal, { userId, organizationId }: Entered): string[] {
  const isElsewhere = !isMoved && session.entered.organizationId !== organizationId;
  return [
    ...(session.entered.userId === userId ? [] : ['a refresh changed the person']),
    ...(isElsewhere ? ['a refresh moved the session'] : []),
  ];
}

const organizationIn = (accessToken: string): string | undefined =>
  (JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as { org_id?: string }).org_id;

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

/** Compares a step with rule 1, and remembers the session and the link that it made. */
function checkStep(history: History, before: State, outcome: Outcome): string[] {
  const { words, granted, subject, renewed, found = [] } = outcome;
  if (words === undefined) return found;
  const { state, ledger, sessions } = history;
  const broken = [...found, ...findChanges(before, state, words, ledger)];
  for (const [id, { email_verified }] of before.people) {
    if (!email_verified && state.people.get(id)?.email_verified === true) history.claimed.add(id);
  }
  for (const [key, { status }] of state.members) {
    const isAccepted = words.accepted !== undefined && key.startsWith(words.accepted) && status === 'active';
    if (isAccepted && before.members.get(key)?.status !== 'active') ledger.ended.delete(key);
  }
  if (granted === undefined) return broken;
  const { id: userId } = granted.user;
  const entered = { userId, organizationId: granted.organization_id };
  if (organizationIn(granted.access_token) !== entered.organizationId) {
    broken.push('the access token names another organization');
  }
  if (renewed !== undefined) {
    broken.push(...checkRenewal(renewed, entered));
    sessions.splice(sessions.indexOf(renewed.session), 1);
  }
  const isKept = renewed !== undefined && renewed.session.entered.organizationId === entered.organizationId;
  const by = { subject: renewed === undefined ? subject : undefined, isKept, ledger };
  broken.push(...findEntry(state, words, entered, by).map((reason) => `a session ${reason}`));
  remember(history, { refreshToken: granted.refresh_token, words, entered }, subject);
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
 * @param report gets each step
 * @throws Error with the seed and all steps, if a step did what rule 1 does not allow
 */
export async function runHistory(
  seed: number,
  steps: number,
  report: (step: string) => void = () => undefined,
): Promise<Counts> {
  const by = random(seed);
  const world = await begin(by);
  const ledger = { ended: new Set<string>(), links: new Set<string>() };
  const more = {
    sessions: [],
    waiting: [],
    linked: [],
    invitations: [],
    directoryUsers: [],
    claimed: new Set<string>(),
  };
  const history: History = { by, world, state: await readState(world), ledger, ...more };
  const counts: Counts = { steps: 0, sessions: 0, links: 0, moves: 0 };
  const log: string[] = [];
  for (; counts.steps < steps; counts.steps += 1) {
    const before = history.state;
    const outcome = await by.pick(STEPS)(history);
    history.state = await readState(world);
    log.push(`${counts.steps + 1}. ${outcome.what}`);
    report(log.at(-1) ?? '');
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
