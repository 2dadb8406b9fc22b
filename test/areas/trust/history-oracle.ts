import { readDomain } from '../../../functions/kernel/address.ts';

/** Oracle of the histories: it knows only rule 1, and what a caller of the API sees. */

export interface Person {
  id: string;
  email: string;
  email_verified: boolean;
  [member: string]: unknown;
}

export interface Member {
  id: string;
  status: 'active' | 'inactive' | 'pending';
  role: string;
  /** True if the organization's directory manages it. */
  isManaged: boolean;
}

/** All that rule 1 needs, read from outside. */
export interface State {
  people: ReadonlyMap<string, Person>;
  /** By `organization|person`. */
  members: ReadonlyMap<string, Member>;
  /** The verified domains of each organization. */
  domains: ReadonlyMap<string, readonly string[]>;
  /** The organizations that require their own connection. */
  requiring: ReadonlySet<string>;
  /** True if the environment requires a second factor, which no person of a history has. */
  requiresFactor: boolean;
}

/** By whose word a step was made: a person's own sign-in, organizations, an operator, or none that is known. */
export interface Words {
  /** The id of the person who has signed in by an own password. */
  person?: string | undefined;
  organizations: readonly string[];
  /** The person that an operator named, and the only organization if the operator named one. */
  operator?: { userId: string; organizationId: string | undefined };
  /** The organization whose invitation the person, or the bearer of its link, has accepted. */
  accepted?: string | undefined;
  /** The organization that the person has left on the account page. */
  left?: string | undefined;
}

/** A session that a step has made or renewed. */
export interface Entered {
  userId: string;
  organizationId: string | undefined;
}

/** The acts of the application or of a person that an organization does not undo. */
export interface Ledger {
  /** The memberships, `organization|person`, that were removed or deactivated by the application, and not given back. */
  ended: ReadonlySet<string>;
  /** The links, `organization|subject|person|membership`, that people have made by their own sign-in. */
  links: ReadonlySet<string>;
}

const owns = ({ domains }: State, organization: string, email: string): boolean =>
  domains.get(organization)?.includes(readDomain(email) ?? '') ?? false;

/** Rule 1: a word covers an account while its current, proved address is at a domain that the organization has verified. */
export const covers = (state: State, organization: string, { email, email_verified }: Person): boolean =>
  email_verified && owns(state, organization, email);

/** Reports whether an organization keeps a person: it covers the account, and manages the active membership or requires its connection. */
export function keeps(state: State, organization: string, person: Person): boolean {
  const member = state.members.get(`${organization}|${person.id}`);
  const isManaged = member?.isManaged === true && member.status === 'active';
  return covers(state, organization, person) && (isManaged || state.requiring.has(organization));
}

/** The changes by a step to accounts and memberships that the words of the step did not allow; empty if nothing. */
export function findChanges(before: State, after: State, words: Words, { ended }: Ledger): string[] {
  const { organizations, person, accepted } = words;
  // A provider may prove an address of its own organization in the same step.
  const speaksFor = (known: Person): boolean =>
    known.id === person || organizations.some((own) => owns(before, own, known.email) || covers(after, own, known));
  const changed = [...new Set([...before.people.keys(), ...after.people.keys()])].flatMap((id) => {
    const [former, now] = [before.people.get(id), after.people.get(id)];
    const known = now ?? former;
    if (known === undefined || speaksFor(known) || JSON.stringify(former) === JSON.stringify(now)) return [];
    if (former !== undefined) return [`changed the account ${former.email}`];
    return known.email_verified ? [`proved the address ${known.email}`] : [];
  });
  const joined = [...new Set([...before.members.keys(), ...after.members.keys()])].flatMap((key) => {
    const [former, next] = [before.members.get(key), after.members.get(key)];
    const known = after.people.get(key.split('|')[1] ?? '');
    if (known === undefined || (former?.status === next?.status && former?.role === next?.role)) return [];
    const why = findObstacle(before, next, words, { key, known });
    if (why !== undefined || accepted === key.split('|')[0]) return why ?? [];
    if (next?.status !== 'active' || former?.status === 'active') return [];
    if (ended.has(key)) return [`made ${key} active again`];
    return speaksFor(known) ? [] : [`made ${key} active without an acceptance`];
  });
  return [...changed, ...joined];
}

/** Why words do not change a membership at all; empty if its person does; undefined if its organization does. */
function findObstacle(
  before: State,
  next: Member | undefined,
  { organizations, person, accepted, left }: Words,
  { key, known }: { key: string; known: Person },
): string[] | undefined {
  const [organization = ''] = key.split('|');
  if (person === known.id && accepted === organization) return [];
  if (person === known.id && left === organization && next === undefined)
    return keeps(before, organization, known) ? [`left ${key}, which keeps the person`] : [];
  return organizations.includes(organization)
    ? undefined
    : [`made ${key} of another organization ${next?.status ?? 'gone'}`];
}

/** Why words do not reach an account; empty if they do. */
export function findReach(state: State, { person, organizations }: Words, userId: string): string[] {
  const user = state.people.get(userId);
  if (user === undefined) return ['is of no account'];
  if (person !== undefined) return person === userId ? [] : ['is of another person'];
  if (organizations.some((organization) => covers(state, organization, user))) return [];
  return [`is outside of ${organizations.join(', ')}, whose word does not cover ${user.email}`];
}

/** Why an operator's session is not the one that the operator named; empty if it is. */
const findMisnaming = (named: { userId: string; organizationId: string | undefined }, entered: Entered): string[] =>
  named.userId === entered.userId && [undefined, entered.organizationId].includes(named.organizationId)
    ? []
    : ['is of another than the operator named'];

/**
 * Why a session is not one that its words allow; empty if it is.
 * @param by the subject whose link gave it, at a sign-in; `isKept` at a refresh without a move, which is not asked for SSO again
 */
export function findEntry(
  state: State,
  words: Words,
  { userId, organizationId }: Entered,
  by: { subject?: string | undefined; isKept?: boolean; ledger: Ledger },
): string[] {
  const member = organizationId === undefined ? undefined : state.members.get(`${organizationId}|${userId}`);
  if (organizationId !== undefined && member?.status !== 'active') return ['is of no active member'];
  if (words.operator !== undefined) return findMisnaming(words.operator, { userId, organizationId });
  const isOwn = words.organizations.some((organization) => organization === organizationId);
  if (!isOwn && by.isKept !== true && state.requiring.has(organizationId ?? '')) return ['avoids required SSO'];
  if (!isOwn && state.requiresFactor) return ['avoids the required factor'];
  const outside = findReach(state, words, userId);
  if (outside.length === 0 || words.person !== undefined || !isOwn) return outside;
  const link = [organizationId, by.subject, userId, member?.id].join('|');
  return by.subject === undefined || by.ledger.links.has(link) ? [] : ['is of an account that was never linked'];
}
