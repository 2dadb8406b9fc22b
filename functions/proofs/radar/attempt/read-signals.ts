import { DAY_MS } from '../../../kernel/durations.ts';
import { clock } from '../../../kernel/clock.ts';
import { readDomain, isDisposable } from '../engine/email.ts';
import { type Signal, type Signals, UNREADABLE } from '../engine/signals.ts';
import { distanceKm, type Place, speedKmh } from '../engine/travel.ts';
import { userAgentKind } from '../engine/user-agent.ts';
import { NO_TABLE } from '../geo/find.ts';
import type { Known, Profile, Subjects } from '../profile/count.ts';
import type { Counts } from '../profile/windows.ts';
import type { ReadSignals } from '../signal/use.ts';

/** The facts that were read for an attempt. */
export interface ReadFacts {
  method: string;
  userAgent: string | null;
  signalsId: string | undefined;
  /** The subjects of the attempt, without a device that is not proven. */
  subjects: Subjects;
  /** True if the service itself recognized the device; false if the script named it. */
  isOwnDevice: boolean;
  /** The counts; undefined if the counters could not be read. */
  profile: Profile | undefined;
  /** The report of a script; undefined if there is none. */
  script: ReadSignals | undefined;
  place: Place | undefined;
  /** The reason why the browser sent no location. */
  noPlace: string | undefined;
}

/** The reason of an attempt without an address. */
export const NO_ADDRESS = 'no address was sent';

const absent = (reason: string): Signal => ({ notEvaluated: reason });
const found = (value: number | boolean | string): Signal => ({ value });

const NO_DEVICE = 'no device was named: send signals_id';
const BY_SCRIPT = 'the script named the device: see script_device_known';
const BY_SERVICE = 'the service itself recognized the device: see device_known';

/** The counts of a network and of a device have the same names after their prefix. */
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

function knownSignals({ known }: Profile, { network, device, userAgent }: Subjects, isOwnDevice: boolean) {
  const noSuccess = absent('no success of this email was reported');
  const of = (value: boolean | undefined, missing: string | undefined): Signal => {
    if (missing !== undefined) return absent(missing);
    return value === undefined ? noSuccess : found(value);
  };
  const agentMissing = device === undefined ? (userAgent ? undefined : 'no user agent was sent') : 'a device was named';
  return {
    device_known: of(known.device, device === undefined ? NO_DEVICE : isOwnDevice ? undefined : BY_SCRIPT),
    script_device_known: of(known.device, device === undefined ? NO_DEVICE : isOwnDevice ? BY_SERVICE : undefined),
    address_known: of(known.network, network === undefined ? NO_ADDRESS : undefined),
    user_agent_known: of(known.userAgent, agentMissing),
    days_since_success:
      known.lastSuccessAt === undefined ? noSuccess : found(Math.floor((clock.now() - known.lastSuccessAt) / DAY_MS)),
  };
}

/** The signals of an attempt whose counters could not be read, by their names. */
const unreadableNames = [
  'device_known',
  'script_device_known',
  'address_known',
  'user_agent_known',
  'days_since_success',
] as const;
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

/** The signals of an attempt, each with its value or the reason why it was not evaluated. */
export function computeSignals(read: ReadFacts): Signals {
  const { method, userAgent, signalsId, subjects, isOwnDevice, profile, script, place, noPlace } = read;
  const device = subjects.device === undefined ? undefined : profile?.device;
  const travel = { travel_km: absent(UNREADABLE), travel_kmh: absent(UNREADABLE) };
  return {
    ...emailSignals(profile?.email),
    email_disposable: found(isDisposable(readDomain(subjects.email))),
    ...withPrefix('address', sharedCounts(profile?.network, missing(profile, NO_ADDRESS))),
    ...withPrefix('device', sharedCounts(device, missing(profile, NO_DEVICE))),
    ...(profile === undefined ? unreadable : knownSignals(profile, subjects, isOwnDevice)),
    ...agentSignals(userAgent, script, signalsId),
    country: place === undefined ? absent(noPlace ?? NO_TABLE) : found(place.country),
    ...(profile === undefined ? travel : travelSignals(profile.known, place, noPlace)),
    method: found(method),
  };
}

const missing = (profile: Profile | undefined, reason: string): string => (profile === undefined ? UNREADABLE : reason);
