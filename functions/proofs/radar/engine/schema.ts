import * as z from 'zod';

import { ACTIONS, CONTROLS, MODES } from './controls.ts';
import { SIGNAL_NAMES, SIGNALS, type SignalName } from './signals.ts';

/** Maximum number of rules in a rule set, which take some 60 KB of an environment's row. */
const MAX_RULES = 100;

const OPERATORS = ['eq', 'ne', 'gte', 'gt', 'lte', 'lt', 'in', 'not_in'] as const;

const Value = z.union([z.number(), z.boolean(), z.string().max(128), z.array(z.string().max(128)).max(300)]);

const Condition = z
  .object({
    signal: z.enum(SIGNAL_NAMES as [SignalName, ...SignalName[]]),
    op: z.enum(OPERATORS),
    value: Value,
  })
  .refine(({ signal, op, value }) => isComparable(SIGNALS[signal], op, value), {
    error:
      'must compare a signal with a value of its type: gte, gt, lte and lt numbers, in and not_in a string with a list of strings',
  });

function isComparable(type: string, op: (typeof OPERATORS)[number], value: z.output<typeof Value>): boolean {
  if (op === 'in' || op === 'not_in') return type === 'string' && Array.isArray(value);
  if (op === 'eq' || op === 'ne') return typeof value === type;
  return type === 'number' && typeof value === 'number';
}

const Rule = z.object({
  name: z
    .string()
    .min(1)
    .max(64)
    .regex(/^[a-z0-9][a-z0-9_-]*$/, 'Expected lower-case letters, digits, "_" and "-"')
    .describe('The name, which is unique in the rule set.'),
  control: z.enum(CONTROLS),
  actions: z
    .array(z.enum(ACTIONS))
    .min(1)
    .max(2)
    .optional()
    .describe('The actions to which the rule applies. If they are absent, it applies to both.'),
  when: z
    .array(Condition)
    .min(1)
    .max(10)
    .describe('All conditions must be true. A condition with a signal that was not evaluated is not true.'),
  unless: z.array(Condition).max(10).optional().describe('The rule does not match if one of these conditions is true.'),
  points: z.int().min(1).max(100),
  message: z
    .string()
    .min(1)
    .max(300)
    .describe('The reason that callers get. `{email_attempts_minute}` is replaced by the value of that signal.'),
});

export type Rule = z.output<typeof Rule>;
export type Condition = z.output<typeof Condition>;

const Control = z.object({
  mode: z.enum(MODES),
  threshold: z
    .int()
    .min(1)
    .max(1_000)
    .default(100)
    .describe('The control takes effect when the points of its matching rules reach this number.'),
});

/** The name of a placeholder that is not a signal; undefined if all are. */
const unknownPlaceholder = (message: string): string | undefined =>
  [...message.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name).find((name) => !(name in SIGNALS));

/** A rule set without its version, as an environment may set it. */
export const RuleSet = z
  .object({
    controls: z
      .object(
        Object.fromEntries(CONTROLS.map((name) => [name, Control])) as Record<
          (typeof CONTROLS)[number],
          typeof Control
        >,
      )
      .describe(
        'The controls, each with the effect `off`, `log`, `challenge` or `block`. An entry of a block list has the effect of `restriction`, without points; rules may have this control too, and then add points to it.',
      ),
    rules: z.array(Rule).max(MAX_RULES),
  })
  .superRefine(({ rules }, context) => {
    const names = new Set<string>();
    for (const [at, { name, message }] of rules.entries()) {
      if (names.has(name)) context.addIssue({ code: 'custom', path: ['rules', at, 'name'], message: 'is used twice' });
      names.add(name);
      const unknown = unknownPlaceholder(message);
      if (unknown === undefined) continue;
      context.addIssue({
        code: 'custom',
        path: ['rules', at, 'message'],
        message: `names the unknown signal {${unknown}}`,
      });
    }
  })
  .meta({ id: 'RadarRuleSet' });

export type RuleSet = z.output<typeof RuleSet>;
