import * as z from 'zod';

import { SIGNATURE_HEADERS } from './compatibility.ts';

const milliseconds = (fallback: number) => z.coerce.number().int().min(0).default(fallback);
const text = z.string().default('');
const list = text.transform((items) => items.split(',').filter((item) => item !== ''));
const headerNames = text.transform((name) => (name === '' ? SIGNATURE_HEADERS : [name]));

/** What a function may learn from its environment; each function is given only what the topology grants it. */
const Settings = z.object({
  GATEHOUSE_STAGE: z.string().default('local'),
  /** Name of the single table. */
  GATEHOUSE_TABLE: text,
  /** Name of the small table of destroyable keys: no backup, no stream. */
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
  /** `off` where the bucket of roots has no Object Lock: in a preview, which leaves no bucket behind. */
  GATEHOUSE_OBJECT_LOCK: z.enum(['on', 'off']).default('on'),
  /** ARN of the KMS key that signs evidence: asymmetric, ECC_NIST_P256. */
  GATEHOUSE_EVIDENCE_KEY: text,
  /** Where callers reach the API, without a trailing slash. */
  GATEHOUSE_BASE_URL: text,
  /**
   * The registrable domain of that address (`example.com` of `auth.example.com`), worked out where the service is started or
   * deployed, which spares functions the list of public suffixes; empty where nobody can register one.
   */
  GATEHOUSE_REGISTRABLE_DOMAIN: text,
  /**
   * SHA-256 in hexadecimal of the secrets by which CloudFront proves itself: the current one and the next. Calls that
   * bring neither are refused; empty where no CloudFront stands before the API.
   */
  GATEHOUSE_EDGE_DIGESTS: list,
  /** Sender of all mail. */
  GATEHOUSE_MAIL_FROM: z.string().default('Gatehouse <no-reply@gatehouse.invalid>'),
  /** The configuration set of SES that keeps from mailing an address which bounced; empty for none. */
  GATEHOUSE_MAIL_SET: text,
  /**
   * The one name of the vendor-style signature header, whose form the official SDKs verify; empty for both that
   * `SIGNATURE_HEADERS` holds.
   */
  GATEHOUSE_SIGNATURE_HEADER: headerNames,
  /** How long GET /events waits for an event whose id is minted and whose transaction may still commit (README.md, Decisions). */
  GATEHOUSE_EVENT_HORIZON_MS: milliseconds(5_000),
  GATEHOUSE_EVENT_RETENTION_DAYS: z.coerce.number().int().min(1).default(90),
  /** How long a credential is remembered before it is read again: the bound on a revocation's delay. */
  GATEHOUSE_CREDENTIAL_CACHE_MS: milliseconds(5_000),
  /** CIDRs that outbound calls may reach although they are not public. */
  GATEHOUSE_EGRESS_ALLOW: list,
  /** `host:port` of the resolver for domain verification; empty for the system's own. */
  GATEHOUSE_DNS_SERVER: text,
  /** `off` lifts the limits per client address, for load tests; what can be guessed is counted all the same. */
  GATEHOUSE_ADDRESS_LIMITS: z.enum(['on', 'off']).default('on'),
  /** Secret into which the stage's first API key is put; known to the one function that does so. */
  GATEHOUSE_FIRST_KEY_SECRET: text,
  GATEHOUSE_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

/** The parsed settings of this process. */
export type Settings = z.output<typeof Settings>;

let parsed: Settings | undefined;

/**
 * The settings, parsed at the first call and kept.
 * @throws ZodError naming the variable, when one has a value that it cannot have.
 */
export function settings(): Settings {
  parsed ??= Settings.parse(process.env);
  return parsed;
}

/** Forgets the parsed settings, so that a runtime which has changed its environment is read again. */
export function forgetSettings(): void {
  parsed = undefined;
}
