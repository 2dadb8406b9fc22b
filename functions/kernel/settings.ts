import { SIGNATURE_HEADERS } from './compatibility.ts';

/** Reads the value of an environment variable. @throws RangeError that names the variable if its value is invalid */
type Read<T> = (value: string | undefined, name: string) => T;

const text: Read<string> = (value = '') => value;
const list: Read<string[]> = (value = '') => value.split(',').filter((item) => item !== '');
const headerNames: Read<readonly string[]> = (value = '') => (value === '' ? SIGNATURE_HEADERS : [value]);

const textOr =
  (fallback: string): Read<string> =>
  (value = fallback) =>
    value;

const integer =
  (fallback: number, least = 0): Read<number> =>
  (value, name) => {
    if (value === undefined) return fallback;
    const number = Number(value);
    if (Number.isSafeInteger(number) && number >= least) return number;
    throw new RangeError(`${name} is ${value}, but is an integer of at least ${least}`);
  };

/** One of some values, the first of which is the default. */
const oneOf =
  <const Value extends string>(...values: readonly [Value, ...Value[]]): Read<Value> =>
  (value = values[0], name) => {
    const found = values.find((each) => each === value);
    if (found !== undefined) return found;
    throw new RangeError(`${name} is ${value}, but is one of ${values.join(', ')}`);
  };

/**
 * The environment variables of functions; each function has only those that the topology grants it. They are read without Zod, whose first
 * schema of each class takes as long to make as some calls of the table: loading a function makes no schema.
 */
const variables = {
  GATEHOUSE_STAGE: textOr('local'),
  /** Name of the single table. */
  GATEHOUSE_TABLE: text,
  /** Name of the small table of destroyable keys, which has no backup and no stream. */
  GATEHOUSE_KEY_TABLE: text,
  GATEHOUSE_BUS: text,
  /** ARN of the stage's KMS key. */
  GATEHOUSE_KMS_KEY: text,
  GATEHOUSE_QUEUE_DELIVERIES: text,
  GATEHOUSE_QUEUE_MESSAGES: text,
  GATEHOUSE_QUEUE_AUDIT_LOGS: text,
  /** Names of the buckets. */
  GATEHOUSE_BUCKET_AUDIT: text,
  GATEHOUSE_BUCKET_AUDIT_ROOTS: text,
  /** The value `off` if the bucket of roots has no Object Lock, as in a preview, which must not leave a bucket behind. */
  GATEHOUSE_OBJECT_LOCK: oneOf('on', 'off'),
  /** ARN of the KMS key that signs audit log seals and receipts (asymmetric, ECC_NIST_P256). */
  GATEHOUSE_EVIDENCE_KEY: text,
  /** The public address of the API, without a trailing slash. */
  GATEHOUSE_BASE_URL: text,
  /** The public address of the console, without a trailing slash; empty if it is that of the API. */
  GATEHOUSE_CONSOLE_URL: text,
  /** The CIDRs of the networks that may reach the console; empty if all may. */
  GATEHOUSE_CONSOLE_NETWORKS: list,
  /**
   * The registrable domain of the API's address (`example.com` of `auth.example.com`), computed when the service is started
   * or deployed, so that functions need no list of public suffixes; empty if there is none.
   */
  GATEHOUSE_REGISTRABLE_DOMAIN: text,
  /**
   * SHA-256 in hexadecimal of the secrets with which CloudFront authenticates itself: the current one and the next.
   * Calls with neither are rejected; empty if there is no CloudFront in front of the API.
   */
  GATEHOUSE_EDGE_DIGESTS: list,
  /** Sender of all mail. */
  GATEHOUSE_MAIL_FROM: textOr('Gatehouse <no-reply@gatehouse.invalid>'),
  /** The configuration set of SES that suppresses mail to addresses that bounced; empty if there is none. */
  GATEHOUSE_MAIL_SET: text,
  /**
   * The only name of the vendor-style signature header, which the official SDKs verify; if empty, both names in
   * `SIGNATURE_HEADERS` are used.
   */
  GATEHOUSE_SIGNATURE_HEADER: headerNames,
  /**
   * Time for which GET /events waits for an event whose id exists and whose transaction may still commit (README.md,
   * "Decisions").
   */
  GATEHOUSE_EVENT_HORIZON_MS: integer(5_000),
  GATEHOUSE_EVENT_RETENTION_DAYS: integer(90, 1),
  /** The number of the deployment among those that share a table by replication; it writes the environments that have the same. */
  GATEHOUSE_WRITER_EPOCH: integer(0),
  /** Time for which a credential is cached: the maximum delay of a revocation. */
  GATEHOUSE_CREDENTIAL_CACHE_MS: integer(5_000),
  /** CIDRs that outgoing requests may reach although they are not public. */
  GATEHOUSE_EGRESS_ALLOW: list,
  /** `host:port` of the resolver for domain verification; empty for the system's own. */
  GATEHOUSE_DNS_SERVER: text,
  /** `off` disables the limits per client address, for load tests; limits against guessing still apply. */
  GATEHOUSE_ADDRESS_LIMITS: oneOf('on', 'off'),
  /** The secret into which the stage's first API key is written; only one function gets its name. */
  GATEHOUSE_FIRST_KEY_SECRET: text,
  /** `on` records the duration of every call as a metric of its operation. */
  GATEHOUSE_OPERATION_METRICS: oneOf('off', 'on'),
  /** The function and its version, which Lambda sets; empty elsewhere. */
  AWS_LAMBDA_FUNCTION_NAME: text,
  AWS_LAMBDA_FUNCTION_VERSION: text,
  GATEHOUSE_LOG_LEVEL: oneOf('info', 'debug', 'warn', 'error', 'silent'),
};

/** The parsed settings of this process. */
export type Settings = { [Name in keyof typeof variables]: ReturnType<(typeof variables)[Name]> };

let parsed: Settings | undefined;

/**
 * Parses the settings at the first call and caches them.
 * @throws RangeError that names the variable if its value is invalid
 */
export function settings(): Settings {
  parsed ??= Object.fromEntries(
    Object.entries(variables).map(([name, read]) => [name, read(process.env[name], name)]),
  ) as Settings;
  return parsed;
}

/** Milliseconds for which a credential, and whatever a revocation ends, is cached (GATEHOUSE_CREDENTIAL_CACHE_MS). */
export const credentialCacheMs = (): number => settings().GATEHOUSE_CREDENTIAL_CACHE_MS;

/** Discards the parsed settings, so that changed environment variables are read again. */
export function forgetSettings(): void {
  parsed = undefined;
}

/**
 * A value of the process that depends on its settings, such as an AWS client. It is made at the first use, and again when a
 * runtime has changed the settings.
 * @param close releases the former value
 */
export function perSettings<T>(make: (current: Settings) => T, close?: (former: T) => void): () => T {
  let shared: { of: Settings; value: T } | undefined;
  return () => {
    const current = settings();
    if (shared?.of !== current) {
      if (shared !== undefined) close?.(shared.value);
      shared = { of: current, value: make(current) };
    }
    return shared.value;
  };
}
