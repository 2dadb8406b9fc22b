import * as z from 'zod';

const Targets = z.array(z.object({ id: z.string(), enabled: z.literal(true) }));

/** The flags in the form that the official SDK reads up to version 11: a map by slug. */
const FlagMap = z.record(
  z.string(),
  z.object({
    slug: z.string(),
    enabled: z.boolean(),
    default_value: z.boolean(),
    targets: z.object({
      users: Targets,
      organizations: Targets,
      custom_targets: z.array(z.object({ type: z.string(), id: z.string(), enabled: z.literal(true) })).optional(),
    }),
  }),
);

const Rule = z.object({
  id: z.string(),
  kind: z.literal('conditions'),
  value: z.literal(true),
  conditions: z.array(
    z.object({
      target_type: z.string().describe('`user`, `organization`, or the type of custom targets.'),
      operator: z.literal('one_of'),
      values: z.array(z.string()),
    }),
  ),
});

/** The flags with ordered rules: the first rule whose conditions match decides. */
const FlagRules = z.object({
  version: z.literal(2),
  flags: z.record(
    z.string(),
    z.object({
      slug: z.string(),
      enabled: z.boolean(),
      default_value: z.boolean(),
      off_value: z.literal(false),
      rules: z.array(Rule),
    }),
  ),
});

/** In the map a slug has an object, and in the other form `version` is a number, so the two cannot be confused. */
export const PolledFlags = z.union([FlagRules, FlagMap]).meta({ id: 'PolledFeatureFlags' });

export const PollFlags = z.object({
  payload_version: z
    .enum(['1', '2'])
    .default('1')
    .describe(
      'The format of the response. 1: a map of flags by slug. 2: flags with ordered rules, in the field `flags`.',
    ),
});
