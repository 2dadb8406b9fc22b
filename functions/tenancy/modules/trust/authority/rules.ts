import { type Authority, findOperator, listOrganizations, organizationWord, showsOwnFactor, speaks } from './proof.ts';

/** A session, code or token for an organization, or for none: at a sign-in, and at each renewal or move. */
export interface Entry {
  act: 'enter';
  organizationId: string | undefined;
  /** False if the person is no active member of the organization. */
  isMember: boolean;
  /** True if the organization requires its members to sign in through its own connection. */
  requiresSso: boolean;
  /** True if the organization has a connection through which the missing proof can be given. */
  hasConnection: boolean;
  /** True if a sign-in by a method of the environment would ask this person for a second factor. */
  asksFactor: boolean;
  /** True if what a sign-in by a method of the environment gave is renewed, and the person has no factor, which is required now. */
  lacksFactor: boolean;
  /** The organizations among the authority's words that cover the account (`coversAccount`). */
  covering: readonly string[];
  /** The only organization that an operator named; undefined if the operator named the person. */
  named?: string | undefined;
}

/** A change of the account itself: credentials, factors, address, names, sessions, deletion. */
export interface AccountChange {
  act: 'change_account';
  covering: readonly string[];
}

/** A second factor that is enrolled during a sign-in. */
export interface Enrolment {
  act: 'enroll_factor';
  covering: readonly string[];
  /** True in the environment of the operators. */
  isOperator: boolean;
}

/** A link between a subject at an organization's connection and an account. */
export interface Linking {
  act: 'link';
  organizationId: string;
  /** True for a link that exists and is still justified. */
  isLinked: boolean;
  /** True if the account was made for this subject just now. */
  isNew: boolean;
  /** True if the provider says that the address is not verified. */
  isUnverified: boolean;
  /** True if another subject at the same connection is linked to the account. */
  hasOtherSubject: boolean;
  /** The organizations that cover the account. */
  covering: readonly string[];
  /** True if the person's own proof in this sign-in was a mailed code, although the account has something stronger. */
  isWeak: boolean;
}

/** A membership that an organization's word makes or makes active again. */
export interface Joining {
  act: 'join';
  organizationId: string;
  membership: 'none' | 'pending' | 'active' | 'inactive';
  /** True if the person accepts an invitation in this sign-in. */
  isInvited: boolean;
  /** True if the membership of the time of the link was ended. */
  wasEnded: boolean;
  covering: readonly string[];
}

/** A change of the account that an organization's directory or provider asks for: its names, its end. Never its address. */
export interface Governing {
  act: 'govern';
  organizationId: string;
  membership: 'none' | 'pending' | 'active' | 'inactive';
  covering: readonly string[];
}

/** The end of the person's own membership. */
export interface Leaving {
  act: 'leave';
  organizationId: string;
  /** True if the organization's word covers the account. */
  isCovered: boolean;
  /** True if the organization's directory manages the membership, or its single sign-on is required for the address. */
  isManaged: boolean;
}

/** A key, link or grant that acts for the environment, an organization or a person. */
export interface Minting {
  act: 'mint';
  /** The organization for which it acts; undefined for the environment. */
  organizationId: string | undefined;
}

export type Act = Entry | AccountChange | Enrolment | Linking | Joining | Governing | Leaving | Minting;

/** The reasons for denying an act. Each names what has to be proved instead. */
export type DenialReason =
  /** Nothing that is known was proved. */
  | 'authority_unknown'
  /** The organization's own connection has to be used. */
  | 'sso_required'
  /** A second factor has to be proved. */
  | 'mfa_enrollment'
  /** A method of the environment has to be used. */
  | 'authentication_method_not_allowed'
  | 'not_a_member'
  /** The operator named another organization. */
  | 'not_named'
  /** An operator who acts as a person changes nothing of the account. */
  | 'impersonated'
  /** The person has to sign in to the account by its own methods, in the same flow. */
  | 'own_sign_in_required'
  | 'email_not_verified'
  | 'second_subject'
  | 'membership_inactive'
  | 'membership_ended'
  | 'outside_organization'
  /** The organization's word does not cover the account. */
  | 'not_covered'
  | 'governed'
  | 'operator_link_required';

