import * as z from 'zod';

import { SIGNATURE_HEADERS } from './compatibility.ts';

const milliseconds = (fallback: number) => z.coerce.number().int().min(0).default(fallback);
const text = z.string().default('');
const list = text.transform((items) => items.split(',').filter((item) => item !== ''));
const headerNames = text.transform((name) => (name === '' ? SIGNATURE_HEADERS : [name]));

/** The environment variables of functions; each function has only those that the topology grants it. */
const Settings = z.object({
  GATEHOUSE_STAGE: z.string().default('local'),
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
  GATEHOUSE_OBJECT_LOCK: z.enum(['on', 'off']).default('on'),
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
  GATEHOUSE_MAIL_FROM: z.string().default('Gatehouse <no-reply@gatehouse.invalid>'),
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
  GATEHOUSE_EVENT_HORIZON_MS: milliseconds(5_000),
  GATEHOUSE_EVENT_RETENTION_DAYS: z.coerce.number().int().min(1).default(90),
  /** Time for which a credential is cached: the maximum delay of a revocation. */
  GATEHOUSE_CREDENTIAL_CACHE_MS: milliseconds(5_000),
  /** CIDRs that outgoing requests may reach although they are not public. */
  GATEHOUSE_EGRESS_ALLOW: list,
  /** `host:port` of the resolver for domain verification; empty for the system's own. */
  GATEHOUSE_DNS_SERVER: text,
  /** `off` disables the limits per client address, for load tests; limits against guessing still apply. */
  GATEHOUSE_ADDRESS_LIMITS: z.enum(['on', 'off']).default('on'),
  /** The secret into which the stage's first API key is written; only one function gets its name. */
  GATEHOUSE_FIRST_KEY_SECRET: text,
  GATEHOUSE_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

/** The parsed settings of this process. */
export type Settings = z.output<typeof Settings>;

let parsed: Settings | undefined;

/**
 * Parses the settings at the first call and caches them.
 * @throws ZodError naming the variable if its value is invalid
 */
export function settings(): Settings {
  parsed ??= Settings.parse(process.env);
  return parsed;
}

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
