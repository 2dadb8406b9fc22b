import type { LimitName } from '../../../../kernel/limits/named-limits.ts';

/** The person whose counters are read. */
export interface CountedPerson {
  /** Undefined for an address without an account. */
  userId: string | undefined;
  /** The normalized address. */
  email: string;
  /** The networks from which the person tried to sign in, as `computeNetwork` makes them. */
  networks: readonly string[];
  factors: readonly { id: string; phoneNumber?: string | undefined }[];
}

/** The kinds of keys of counters. */
export const COUNTED_BY = ['email', 'email_and_network', 'network', 'user', 'factor', 'phone'] as const;

/** A counter that can reject a person. */
export interface PersonCounter {
  name: LimitName;
  /** The key, exactly as the code that counts makes it. */
  key: string;
  countedBy: (typeof COUNTED_BY)[number];
  /** The part of the key for a reader: an address, a network, an id. */
  subject: string;
}

/** The messages that are counted by an address, and those that are counted by a user. */
const BY_EMAIL = ['magic-code.email', 'password-reset.email', 'email-verification.email'] as const;
const BY_USER = ['email-change.user', 'account-code.user'] as const;

/** Every counter that can reject a sign-in of the person, or a message for it; those of known browsers cannot be named. */
export const listCounters = ({ userId, email, networks, factors }: CountedPerson): PersonCounter[] => [
  ...byEmail(email),
  ...networks.flatMap((network) => byNetwork(email, network)),
  ...(userId === undefined ? [] : byUser(userId)),
  ...factors.flatMap(byFactor),
];

function byEmail(email: string): PersonCounter[] {
  const counter = (name: LimitName, key = email): PersonCounter => ({ name, key, countedBy: 'email', subject: email });
  return [
    counter('sign-in.email'),
    counter('sign-in.email.everybody'),
    counter('sign-in.password.everybody.daily'),
    ...BY_EMAIL.flatMap((name) => [
      counter(name),
      counter(`${name}.daily`),
      counter('page-message.everybody.daily', `${name} ${email}`),
    ]),
  ];
}

function byNetwork(email: string, network: string): PersonCounter[] {
  const counter = (name: LimitName, key = `${email} ${network}`): PersonCounter => ({
    name,
    key,
    countedBy: 'email_and_network',
    subject: `${email} ${network}`,
  });
  const ofNetwork = (name: LimitName): PersonCounter => ({
    name,
    key: network,
    countedBy: 'network',
    subject: network,
  });
  return [
    counter('sign-in.email'),
    counter('sign-in.email.hourly'),
    counter('sign-in.password.daily'),
    ...BY_EMAIL.flatMap((name) => [
      counter(name),
      counter('page-message.network.daily', `${name} ${email} ${network}`),
    ]),
    ofNetwork('sign-in.address'),
    ofNetwork('message.address'),
  ];
}

function byUser(userId: string): PersonCounter[] {
  const counter = (name: LimitName, key = userId): PersonCounter => ({ name, key, countedBy: 'user', subject: userId });
  return [
    counter('sign-in.user'),
    ...BY_USER.flatMap((name) => [counter(name), counter(`${name}.daily`)]),
    counter('radar-challenge.user'),
    counter('radar-challenge.user.daily'),
    // Wrong recovery codes are counted by the limits of a factor.
    counter('mfa.factor', `recovery ${userId}`),
    counter('mfa.factor.daily', `recovery ${userId}`),
  ];
}

function byFactor({ id, phoneNumber }: { id: string; phoneNumber?: string | undefined }): PersonCounter[] {
  const ofFactor = (name: LimitName): PersonCounter => ({ name, key: id, countedBy: 'factor', subject: id });
  const ofPhone = (name: LimitName, phone: string): PersonCounter => ({
    name,
    key: phone,
    countedBy: 'phone',
    subject: phone,
  });
  return [
    ofFactor('mfa.factor'),
    ofFactor('mfa.factor.daily'),
    ...(phoneNumber === undefined ? [] : [ofPhone('sms.phone', phoneNumber), ofPhone('sms.phone.daily', phoneNumber)]),
  ];
}

/**
 * Reports whether a counter may be removed for one person: not that of a network, which protects every other account from the
 * clients there.
 */
export const isLiftable = ({ countedBy }: PersonCounter): boolean => countedBy !== 'network';
