import type { Node } from 'constructs';
import * as z from 'zod';

import { parseNetwork } from '../../functions/kernel/http/networks.ts';

/** A boolean setting: `-c name=true` arrives as text, in cdk.json it is a boolean. */
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);
const arn = (service: string) =>
  z.string().regex(new RegExp(`^arn:[a-z-]+:${service}:`), `must be the ARN of ${service}`);
const hostname = z
  .string()
  .regex(/^(?=.{4,253}$)([a-z0-9-]{1,63}\.)+[a-z]{2,63}$/, 'must be a host name in lower case');

/**
 * The settings of a deployment: by `-c name=value`, or in cdk.json below `stages.<stage>`, where null is the same as
 * absence. An option of the command overrides the file.
 */
const Choices = z.strictObject({
  /**
   * True retains the data when a stack is deleted or a table replaced, and protects it from deletion. By default it is true
   * for prod and staging.
   */
  protect: flag.optional(),
  /** True disables all triggers (relay, queues, rules, schedules): for a drill on a copy of real data. */
  paused: flag.default(false),
  /** False permits deploying a fix while an alarm is active, which would otherwise roll it back at once. */
  rollback: flag.default(true),
  alarmEmail: z.email().optional(),
  /**
   * True adds a dashboard; CloudWatch charges for more than three in an account. By default it is the value of `protect`.
   */
  dashboard: flag.optional(),
  /** True records the duration of every call as a metric of its operation, at USD 0.30 a month for each that is called. */
  operationMetrics: flag.default(false),
  /** False leaves out the console. */
  console: flag.default(true),
  /** CIDRs, separated by commas, of the networks that may reach the console; all if absent. */
  consoleNetworks: z
    .string()
    .refine(
      (text) => text.split(',').every((each) => parseNetwork(each) !== undefined),
      'must be CIDRs: 192.0.2.0/24,2001:db8::/32',
    )
    .optional(),
  /** Certificate in the stage's region for `console.<domain>`; without it the console keeps its host name of AWS. */
  consoleCertificateArn: arn('acm').optional(),
  /** Sender of all mail, as `Name <address>`; its domain or address must be a verified SES identity of the region. */
  mailFrom: z.string().default(() => NO_SENDER),
  /** Host name of the API for callers. */
  domain: hostname.optional(),
  /** Certificate in the stage's region, for `domain`, or for `originDomain` behind CloudFront. */
  certificateArn: arn('acm').optional(),
  cloudfront: flag.default(false),
  /** Host name of the API behind CloudFront; callers use `domain`. */
  originDomain: hostname.optional(),
  /** Certificate in us-east-1 for `domain`, as CloudFront requires. */
  edgeCertificateArn: arn('acm').optional(),
  /** True if CloudFront reports the country and location of viewers, for Radar. */
  viewerPlace: flag.default(false),
  /** The number of the secret with which CloudFront authenticates itself; incrementing it rotates the secret. */
  edgeSecret: z.coerce.number().int().min(1).default(1),
  /** Maximum number of requests from one address, or with one credential, in five minutes; only with CloudFront. */
  edgeRateLimit: z.coerce.number().int().min(10).default(10_000),
  /** A restored table that replaces the stage's own, and its stream. */
  tableArn: arn('dynamodb').optional(),
  tableStreamArn: arn('dynamodb').optional(),
  /** The number of this deployment among those whose tables are replicas of each other; the writer's is the environments'. */
  writerEpoch: z.coerce.number().int().min(0).default(0),
  logLevel: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  /** Reserved concurrency of each area's function; unlimited if absent. */
  areaConcurrency: z.coerce.number().int().min(1).optional(),
  /** Throttling of API Gateway for the whole stage, as average rate and burst; if absent, that of the topology. */
  throttleRate: z.coerce.number().int().min(1).optional(),
  throttleBurst: z.coerce.number().int().min(1).optional(),
  /** The load of the stage at its peak, in calls a second: for warm throughput, and the quotas that the doctor compares. */
  expectedSignIns: z.coerce.number().min(0).optional(),
  expectedRefreshes: z.coerce.number().min(0).optional(),
  expectedChecks: z.coerce.number().min(0).optional(),
  /** The account's quota of routes of an HTTP API, if it was raised. */
  mostRoutes: z.coerce.number().int().min(1).default(300),
  /** The only name of the vendor-style signature header; if empty, both usual names are used. */
  signatureHeader: z
    .string()
    .regex(/^([A-Za-z][A-Za-z0-9-]{0,63})?$/)
    .default(''),
  eventRetentionDays: z.coerce.number().int().min(1).default(90),
  /** CIDRs, separated by commas, that outgoing requests may reach although they are not public. */
  egressAllow: z.string().default(''),
});