/** A rule: the first one of an act whose condition holds decides. */
export interface Rule {
  act: Act['act'];
  /** The condition, as the README prints it. */
  summary: string;
  when: (facts: never, authority: Authority) => boolean;
  then: 'allowed' | DenialReason | ((facts: never) => DenialReason);
}

/** Declares a rule of an act, whose facts its functions get. */
const rule = <A extends Act['act']>(
  act: A,
  summary: string,
  when: (facts: Extract<Act, { act: A }>, authority: Authority) => boolean,
  then: 'allowed' | DenialReason | ((facts: Extract<Act, { act: A }>) => DenialReason),
): Rule => ({ act, summary, when, then });

const always = (): boolean => true;
const byPerson = (authority: Authority): boolean => speaks(authority, 'environment');
const byOrganization = (authority: Authority, organizationId: string | undefined): boolean =>
  organizationId !== undefined && speaks(authority, organizationWord(organizationId));
/** Reports whether one of the words that cover the account was spoken. */
const byCovering = (authority: Authority, covering: readonly string[]): boolean =>
  covering.some((organizationId) => byOrganization(authority, organizationId));
const isOperator = (authority: Authority): boolean => findOperator(authority) !== undefined;
const isUnknown = (authority: Authority): boolean =>
  !byPerson(authority) && !isOperator(authority) && listOrganizations(authority).length === 0;

