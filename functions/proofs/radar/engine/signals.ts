/**
 * The facts that rules can use, with their types. An attempt has each of them: with a value, or with the reason why it
 * was not evaluated.
 */
export const SIGNALS = {
  email_attempts_minute: 'number',
  email_attempts_hour: 'number',
  email_attempts_day: 'number',
  /** Number of attempts for which no success was reported. */
  email_unconfirmed_hour: 'number',
  email_sign_ups_day: 'number',
  email_disposable: 'boolean',
  address_attempts_minute: 'number',
  address_attempts_hour: 'number',
  address_attempts_day: 'number',
  address_unconfirmed_hour: 'number',
  /** Number of different emails, which is exact below ten and an estimate above. */
  address_emails_hour: 'number',
  address_emails_day: 'number',
  address_sign_ups_day: 'number',
  /** True if the email had a success from this address, or its IPv6 /64. */
  address_known: 'boolean',
  device_attempts_minute: 'number',
  device_attempts_hour: 'number',
  device_attempts_day: 'number',
  device_unconfirmed_hour: 'number',
  device_emails_hour: 'number',
  device_emails_day: 'number',
  device_sign_ups_day: 'number',
  /** True if the email had a success by this device, which the service itself recognizes by its cookie. */
  device_known: 'boolean',
  /**
   * True if the email had a success by this device, which the script in a page of yours has named. The browser of anyone who
   * can read that page's storage can name it too, so it does not exempt from brute-force rules.
   */
  script_device_known: 'boolean',
  /**
   * True if the email had a success with this user agent, for an attempt that names no device. Anyone can send it, so it
   * exempts from nothing.
   */
  user_agent_known: 'boolean',
  /** The kind: `browser`, `empty`, `tool`, `headless`, `impossible` or `unknown`. */
  user_agent_kind: 'string',
  /** True if the browser reported that a program controls it. */
  automation: 'boolean',
  days_since_success: 'number',
  /** The country (ISO 3166-1 alpha-2). */
  country: 'string',
  /** The distance from the location of the last success, less the uncertainty of both. */
  travel_km: 'number',
  travel_kmh: 'number',
  method: 'string',
} as const satisfies Record<string, 'number' | 'boolean' | 'string'>;

export type SignalName = keyof typeof SIGNALS;

export type SignalValue = number | boolean | string;

/** A fact of an attempt: its value, or the reason why it was not evaluated. */
export type Signal = { value: SignalValue } | { notEvaluated: string };

/** The reason of signals that are counted, if the counters could not be read. */
export const UNREADABLE = 'the counters could not be read';

/** The facts of an attempt. */
export type Signals = Readonly<Record<SignalName, Signal>>;

export const SIGNAL_NAMES = Object.keys(SIGNALS) as SignalName[];

/** The value of a fact; undefined if it was not evaluated. */
export const readValue = (signal: Signal | undefined): SignalValue | undefined =>
  signal !== undefined && 'value' in signal ? signal.value : undefined;

const OWN_SOURCES: Partial<Record<SignalName, string>> = {
  email_disposable: 'the list of disposable domains',
  address_known: 'reported successes of this mailbox, by network',
  device_known: 'reported successes of this mailbox, by the device that the service knows',
  script_device_known: 'reported successes of this mailbox, by the device that the script named',
  user_agent_known: 'reported successes of this mailbox, by user agent',
  user_agent_kind: 'the user agent of the attempt',
  automation: 'the script in the page',
  days_since_success: 'the last reported success of this mailbox',
  country: 'the place of the address',
  travel_km: 'the places of the address and of the last reported success',
  travel_kmh: 'the places and times of the attempt and of the last reported success',
  method: 'the attempt',
};

const COUNTED = {
  email: 'attempts for this mailbox',
  address: 'attempts from this network',
  device: 'attempts by this device',
};

/** The source of a signal. */
export const findSource = (name: SignalName): string =>
  OWN_SOURCES[name] ?? COUNTED[name.slice(0, name.indexOf('_')) as keyof typeof COUNTED];

/** Facts in the form in which they are stored: values by name, and names by the reason why they have none. */
export interface PackedSignals {
  values: Partial<Record<SignalName, SignalValue>>;
  absent: Record<string, SignalName[]>;
}

/** Packs facts, so that an attempt is a row of some 2 KB. */
export function packSignals(signals: Signals): PackedSignals {
  const packed: PackedSignals = { values: {}, absent: {} };
  for (const name of SIGNAL_NAMES) {
    const signal = signals[name];
    if ('value' in signal) packed.values[name] = signal.value;
    else (packed.absent[signal.notEvaluated] ??= []).push(name);
  }
  return packed;
}

/** The facts of {@link packSignals}. A signal that a later version of the service added has no value. */
export function unpackSignals({ values, absent }: PackedSignals): Signals {
  const reasons = new Map(Object.entries(absent).flatMap(([reason, names]) => names.map((name) => [name, reason])));
  return Object.fromEntries(
    SIGNAL_NAMES.map((name): [SignalName, Signal] => {
      const value = values[name];
      const notEvaluated = reasons.get(name) ?? 'the attempt is older than this signal';
      return [name, value === undefined ? { notEvaluated } : { value }];
    }),
  ) as Signals;
}
