import { createHash } from 'node:crypto';

import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { log } from '../../../kernel/log.ts';
import { sha256Hex } from '../../../kernel/keys/hash.ts';
import type { Write } from '../../../kernel/storage/write.ts';
import type { Action } from '../engine/controls.ts';
import type { Place } from '../engine/travel.ts';
import { profileUpdate, type SubjectKind, subjectId, updateProfile } from './entity.ts';
import {
  type Counts,
  computeCounts,
  currentBuckets,
  endedBuckets,
  MAX_OLD,
  oldBuckets,
  POSITIONS,
  type Row,
} from './windows.ts';

/** Time in seconds for which counts are stored: the current day and the last one. */
const COUNTED_SECONDS = 2 * 86_400 + 3_600;

/** Time in seconds for which a mailbox is known after its last success, and also its devices and networks. */
const KNOWN_SECONDS = 400 * 86_400;
const KNOWN_DEVICE_SECONDS = 180 * 86_400;

/** Maximum number of known devices, and of known networks, of a mailbox. The oldest are removed. */
const MAX_KNOWN = 30;

/** The subjects of an attempt. */
export interface Subjects {
  environmentId: string;
  /** The canonical mailbox. */
  email: string;
  /** The address, or its /64 network for IPv6; absent if it is not known. */
  network?: string | undefined;
  /** The name of the device; absent if it is not known. */
  device?: string | undefined;
  /** The user agent; null or empty if it is not known. */
  userAgent?: string | null | undefined;
}

/** The counts and known facts of an attempt's subjects, this attempt included. */
export interface Profile {
  email: Counts;
  network: Counts | undefined;
  device: Counts | undefined;
  known: Known;
}

/** The facts that are known from successes of a mailbox. */
export interface Known {
  /** The time of the last success, in milliseconds since the epoch; absent if none is known. */
  lastSuccessAt?: number | undefined;
  lastPlace?: Place | undefined;
  /** True if the device is known; absent if the attempt has no device, network or user agent. */
  device?: boolean | undefined;
  network?: boolean | undefined;
  userAgent?: boolean | undefined;
}

const short = (kind: string, text: string): string => `${kind}_${sha256Hex(text).slice(0, 20)}`;
const deviceMark = (device: string): string => short('k', `device ${device}`);
const agentMark = (userAgent: string): string => short('k', `agent ${userAgent}`);
const networkMark = (network: string): string => short('n', network);

/** The position of an email in the rows of networks and devices. */
const computePosition = (environmentId: string, email: string): number =>
  (createHash('sha256').update(`${environmentId} ${email}`).digest()[0] ?? 0) % POSITIONS;

const computeIds = ({ environmentId, email, network, device }: Subjects) => ({
  email: subjectId(environmentId, 'email', email),
  network: network === undefined ? undefined : subjectId(environmentId, 'network', network),
  device: device === undefined ? undefined : subjectId(environmentId, 'device', device),
});

/**
 * Counts an attempt at its mailbox, network and device, and reads their rows with it, by up to three UpdateItems in
 * parallel, in one round trip. Concurrent attempts are all counted.
 */
export async function countAttempt(subjects: Subjects, action: Action): Promise<Profile> {
  const now = clock.now();
  const { environmentId } = subjects;
  const ids = computeIds(subjects);
  const positions = new Set([computePosition(environmentId, subjects.email)]);
  const counted = async (kind: SubjectKind): Promise<Row | undefined> => {
    const id = ids[kind];
    if (id === undefined) return undefined;
    const names = [...currentBuckets('a', now), ...(action === 'sign-up' ? currentBuckets('u', now) : [])];
    const add = {
      ...Object.fromEntries(names.map((name) => [name, 1])),
      ...(kind === 'email' ? {} : Object.fromEntries(currentBuckets('e', now).map((name) => [name, positions]))),
    };
    const seconds = kind === 'email' ? KNOWN_SECONDS : COUNTED_SECONDS;
    const set = { expiresAt: Math.ceil(now / 1_000) + seconds };
    const row = await updateProfile(profileUpdate(environmentId, id, { set, add, remove: endedBuckets(now) }));
    await clean(environmentId, id, row, now);
    return row;
  };
  const [email = {}, network, device] = await awaitAll([counted('email'), counted('network'), counted('device')]);
  return {
    email: computeCounts(email, now),
    network: network && computeCounts(network, now),
    device: device && computeCounts(device, now),
    known: readKnown(email, subjects, now),
  };
}

