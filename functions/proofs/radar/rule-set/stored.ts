import type { RuleSet } from '../engine/schema.ts';

/** The name of the section of an environment's settings that has its own rule set. */
export const RULES_SECTION = 'radar_rules';

/** An environment's own rule set as stored; `rule_set` is absent after it was reset. */
export interface StoredRules {
  version: number;
  rule_set?: RuleSet;
}

/** A rule set with its version. */
export interface VersionedRules {
  /** The version: `default.2`, or the number of the environment's own. */
  version: string;
  ruleSet: RuleSet;
}
