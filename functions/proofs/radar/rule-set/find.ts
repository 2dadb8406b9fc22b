import { findEnvironment } from '../../../kernel/authentication/environment.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { DEFAULT_RULES } from '../engine/default-rules.ts';
import { radarSettings } from './settings.ts';
import { RULES_SECTION, type StoredRules, type VersionedRules } from './stored.ts';

/** The version of the default rule set, which is incremented with each change of it. */
const DEFAULT_VERSION = 'default.2';

const DEFAULT: VersionedRules = { version: DEFAULT_VERSION, ruleSet: DEFAULT_RULES };

/**
 * The rule set in the settings of an environment, or the default if it has none of its own. It was parsed when it was
 * stored, so a sign-in does not load the schema. A signal that no longer exists is not evaluated.
 */
export function rulesIn(settings: unknown): VersionedRules {
  const stored = (settings as Record<string, unknown> | undefined)?.[RULES_SECTION] as Partial<StoredRules> | undefined;
  return stored?.rule_set === undefined ? DEFAULT : { version: String(stored.version), ruleSet: stored.rule_set };
}

/** The rule set of an environment. It reads nothing while the environment is cached. */
export const findRules = async (environmentId: string): Promise<VersionedRules> =>
  rulesIn((await findEnvironment(environmentId))?.settings);

/** Reports whether sign-ins use the signals of the script. It reads nothing while the environment is cached. */
export const usesRadarSignals = async (environmentId: string): Promise<boolean> =>
  (await findSettings(environmentId, radarSettings)).sign_in === 'all';