/**
 * Removes old buckets of a row that had no attempts for a long time, and devices and networks beyond the newest 30 of each.
 * It runs rarely, and does not change the counts.
 */
async function clean(environmentId: string, id: string, row: Row, now: number): Promise<void> {
  const old = oldBuckets(row, now);
  const surplus = surplusMarks(row);
  if (old.length <= MAX_OLD && surplus.length === 0) return;
  const set = { expiresAt: Number(row.expiresAt) };
  const remove = [...old, ...surplus].slice(0, 100);
  await updateProfile(profileUpdate(environmentId, id, { set, remove })).catch((error: unknown) =>
    log.warn('old counts of Radar were not removed', { error }),
  );
}

function readKnown(row: Row, { network, device, userAgent }: Subjects, now: number): Known {
  const { lastSuccessAt, lastCountry, lastLatitude, lastLongitude } = row as Partial<Record<string, number>>;
  if (lastSuccessAt === undefined || lastSuccessAt < now - KNOWN_SECONDS * 1_000) return {};
  const since = now / 1_000 - KNOWN_DEVICE_SECONDS;
  const has = (mark: string): boolean => Number(row[mark] ?? 0) > since;
  const place = { latitude: lastLatitude, longitude: lastLongitude };
  return {
    lastSuccessAt,
    lastPlace: lastCountry === undefined ? undefined : { country: String(lastCountry), ...place },
    device: device === undefined ? undefined : has(deviceMark(device)),
    network: network === undefined ? undefined : has(networkMark(network)),
    userAgent: userAgent ? has(agentMark(userAgent)) : undefined,
  };
}

/**
 * The writes that store a success: the mailbox gets the time, location, device and network, and all subjects count it once.
 * There is one write for each subject.
 */
export function successWrites(subjects: Subjects, place: Place | undefined): Write[] {
  const now = clock.now();
  const { environmentId, network, device, userAgent } = subjects;
  const ids = computeIds(subjects);
  const seconds = Math.floor(now / 1_000);
  const add = Object.fromEntries(currentBuckets('s', now).map((name) => [name, 1]));
  const marks = [
    device === undefined ? undefined : deviceMark(device),
    userAgent ? agentMark(userAgent) : undefined,
    network === undefined ? undefined : networkMark(network),
  ].filter((mark) => mark !== undefined);
  const set = {
    expiresAt: seconds + KNOWN_SECONDS,
    lastSuccessAt: now,
    lastCountry: place?.country,
    lastLatitude: place?.latitude,
    lastLongitude: place?.longitude,
    ...Object.fromEntries(marks.map((mark) => [mark, seconds])),
  };
  // A location that is not known any more must not be compared.
  const remove = ['lastCountry', 'lastLatitude', 'lastLongitude'].filter(
    (name) => set[name as keyof typeof set] === undefined,
  );
  const counted = { expiresAt: seconds + COUNTED_SECONDS };
  return [
    profileUpdate(environmentId, ids.email, { set, add, remove }),
    ...[ids.network, ids.device]
      .filter((id) => id !== undefined)
      .map((id) => profileUpdate(environmentId, id, { set: counted, add })),
  ];
}

/** The attributes of a mailbox for devices and networks beyond the newest 30 of each. */
const surplusMarks = (row: Row): string[] =>
  ['k_', 'n_'].flatMap((prefix) =>
    Object.entries(row)
      .filter(([name]) => name.startsWith(prefix))
      .sort(([, a], [, b]) => Number(b) - Number(a))
      .slice(MAX_KNOWN)
      .map(([name]) => name),
  );