const StageName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,15}$/, 'must have 1 to 16 lower-case letters, digits and hyphens, and start with a letter');

/** The sender of a stage without `mailFrom`: an address that cannot exist (RFC 2606). */
const NO_SENDER = 'Gatehouse <no-reply@gatehouse.invalid>';

/** True if mail has a sender. Without a sender the stage sends no mail. */
export const hasSender = ({ mailFrom }: Pick<StageSettings, 'mailFrom'>): boolean => mailFrom !== NO_SENDER;

/** The source of settings: a CDK app, or the context of a cdk.json. */
export type Context = Pick<Node, 'tryGetContext'>;

/** The parsed settings of one stage. */
export type StageSettings = Omit<z.output<typeof Choices>, 'protect' | 'dashboard'> & {
  stage: string;
  protect: boolean;
  dashboard: boolean;
};

/** Stages that retain their data by default. */
const LASTING: readonly string[] = ['prod', 'staging'];

/**
 * The settings of the stage that `-c stage=…` names.
 * @throws Error that names the flag if it is missing or invalid
 */
export function stageSettings(node: Context): StageSettings {
  const stage = StageName.safeParse(node.tryGetContext('stage') ?? 'dev');
  if (!stage.success) throw new Error(`-c stage=… ${stage.error.issues[0]?.message ?? ''}`);
  const written = (node.tryGetContext('stages') as Record<string, object> | undefined)?.[stage.data] ?? {};
  const flags = Object.keys(Choices.shape).map((name) => [name, node.tryGetContext(name) as unknown] as const);
  const given = Object.fromEntries(
    [...Object.entries(written), ...flags].filter(([, value]) => value !== undefined && value !== null),
  );
  const choices = Choices.safeParse(given);
  if (!choices.success) {
    throw new Error(choices.error.issues.map(({ path, message }) => `-c ${path.join('.')}: ${message}`).join('; '));
  }
  const { protect = LASTING.includes(stage.data), dashboard = protect } = choices.data;
  const settings = { ...choices.data, stage: stage.data, protect, dashboard };
  rejectHalves(settings);
  return settings;
}

/** Rejects a setting if another one that it requires is missing. */
function rejectHalves(settings: StageSettings): void {
  const needs = (name: keyof StageSettings, others: readonly (keyof StageSettings)[]) => {
    const missing = others.filter((other) => settings[other] === undefined);
    if (missing.length > 0) throw new Error(`-c ${name} needs ${missing.map((other) => `-c ${other}`).join(', ')} too`);
  };
  if (settings.tableArn !== undefined) needs('tableArn', ['tableStreamArn']);
  if (settings.domain !== undefined) needs('domain', ['certificateArn']);
  if (settings.consoleCertificateArn !== undefined) needs('consoleCertificateArn', ['domain']);
  if (settings.cloudfront) needs('cloudfront', ['domain', 'originDomain', 'certificateArn', 'edgeCertificateArn']);
}

/** The host name of the API itself: the name of the origin if CloudFront is used, otherwise the domain of the stage. */
export const apiHost = ({ cloudfront, domain, originDomain }: StageSettings): string | undefined =>
  cloudfront ? originDomain : domain;

/** The console's own host name; undefined if it has that of AWS. */
export const consoleHost = ({ domain, consoleCertificateArn }: StageSettings): string | undefined =>
  domain === undefined || consoleCertificateArn === undefined ? undefined : `console.${domain}`;
