import * as z from 'zod';

import { timestamp } from '../../../kernel/values.ts';
import { type Action, ACTIONS, AUTH_METHODS, CONTROLS, LIST_TYPES, type ListType, MODES } from '../engine/controls.ts';
import type { Assessment } from '../engine/evaluate.ts';
import { SIGNAL_NAMES, type SignalName, type Signals, findSource, UNREADABLE } from '../engine/signals.ts';
import type { Place } from '../engine/travel.ts';
import type { AttemptRecord } from './entity.ts';
import { readFacts } from './facts.ts';

/** The spelling of actions that earlier clients send. */
const SPELLED = { SIGN_UP: 'sign-up', SIGN_IN: 'sign-in' } as const satisfies Record<string, Action>;

export const CreateAttempt = z
  .object({
    ip_address: z
      .string()
      .min(1)
      .max(64)
      .describe('The IP address of the person, not of your server.')
      .meta({ example: '203.0.113.7' }),
    user_agent: z
      .string()
      .max(2_048)
      .meta({ example: 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0' }),
    email: z.string().max(320).meta({ format: 'email', example: 'ada@example.com' }),
    auth_method: z.enum(AUTH_METHODS),
    action: z
      .enum([...ACTIONS, ...(Object.keys(SPELLED) as (keyof typeof SPELLED)[])])
      .transform((given): Action => SPELLED[given as keyof typeof SPELLED] ?? (given as Action))
      .describe('What the person attempts.'),
    signals_id: z
      .string()
      .max(255)
      .optional()
      .describe('The id that the script of Radar in your page returned. It can be used once, within 15 minutes.'),
  })
  .meta({ id: 'RadarStandaloneAssessRequest' });

const verdict = z.enum(['allow', 'block', 'challenge']);

export const AttemptResult = z
  .object({
    verdict,
    reason: z.string(),
    attempt_id: z.string(),
    control: z
      .enum(CONTROLS)
      .optional()
      .describe('The control that decided; only with the verdict `block` or `challenge`.'),
    blocklist_type: z
      .enum(LIST_TYPES)
      .optional()
      .describe('The type of the list entry; only with the control `restriction`.'),
  })
  .meta({ id: 'RadarStandaloneResponse' });

export const UpdateAttempt = z
  .object({ challenge_status: z.literal('success').optional(), attempt_status: z.literal('success').optional() })
  .meta({ id: 'RadarStandaloneUpdateRadarAttemptRequest' });

const signal = z.enum(SIGNAL_NAMES as [SignalName, ...SignalName[]]);

export const ExplainedAttempt = z
  .object({
    object: z.literal('radar_attempt'),
    id: z.string(),
    verdict,
    reason: z.string(),
    control: z.enum(CONTROLS).nullable(),
    blocklist_type: z.enum(LIST_TYPES).nullable(),
    action: z.enum(ACTIONS),
    auth_method: z.enum(AUTH_METHODS),
    email: z.string(),
    ip_address: z.string().nullable(),
    user_agent: z.string().nullable(),
    challenge_status: z.literal('success').nullable(),
    attempt_status: z.literal('success').nullable(),
    rules_version: z.string().describe('`default.` and a number, or the version of the environment’s own rule set.'),
    lists: z
      .object({
        allow: z.array(z.enum(LIST_TYPES)),
        block: z.array(z.enum(LIST_TYPES)),
        not_evaluated: z
          .array(z.object({ type: z.enum(LIST_TYPES), reason: z.string() }))
          .describe('The types whose entries could not be compared with the attempt.'),
      })
      .nullable()
      .describe('The types of entries that match; null if the lists could not be read.'),
    signals: z.array(
      z.object({
        name: signal,
        value: z.union([z.number(), z.boolean(), z.string()]).nullable(),
        source: z.string(),
        not_evaluated: z.string().nullable().describe('The reason; null if there is a value.'),
      }),
    ),
    controls: z.array(
      z.object({
        control: z.enum(CONTROLS),
        mode: z.enum(MODES),
        points: z.int(),
        threshold: z.int(),
        triggered: z.boolean(),
      }),
    ),
    rules: z.array(
      z.object({
        name: z.string(),
        matched: z.boolean(),
        points: z.int().nullable().describe('The points of the rule; null if it did not match.'),
        not_evaluated: z.array(signal).describe('The signals in its conditions that have no value.'),
        exempt_by: z.array(signal).describe('The signals of the conditions of `unless` that were true.'),
      }),
    ),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'RadarAttempt' });

/** An assessment in the form of the API. */
export const presentResult = (
  id: string,
  {
    verdict: given,
    reason,
    control,
    blocklistType,
  }: Pick<Assessment, 'verdict' | 'reason' | 'control' | 'blocklistType'>,
): z.input<typeof AttemptResult> => ({
  verdict: given,
  reason,
  attempt_id: id,
  ...(control !== undefined && { control }),
  ...(blocklistType !== undefined && { blocklist_type: blocklistType }),
});

/** The source of a country that CloudFront has reported. */
const FROM_EDGE = 'the headers of CloudFront';

/** The signal that shows whether the entries of a type were compared with an attempt. */
const COMPARED_BY = {
  ip_address: 'address_attempts_minute',
  device: 'device_attempts_minute',
  user_agent: 'user_agent_kind',
  device_fingerprint: 'device_attempts_minute',
  country: 'country',
} as const satisfies Partial<Record<ListType, SignalName>>;

/** The list types whose entries could not be compared with an attempt, since it lacks what they name. */
function findUncompared(signals: Signals): { type: ListType; reason: string }[] {
  return Object.entries(COMPARED_BY).flatMap(([type, name]) => {
    const signal = signals[name];
    const isMissing = 'notEvaluated' in signal && signal.notEvaluated !== UNREADABLE;
    return isMissing ? [{ type: type as ListType, reason: signal.notEvaluated }] : [];
  });
}

/** An attempt with all data of its assessment. */
export function explain(record: AttemptRecord): z.input<typeof ExplainedAttempt> {
  const { signals, lists } = readFacts(record);
  const rules = record.rules as Assessment['rules'];
  const isFromEdge = (record.place as Place | undefined)?.source === 'CloudFront';
  return {
    object: 'radar_attempt',
    id: record.id,
    verdict: record.verdict,
    reason: record.reason,
    control: (record.control as Assessment['control']) ?? null,
    blocklist_type: (record.blocklistType as Assessment['blocklistType']) ?? null,
    action: record.action,
    auth_method: record.method,
    email: record.email,
    ip_address: record.ipAddress ?? null,
    user_agent: record.userAgent ?? null,
    challenge_status: record.challengeStatus ?? null,
    attempt_status: record.attemptStatus ?? null,
    rules_version: record.ruleVersion,
    lists:
      lists === undefined
        ? null
        : { allow: [...lists.allow], block: [...lists.block], not_evaluated: findUncompared(signals) },
    signals: SIGNAL_NAMES.map((name) => {
      const found = signals[name];
      const source = isFromEdge && name === 'country' ? FROM_EDGE : findSource(name);
      return 'value' in found
        ? { name, value: found.value, source, not_evaluated: null }
        : { name, value: null, source, not_evaluated: found.notEvaluated };
    }),
    controls: record.controls as Assessment['controls'],
    rules: [
      ...rules.map(({ name, matched, points, notEvaluated, exemptBy }) => ({
        ...{ name, matched, points },
        not_evaluated: notEvaluated,
        exempt_by: exemptBy,
      })),
      ...(record.unmatched as string[]).map((name) => ({
        ...{ name, matched: false, points: null },
        not_evaluated: [],
        exempt_by: [],
      })),
    ],
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}