/** The rules of all acts, in order: the table of the README, and the only place that decides. */
export const RULES: readonly Rule[] = [
  rule('enter', 'nothing known was proved', (_, by) => isUnknown(by), 'authority_unknown'),
  rule(
    'enter',
    'the person is no active member',
    ({ organizationId, isMember }) => organizationId !== undefined && !isMember,
    'not_a_member',
  ),
  rule(
    'enter',
    'an operator enters another organization than the one named',
    ({ named, organizationId }, by) => isOperator(by) && named !== undefined && named !== organizationId,
    'not_named',
  ),
  rule('enter', 'an operator enters what was named', (_, by) => isOperator(by), 'allowed'),
  rule(
    'enter',
    'the organization requires its own connection, which was not used',
    ({ requiresSso, organizationId }, by) => requiresSso && !byOrganization(by, organizationId),
    'sso_required',
  ),
  rule(
    'enter',
    'the organization’s own connection was used',
    ({ organizationId }, by) => byOrganization(by, organizationId),
    'allowed',
  ),
  rule(
    'enter',
    'only an organization that does not cover the account has spoken',
    ({ covering }, by) => !byPerson(by) && !byCovering(by, covering),
    ({ hasConnection }) => (hasConnection ? 'sso_required' : 'authentication_method_not_allowed'),
  ),
  rule(
    'enter',
    'a covering organization has spoken, and the person’s own factor, which is asked for here, was not proved',
    ({ asksFactor }, by) => !byPerson(by) && asksFactor && !showsOwnFactor(by),
    'mfa_enrollment',
  ),
  rule(
    'enter',
    'what the person’s sign-in gave is renewed, and the person has no factor, which is required now',
    ({ lacksFactor }) => lacksFactor,
    'mfa_enrollment',
  ),
  rule('enter', 'the person, or an organization that covers the account, has spoken', always, 'allowed'),

  rule('change_account', 'nothing known was proved', (_, by) => isUnknown(by), 'authority_unknown'),
  rule('change_account', 'an operator acts as the person', (_, by) => isOperator(by), 'impersonated'),
  rule(
    'change_account',
    'the person, or an organization that covers the account, has spoken',
    ({ covering }, by) => byPerson(by) || byCovering(by, covering),
    'allowed',
  ),
  rule('change_account', 'another organization has spoken', always, 'own_sign_in_required'),

  rule('enroll_factor', 'nothing known was proved', (_, by) => isUnknown(by), 'authority_unknown'),
  rule(
    'enroll_factor',
    'an operator’s factor is added on the account page only, which a link of the console opens',
    ({ isOperator: ofOperators }) => ofOperators,
    'operator_link_required',
  ),
  rule(
    'enroll_factor',
    'the person, or an organization that covers the account, has spoken',
    ({ covering }, by) => byPerson(by) || byCovering(by, covering),
    'allowed',
  ),
  rule('enroll_factor', 'another organization has spoken', always, 'own_sign_in_required'),

  rule('link', 'the link exists', ({ isLinked }) => isLinked, 'allowed'),
  rule(
    'link',
    'the provider says that the address is not verified',
    ({ isUnverified }) => isUnverified,
    'email_not_verified',
  ),
  rule(
    'link',
    'another subject of the connection is linked to the account',
    ({ hasOtherSubject }) => hasOtherSubject,
    'second_subject',
  ),
  rule('link', 'the account is made for this subject', ({ isNew }) => isNew, 'allowed'),
  rule(
    'link',
    'the organization covers the account',
    ({ covering, organizationId }) => covering.includes(organizationId),
    'allowed',
  ),
  rule(
    'link',
    'the person, or an organization that covers the account, has signed in to it in the same flow',
    ({ isWeak, covering }, by) => (byPerson(by) || byCovering(by, covering)) && !isWeak,
    'allowed',
  ),
  rule('link', 'only the organization has spoken', always, 'own_sign_in_required'),

  rule('join', 'the membership was deactivated', ({ membership }) => membership === 'inactive', 'membership_inactive'),
  rule('join', 'the membership is active', ({ membership }) => membership === 'active', 'allowed'),
  rule('join', 'the person accepts an invitation', ({ isInvited }) => isInvited, 'allowed'),
  rule('join', 'the membership was ended', ({ wasEnded }) => wasEnded, 'membership_ended'),
  rule(
    'join',
    'the organization covers the account',
    ({ covering, organizationId }) => covering.includes(organizationId),
    'allowed',
  ),
  rule('join', 'the organization does not cover the account', always, 'outside_organization'),

  rule(
    'govern',
    'a pending membership governs nothing',
    ({ membership }) => membership !== 'active' && membership !== 'inactive',
    'not_covered',
  ),
  rule(
    'govern',
    'the organization covers the account',
    ({ covering, organizationId }) => covering.includes(organizationId),
    'allowed',
  ),
  rule('govern', 'the organization does not cover the account', always, 'not_covered'),

  rule(
    'leave',
    'the organization covers the account, and manages the membership by its directory or single sign-on',
    ({ isCovered, isManaged }) => isCovered && isManaged,
    'governed',
  ),
  rule('leave', 'the organization does not cover the account, or does not manage the membership', always, 'allowed'),

  rule('mint', 'nothing known was proved', (_, by) => isUnknown(by), 'authority_unknown'),
  rule('mint', 'the environment, or the person, has spoken', (_, by) => byPerson(by) || isOperator(by), 'allowed'),
  rule(
    'mint',
    'the organization acts for itself',
    ({ organizationId }, by) => byOrganization(by, organizationId),
    'allowed',
  ),
  rule('mint', 'another organization has spoken', always, 'not_covered'),
];

declare const decided: unique symbol;

/**
 * The permission for an act. Only {@link may} makes one, and functions that create or renew a session, token, key, grant or link
 * take one: code that does not ask does not compile.
 */
export interface Verdict<F extends Act = Act> {
  readonly [decided]: true;
  readonly isAllowed: true;
  readonly facts: F;
  /** The proofs that were checked, which are stored with the session, code or link. */
  readonly authority: Authority;
}

/** A denied act, with the proof that is missing. */
export interface Denial {
  readonly isAllowed: false;
  readonly reason: DenialReason;
}

/** Decides by given rules: the first one of the act whose condition holds. */
export function decide<F extends Act>(rules: readonly Rule[], authority: Authority, facts: F): Verdict<F> | Denial {
  const found = rules.find(({ act, when }) => act === facts.act && when(facts as never, authority));
  if (found?.then === 'allowed') return { isAllowed: true, facts, authority } as Verdict<F>;
  const then = found?.then ?? 'authority_unknown';
  return { isAllowed: false, reason: typeof then === 'function' ? then(facts as never) : then };
}

/** Decides what an authority may do to an account, a membership, a link or another organization, or says what to prove instead. */
export const may = <F extends Act>(authority: Authority, facts: F): Verdict<F> | Denial =>
  decide(RULES, authority, facts);
