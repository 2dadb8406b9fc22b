import { clock } from '../../kernel/clock.ts';
import { internetAddress } from '../../kernel/internet-address.ts';
import { networkOf } from '../../kernel/limits/client-network.ts';
import { log } from '../../kernel/log.ts';
import type { Action, AuthMethod } from '../engine/controls.ts';
import { canonicalEmail, domainOf, isDisposable } from '../engine/email.ts';
import type { Facts } from '../engine/evaluate.ts';
import type { Signal, Signals } from '../engine/signals.ts';
import { distanceKm, type Place, speedKmh } from '../engine/travel.ts';
import { userAgentKind } from '../engine/user-agent.ts';
import { findPlace, NO_TABLE } from '../geo/find.ts';
import { hitsOf, readLists } from '../list/match.ts';
import { countAttempt, type Known, type Profile, type Subjects } from '../profile/count.ts';
import type { Counts } from '../profile/windows.ts';
import { deviceIn, type ReadSignals, useSignals } from '../signal/use.ts';

/** The data of an attempt. */
export interface AttemptData {
  environmentId: string;
  action: Action;
  method: AuthMethod;
  email: string;
  /** Null if a back end did not forward it. */
  ipAddress: string | null;
  userAgent: string | null;
  /** Of the script of Radar. */
  signalsId?: string | undefined;
  /** The name of the device that the service itself knows: it wins over that of the script. */
  device?: string | undefined;
  /** The place that CloudFront reports: it wins over that of the table. */
  place?: Place | undefined;
}

/** An attempt with everything that was measured. */
export interface Measured {
  data: AttemptData;
  facts: Facts;
  subjects: Subjects;
  place: Place | undefined;
}

const absent = (reason: string): Signal => ({ notEvaluated: reason });
const found = (value: number | boolean | string): Signal => ({ value });

const NO_ADDRESS = 'no address was sent';
const NO_DEVICE = 'no device was named: send signals_id';
const UNREADABLE = 'the counters could not be read';

/** The rest of a promise's work is done without it when it fails: the attempt is judged without what it would find. */
async function orAbsent<T>(what: string, reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    log.warn('Radar judges an attempt without a part of its facts', { missing: what, error });
    return undefined;
  }
}

/** The counts of a network and of a device have the same names behind their prefix. */
function sharedCounts(counts: Counts | undefined, missing: string) {
  const of = (name: keyof Counts): Signal => (counts === undefined ? absent(missing) : found(counts[name]));
  return {
    attempts_minute: of('attemptsMinute'),
    attempts_hour: of('attemptsHour'),
    attempts_day: of('attemptsDay'),
    unconfirmed_hour: of('unconfirmedHour'),
    sign_ups_day: of('signUpsDay'),
    emails_hour: of('emailsHour'),
    emails_day: of('emailsDay'),
  };
}

const withPrefix = <const P extends string, T extends Record<string, Signal>>(prefix: P, signals: T) =>
  Object.fromEntries(Object.entries(signals).map(([name, signal]) => [`${prefix}_${name}`, signal])) as {
    [K in keyof T & string as `${P}_${K}`]: Signal;
  };

function travelSignals(known: Known, place: Place | undefined, noPlace: string | undefined) {
  const { lastSuccessAt, lastPlace } = known;
  const both = (signal: Signal) => ({ travel_km: signal, travel_kmh: signal });
  if (place === undefined) return both(absent(noPlace ?? NO_TABLE));
  if (lastSuccessAt === undefined) return both(absent('no success of this email was reported'));
  if (lastPlace === undefined) return both(absent('the place of the last success is not known'));
  const km = distanceKm(lastPlace, place);
  if (km === undefined) return both(absent('the table of places has no coordinates for one of both ends'));
  return { travel_km: found(km), travel_kmh: found(speedKmh(km, clock.now() - lastSuccessAt)) };
}

function knownSignals({ known }: Profile, { network, device, userAgent }: Subjects) {
  const noSuccess = absent('no success of this email was reported');
  const of = (value: boolean | undefined, missing: string | undefined): Signal => {
    if (missing !== undefined) return absent(missing);
    return value === undefined ? noSuccess : found(value);
  };
  const agentMissing = device === undefined ? (userAgent ? undefined : 'no user agent was sent') : 'a device was named';
  return {
    device_known: of(known.device, device === undefined ? NO_DEVICE : undefined),
    address_known: of(known.network, network === undefined ? NO_ADDRESS : undefined),
    user_agent_known: of(known.userAgent, agentMissing),
    days_since_success:
      known.lastSuccessAt === undefined
        ? noSuccess
        : found(Math.floor((clock.now() - known.lastSuccessAt) / 86_400_000)),
  };
}

