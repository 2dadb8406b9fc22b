import { awaitAll } from '../../../kernel/concurrency.ts';
import { internetAddress } from '../../../kernel/internet-address.ts';
import { computeNetwork } from '../../../kernel/limits/client-network.ts';
import { log } from '../../../kernel/log.ts';
import type { Action, AuthMethod } from '../engine/controls.ts';
import { canonicalEmail } from '../engine/email.ts';
import type { Facts } from '../engine/evaluate.ts';
import type { Place } from '../engine/travel.ts';
import { findPlace } from '../geo/find.ts';
import { findHits, readLists } from '../list/match.ts';
import { countAttempt, type Subjects } from '../profile/count.ts';
import { deviceIn, useSignals } from '../signal/use.ts';
import { NO_ADDRESS, computeSignals } from './read-signals.ts';

/** The data of an attempt. */
export interface AttemptData {
  environmentId: string;
  action: Action;
  method: AuthMethod;
  email: string;
  /** The address; null if a back end did not forward it. */
  ipAddress: string | null;
  userAgent: string | null;
  /** The identifier from Radar's script in the browser. */
  signalsId?: string | undefined;
  /** The name of the device that the service itself knows, which overrides that of the script. */
  device?: string | undefined;
  /** The location that CloudFront reports, which overrides that of the table. */
  place?: Place | undefined;
}

/** An attempt with all its facts. */
export interface Measured {
  data: AttemptData;
  facts: Facts;
  subjects: Subjects;
  place: Place | undefined;
}

/** Awaits a read and returns undefined if it fails, so that the attempt is assessed without its result. */
async function orAbsent<T>(what: string, reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    log.warn('Radar assesses an attempt without a part of its facts', { missing: what, error });
    return undefined;
  }
}

/**
 * Counts an attempt and collects its facts in one round trip: the counters of mailbox, network and device with the devices
 * and the location of the last success, the lists, the location of the address, and the report of the script. Facts that
 * cannot be read are missing; no failure rejects the attempt.
 */
export async function measure(data: AttemptData): Promise<Measured> {
  const { environmentId, action, email, userAgent } = data;
  // Without JavaScript the field of the form is empty.
  const signalsId = data.signalsId || undefined;
  const address = data.ipAddress === null ? undefined : internetAddress(data.ipAddress.trim().toLowerCase());
  const mailbox = canonicalEmail(email) ?? email.trim().toLowerCase();
  const device = data.device ?? deviceIn(signalsId);
  const network = address === undefined ? undefined : computeNetwork(address);
  const named: Subjects = { environmentId, email: mailbox, network, device, userAgent };
  const listed = { address, email, device, userAgent };
  const [profile, lists, script, located] = await awaitAll([
    orAbsent('counters', countAttempt(named, action)),
    orAbsent('lists', readLists(environmentId, listed)),
    signalsId === undefined ? undefined : orAbsent('signals', useSignals(environmentId, signalsId)),
    data.place ?? orAbsent('place', locate(address)),
  ]);
  // A device that the script did not report for this attempt is ignored.
  const subjects = data.device === undefined && script === undefined ? { ...named, device: undefined } : named;
  const at = located ?? 'the table of places could not be read';
  const [place, noPlace] = typeof at === 'string' ? [undefined, at] : [at, undefined];
  const hits = lists && findHits(lists, { ...listed, device: subjects.device, country: place?.country });
  const signals = computeSignals({
    method: data.method,
    userAgent,
    signalsId,
    subjects,
    isOwnDevice: data.device !== undefined,
    profile,
    script,
    place,
    noPlace,
  });
  return { data, subjects, place, facts: { action, signals, lists: hits, areCounted: profile !== undefined } };
}

const locate = async (address: string | undefined): Promise<Place | string> =>
  address === undefined ? NO_ADDRESS : findPlace(address);
