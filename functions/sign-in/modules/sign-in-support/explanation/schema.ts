import * as z from 'zod';

import { normalizeEmail } from '../../../../kernel/address.ts';
import { isId } from '../../../../kernel/id-format.ts';
import { ipAddressMember } from '../limit/schema.ts';
import type { Facts } from './facts.ts';
import { CHANGED_BY, CHECKS, type Line, STATUSES } from './line.ts';
import { explain, findStop } from './rules.ts';
import { listSteps, summarize } from './summary.ts';

export const ExplainSignIn = z.object({
  organization_id: z
    .string()
    .refine((text) => isId('org', text), 'is not the id of an organization')
    .optional()
    .describe('The organization that the sign-in names.'),
  ip_address: ipAddressMember,
});

export const ExplainSignInByAddress = ExplainSignIn.extend({
  email: z
    .string()
    .refine((text) => normalizeEmail(text) !== undefined, 'is not an email address')
    .describe('The email address with which the person tries to sign in. Upper and lower case make no difference.'),
});

const ExplanationLine = z
  .object({
    check: z
      .enum(CHECKS)
      .describe('The step that the line is about. The lines are in the order of the steps of a sign-in.'),
    status: z
      .enum(STATUSES)
      .describe(
        'The result: `passed`; `asks` for a step that the user can take; `stops` the sign-in; `notice` for what may explain a failure and ' +
          'stops nothing by itself.',
      ),
    reason: z.string().describe('A stable code.'),
    message: z.string(),
    time: z.string().nullable().describe('The time of the cause, or of the end of a limit.'),
    source: z.string().describe('The path of the operation that shows the record behind it.'),
    changed_by: z.enum(CHANGED_BY).describe('The party that can change the cause.'),
    remedy: z.string().nullable().describe('What to do.'),
  })
  .meta({ id: 'SignInExplanationLine' });

export const SignInExplanation = z
  .object({
    object: z.literal('sign_in_explanation'),
    user_id: z.string().nullable(),
    email: z.string(),
    can_sign_in: z.boolean().describe('True if no line stops the sign-in.'),
    stops_at: z.string().nullable().describe('The `reason` of the first line that stops it.'),
    required_steps: z
      .array(z.string())
      .describe('The `reason` of each line with the status `asks`: steps that the user has to take, in their order.'),
    summary: z
      .string()
      .describe(
        'The result in one or two sentences: where the sign-in stops, or which steps it needs. The text may change.',
      ),
    lines: z.array(ExplanationLine),
  })
  .meta({ id: 'SignInExplanation' });

const presentLine = ({ changedBy, time, remedy, ...line }: Line): z.output<typeof ExplanationLine> => ({
  ...line,
  time: time ?? null,
  changed_by: changedBy,
  remedy: remedy ?? null,
});

/** The explanation of the facts, as a response. */
export function presentExplanation(facts: Facts): z.output<typeof SignInExplanation> {
  const lines = explain(facts);
  const stop = findStop(lines);
  return {
    object: 'sign_in_explanation',
    user_id: facts.user?.id ?? null,
    email: facts.email,
    can_sign_in: stop === undefined,
    stops_at: stop?.reason ?? null,
    required_steps: listSteps(lines).map(({ reason }) => reason),
    summary: summarize(facts, lines, stop),
    lines: lines.map(presentLine),
  };
}
