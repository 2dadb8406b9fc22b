import { findEnvironment } from '../../kernel/authentication/environment.ts';
import { log } from '../../kernel/log.ts';
import { DEFAULT_RULES } from '../engine/default-rules.ts';
import { RULES_SECTION, StoredRules, type VersionedRules } from './settings.ts';

/** The version of the rule set of the repository: incremented with each change of it. */
const DEFAULT_VERSION = 'default.1';

const DEFAULT: VersionedRules = { version: DEFAULT_VERSION, ruleSet: DEFAULT_RULES };

/** Parsed rule sets by the settings of which they are a part: parsing one takes a millisecond. */
const parsed = new WeakMap<object, VersionedRules>();

/** The rule set in the settings of an environment; the default if it has none of its own, or no valid one. */
export function rulesIn(settings: unknown): VersionedRules {
  const stored = (settings as Record<string, unknown> | undefined)?.[RULES_SECTION];
  if (typeof stored !== 'object' || stored === null) return DEFAULT;
  const known = parsed.get(stored);
  if (known !== undefined) return known;
  const { success, data } = StoredRules.safeParse(stored);
  if (!success) log.warn('a section of settings makes no sense', { section: RULES_SECTION });
  const found: VersionedRules =
    data?.rule_set === undefined ? DEFAULT : { version: String(data.version), ruleSet: data.rule_set };
  parsed.set(stored, found);
  return found;
}

/** The rule set of an environment: no read while the environment is cached. */
export const findRules = async (environmentId: string): Promise<VersionedRules> =>
  rulesIn((await findEnvironment(environmentId))?.settings);
