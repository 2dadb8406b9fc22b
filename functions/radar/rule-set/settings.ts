import * as z from 'zod';

import { RuleSet } from '../engine/schema.ts';

export const RadarSettings = z
  .object({
    sign_in: z
      .enum(['off', 'lists', 'all'])
      .default('lists')
      .describe(
        'What a sign-in of this service asks Radar: `off` nothing, `lists` only the block and allow lists, `all` the ' +
          'whole rule set, which counts each attempt. The control `unrecognized_device` follows `new_device` of the ' +
          'settings for signing in.',
      ),
  })
  .meta({ id: 'RadarSettings' });

/** The section of an environment's settings that this area serves. */
export const radarSettings = { name: 'radar', schema: RadarSettings };

/** The name of the section that has an environment's own rule set. */
export const RULES_SECTION = 'radar_rules';

/** An environment's own rule set as stored; `rule_set` is absent after it was reset. */
export const StoredRules = z.object({ version: z.int().min(0), rule_set: RuleSet.optional() });

/** A rule set with its version. */
export interface VersionedRules {
  /** `default.1`, or the number of the environment's own. */
  version: string;
  ruleSet: RuleSet;
}