/** The signals of an attempt whose counters could not be read, by their names. */
const unreadableNames = ['device_known', 'address_known', 'user_agent_known', 'days_since_success'] as const;
const unreadable = Object.fromEntries(unreadableNames.map((name) => [name, absent(UNREADABLE)])) as Record<
  (typeof unreadableNames)[number],
  Signal
>;

function emailSignals(counts: Counts | undefined) {
  const of = (name: keyof Counts): Signal => (counts === undefined ? absent(UNREADABLE) : found(counts[name]));
  return {
    email_attempts_minute: of('attemptsMinute'),
    email_attempts_hour: of('attemptsHour'),
    email_attempts_day: of('attemptsDay'),
    email_unconfirmed_hour: of('unconfirmedHour'),
    email_sign_ups_day: of('signUpsDay'),
  };
}

const agentSignals = (userAgent: string | null, read: ReadSignals | undefined, signalsId: string | undefined) => ({
  user_agent_kind: userAgent === null ? absent('no user agent was sent') : found(userAgentKind(userAgent)),
  automation:
    read === undefined
      ? absent(signalsId === undefined ? 'no signals_id was sent' : 'the signals_id is unknown, used or expired')
      : found(read.automation),
});

/**
 * Counts an attempt and measures all that can be known about it, in one round trip: the counters of mailbox, network
 * and device with the devices and the place of the last success, the lists, the place of the address, and the signals
 * of the script. What cannot be read is missing; nothing rejects the attempt.
 */
export async function measure(data: AttemptData): Promise<Measured> {
  const { environmentId, action, email, userAgent, signalsId } = data;
  const address = data.ipAddress === null ? undefined : internetAddress(data.ipAddress.trim().toLowerCase());
  const mailbox = canonicalEmail(email) ?? email.trim().toLowerCase();
  const device = data.device ?? deviceIn(signalsId);
  const network = address === undefined ? undefined : networkOf(address);
  const named: Subjects = { environmentId, email: mailbox, network, device, userAgent };
  const listed = { address, email, device, userAgent };
  const [counted, lists, read, located] = await Promise.all([
    orAbsent('counters', countAttempt(named, action)),
    orAbsent('lists', readLists(environmentId, listed)),
    signalsId === undefined ? undefined : orAbsent('signals', useSignals(environmentId, signalsId)),
    data.place ?? (address === undefined ? undefined : orAbsent('place', findPlace(address))),
  ]);
  // A device that the script did not name, or not for this attempt, is none.
  const isProven = data.device !== undefined || read !== undefined;
  const subjects = isProven ? named : { ...named, device: undefined };
  const place = typeof located === 'string' ? undefined : located;
  const hits = lists && hitsOf(lists, { ...listed, device: subjects.device, country: place?.country });
  const noPlace = address === undefined ? NO_ADDRESS : typeof located === 'string' ? located : undefined;
  const shown = isProven || counted === undefined ? counted : { ...counted, device: undefined };
  const signals: Signals = {
    ...emailSignals(counted?.email),
    email_disposable: found(isDisposable(domainOf(mailbox))),
    ...withPrefix('address', sharedCounts(shown?.network, missing(counted, NO_ADDRESS))),
    ...withPrefix('device', sharedCounts(shown?.device, missing(counted, NO_DEVICE))),
    ...(counted === undefined ? unreadable : knownSignals(counted, subjects)),
    ...agentSignals(userAgent, read, signalsId),
    country: place === undefined ? absent(noPlace ?? NO_TABLE) : found(place.country),
    ...(counted === undefined
      ? { travel_km: absent(UNREADABLE), travel_kmh: absent(UNREADABLE) }
      : travelSignals(counted.known, place, noPlace)),
    method: found(data.method),
  };
  return { data, subjects, place, facts: { action, signals, lists: hits, areCounted: counted !== undefined } };
}

const missing = (counted: Profile | undefined, reason: string): string => (counted === undefined ? UNREADABLE : reason);
