import { DAY_MS, HOUR_MS } from '../../../../kernel/durations.ts';
import type { DirectoryState } from '../../../../sign-in/directory-sync/public.ts';
import type { ProposalRecord } from '../../../../kernel/approvals/entity.ts';
import type { SuppressionRecord } from '../../../../outbound/messages/public.ts';
import type { ConnectionValidity } from '../../../../sign-in/sso/public.ts';
import type { EndpointState } from '../../../../outbound/webhooks/public.ts';

/** `problem`: something does not work; `warning`: it will stop working, or could not be examined; `notice`: for information. */
export const SEVERITIES = ['problem', 'warning', 'notice'] as const;

export const ATTENTION_KINDS = [
  'webhook_endpoint_disabled',
  'webhook_endpoint_failing',
  'connection_certificates_expired',
  'connection_certificate_expiring',
  'directory_tokens_expired',
  'directory_token_expiring',
  'directory_never_connected',
  'email_suppressed',
  'contact_missing',
  'proposal_waiting',
  'stage_prerequisite',
  'stage_examination_old',
] as const;

/** Something that needs attention. */
export interface Attention {
  kind: (typeof ATTENTION_KINDS)[number];
  severity: (typeof SEVERITIES)[number];
  /** The record; undefined for the environment itself. */
  id?: string | undefined;
  name?: string | undefined;
  organizationId?: string | undefined;
  /** The time since when it is so, or of the expiry (ISO 8601). */
  time?: string | undefined;
  message: string;
  /** The path of the operation that shows the record. */
  source: string;
}

/** Days before an expiry from which it is reported. */
const EXPIRY_DAYS = 30;
/** Days after which a directory without a call, or a suppression, is reported, or no longer. */
const WEEK_DAYS = 7;
/** Failed attempts in a row from which an endpoint is reported: its circuit is open. */
const FAILURES = 5;

/** Endpoints that were disabled by the service, or that fail. */
export const examineEndpoints = (endpoints: readonly EndpointState[]): Attention[] =>
  endpoints.flatMap(({ id, url, status, disabledReason, updatedAt, failures, failingSince }): Attention[] => {
    const record = { id, name: url, source: `/x/webhook_endpoints/${id}` };
    if (status === 'disabled' && disabledReason !== undefined && disabledReason !== 'request') {
      const why = disabledReason === 'gone' ? 'it responded 410' : 'it has failed for five days';
      const message = `The webhook endpoint was disabled, because ${why}. Mend it, enable it, then resend what failed.`;
      return [{ ...record, kind: 'webhook_endpoint_disabled', severity: 'problem', time: updatedAt, message }];
    }
    if (status === 'disabled' || failures < FAILURES) return [];
    const message = `The last ${failures} attempts at the webhook endpoint failed: its deliveries wait.`;
    return [{ ...record, kind: 'webhook_endpoint_failing', severity: 'problem', time: failingSince, message }];
  });

/** Connections whose certificates have expired, or will within a month. */
export const examineConnections = (connections: readonly ConnectionValidity[], now: number): Attention[] =>
  connections.flatMap(({ id, name, organizationId, state, hasLapsed, nextEnd, updatedAt }): Attention[] => {
    const record = { id, name, organizationId, source: `/connections/${id}` };
    if (hasLapsed) {
      const message =
        'All certificates of the identity provider have expired: no user signs in through the connection.';
      return [{ ...record, kind: 'connection_certificates_expired', severity: 'problem', time: updatedAt, message }];
    }
    if (state !== 'active' || nextEnd === undefined || nextEnd - now > EXPIRY_DAYS * DAY_MS) return [];
    const days = Math.max(0, Math.ceil((nextEnd - now) / DAY_MS));
    const time = new Date(nextEnd).toISOString();
    const message = `A certificate of the connection expires in ${days} days.`;
    return [{ ...record, kind: 'connection_certificate_expiring', severity: 'warning', time, message }];
  });

/** Directories that never received a call, and those whose tokens expire. */
export const examineDirectories = (directories: readonly DirectoryState[], now: number): Attention[] =>
  directories.flatMap(({ id, name, organizationId, state, createdAt, tokensEndAt }): Attention[] => {
    const record = { id, name, organizationId, source: `/x/directories/${id}` };
    if (state === 'validating' && now - Date.parse(createdAt) > WEEK_DAYS * DAY_MS) {
      const message = 'The identity provider has never called the directory.';
      return [{ ...record, kind: 'directory_never_connected', severity: 'notice', time: createdAt, message }];
    }
    if (state !== 'active' || tokensEndAt === undefined) return [];
    const left = Date.parse(tokensEndAt) - now;
    if (left <= 0) {
      const message = 'All tokens of the directory have expired: calls of the identity provider are rejected.';
      return [{ ...record, kind: 'directory_tokens_expired', severity: 'problem', time: tokensEndAt, message }];
    }
    if (left > EXPIRY_DAYS * DAY_MS) return [];
    const message = `The last token of the directory expires in ${Math.ceil(left / DAY_MS)} days.`;
    return [{ ...record, kind: 'directory_token_expiring', severity: 'warning', time: tokensEndAt, message }];
  });

