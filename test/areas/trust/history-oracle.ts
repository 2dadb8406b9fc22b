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
}

/** By whose word a step was made: a person's own sign-in, organizations, or neither for a call of the application. */
export interface Words {
  /** The id of the person who has signed in by an own password. */
  person?: string | undefined;
  organizations: readonly string[];
  /** The organization whose invitation the person, or the bearer of its link, has accepted. */
  accepted?: string | undefined;
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

/** The changes by a step to accounts and memberships that the words of the step did not allow; empty if nothing. */
export function findChanges(before: State, after: State, words: Words, { ended }: Ledger): string[] {
  const { organizations, person, accepted } = words;
  // A provider may prove an address of its own organization in the same step.
  const speaksFor = (known: Person): boolean =>
    organizations.some((organization) => owns(before, organization, known.email) || covers(after, organization, known));
  const changed = [...before.people.values()].flatMap((known) => {
    const now = after.people.get(known.id);
    const isSame = JSON.stringify(now) === JSON.stringify(known);
    return isSame || known.id === person || speaksFor(known) ? [] : [`changed the account ${known.email}`];
  });
  const made = [...after.people.values()].flatMap((known) => {
    const isMade = !before.people.has(known.id) && known.email_verified;
    return isMade && !speaksFor(known) ? [`proved the address ${known.email}`] : [];
  });
  const joined = [...new Set([...before.members.keys(), ...after.members.keys()])].flatMap((key) => {
    const [organization = '', userId = ''] = key.split('|');
    const [former, next] = [before.members.get(key)?.status, after.members.get(key)?.status];
    if (former === next || (accepted === organization && person === userId)) return [];
    if (!organizations.includes(organization)) return [`made ${key} of another organization ${next ?? 'gone'}`];
    if (next !== 'active' || accepted === organization) return [];
    if (ended.has(key)) return [`made ${key} active again`];
    const known = after.people.get(userId);
    return known !== undefined && speaksFor(known) ? [] : [`made ${key} active without an acceptance`];
  });
  return [...changed, ...made, ...joined];
}

const avoidsSso = ({ requiring }: State, organization: string | undefined, { organizations }: Words): boolean =>
  organization !== undefined && requiring.has(organization) && !organizations.includes(organization);

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
  const user = state.people.get(userId);
  if (user === undefined) return ['is of no account'];
  const key = `${organizationId ?? ''}|${userId}`;
  const member = state.members.get(key);
  if (organizationId !== undefined && member?.status !== 'active') return ['is of no active member'];
  const isOwn = organizationId !== undefined && words.organizations.includes(organizationId);
  if (avoidsSso(state, organizationId, words) && by.isKept !== true) return ['avoids required SSO'];
  if (words.person !== undefined) return words.person === userId ? [] : ['is of another person'];
  if (words.organizations.some((organization) => covers(state, organization, user))) return [];
  if (!isOwn) return [`is outside of ${words.organizations.join(', ')}, whose word does not cover ${user.email}`];
  const link = `${organizationId ?? ''}|${by.subject ?? ''}|${userId}|${member?.id ?? ''}`;
  return by.subject === undefined || by.ledger.links.has(link) ? [] : ['is of an account that was never linked'];
}
