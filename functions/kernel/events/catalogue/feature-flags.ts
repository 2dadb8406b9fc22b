import * as z from 'zod';
import type { EventFamily } from './family.ts';
import { text, textOrNull, texts, timestamp } from './values.ts';

/** A feature flag with its environment. */
const FeatureFlagRecord = z.object({
  object: z.literal('feature_flag'),
  id: text,
  environment_id: text,
  slug: text,
  name: text,
  description: textOrNull,
  owner: z.object({ email: text, first_name: textOrNull, last_name: textOrNull }).nullable(),
  tags: texts,
  enabled: z.boolean(),
  default_value: z.boolean(),
  created_at: timestamp,
  updated_at: timestamp,
});

/** Feature flags. The event's context describes the change of a rule. */
export const featureFlagEvents = {
  'flag.created': { data: FeatureFlagRecord, subscribable: true },
  'flag.deleted': { data: FeatureFlagRecord, subscribable: true },
  'flag.rule_updated': { data: FeatureFlagRecord, subscribable: true },
  'flag.updated': { data: FeatureFlagRecord, subscribable: true },
} as const satisfies EventFamily<'flag.'>;