/** Addresses that were suppressed in the last week, which are named only to callers that may read people. */
export const examineSuppressions = (
  suppressions: readonly SuppressionRecord[],
  now: number,
  { isNamed }: { isNamed: boolean },
): Attention[] =>
  suppressions
    .filter(({ createdAt }) => now - Date.parse(createdAt) <= WEEK_DAYS * DAY_MS)
    .map(({ id, email, reason, createdAt }) => ({
      kind: 'email_suppressed',
      severity: 'notice',
      id,
      name: isNamed ? email : undefined,
      time: createdAt,
      message:
        reason === 'bounce'
          ? 'A mail bounced: the address gets no mail.'
          : 'A mail was reported as spam: the address gets no mail.',
      source: `/x/messages/suppressions/${id}`,
    }));

/** A finding of `npm run doctor`: see `lib/doctor/finding.ts`. */
export interface StageFinding {
  name: string;
  state: 'ok' | 'note' | 'missing' | 'unread';
  text: string;
}

const SEVERITY_OF = { ok: 'notice', note: 'notice', missing: 'problem', unread: 'warning' } as const;

/** Hours after which an examination of the stage is reported as old. */
const EXAMINATION_HOURS = 48;

/** The last findings of the two examinations of the stage. */
export interface StageExamination {
  examinedAt?: string | undefined;
  findings?: readonly StageFinding[] | undefined;
  dailyAt?: string | undefined;
  dailyFindings?: readonly StageFinding[] | undefined;
  /** The names of what the daily examination has examined. */
  dailyNames?: readonly string[] | undefined;
}

/**
 * The findings of the last examinations of the stage, each with its time; a warning for an examination that is two days old. Of what both
 * have examined, the later one counts.
 */
export function examineStage(last: StageExamination | undefined, now: number): Attention[] {
  const { examinedAt, dailyAt, findings = [], dailyFindings = [], dailyNames = [] } = last ?? {};
  const isDailyLater = dailyAt !== undefined && (examinedAt === undefined || dailyAt > examinedAt);
  const isOfDaily = ({ name }: StageFinding): boolean => dailyNames.includes(name);
  const ofCommand = isDailyLater ? findings.filter((each) => !isOfDaily(each)) : findings;
  const ofDaily = isDailyLater || examinedAt === undefined ? dailyFindings : [];
  return [
    ...listFindings(ofCommand, examinedAt, now, {
      source: 'npm run doctor',
      runs: 'the schedule of “npm run doctor -- --record” does not run',
    }),
    ...listFindings(ofDaily, dailyAt, now, {
      source: 'events-examine-stage',
      runs: 'the worker “events-examine-stage” does not run',
    }),
  ];
}

function listFindings(
  findings: readonly StageFinding[],
  time: string | undefined,
  now: number,
  { source, runs }: { source: string; runs: string },
): Attention[] {
  if (time === undefined) return [];
  const found = findings.map(({ name, state, text }): Attention => {
    const message = `The stage: ${name}: ${text}`;
    return { kind: 'stage_prerequisite', severity: SEVERITY_OF[state], name, time, message, source };
  });
  if (now - Date.parse(time) <= EXAMINATION_HOURS * HOUR_MS) return found;
  const message = `The stage was last examined more than two days ago: ${runs}.`;
  return [...found, { kind: 'stage_examination_old', severity: 'warning', time, message, source }];
}

/** Proposals that wait for the decision of a second operator. */
export const examineProposals = (proposals: readonly ProposalRecord[], now: number): Attention[] =>
  proposals
    .filter(({ state, endsAt }) => state === 'pending' && Date.parse(endsAt) > now)
    .map(({ id, operation, createdAt }) => ({
      kind: 'proposal_waiting',
      severity: 'notice',
      id,
      name: operation,
      time: createdAt,
      message: 'An operator waits for the approval of another one.',
      source: `/x/platform/stage/proposals/${id}`,
    }));

/** The environment's own settings. */
export const examineEnvironment = ({ contactEmail }: { contactEmail?: string | undefined }): Attention[] =>
  contactEmail === undefined
    ? [
        {
          kind: 'contact_missing',
          severity: 'notice',
          message: 'The environment has no contact address: no mail reports a disabled webhook endpoint.',
          source: '/x/environment/attention',
        },
      ]
    : [];

/** Problems first, then warnings and notices, each by its time. */
export const sortAttention = (found: readonly Attention[]): Attention[] =>
  found.toSorted(
    (one, other) =>
      SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity) ||
      ((one.time ?? '') < (other.time ?? '') ? -1 : 1),
  );
