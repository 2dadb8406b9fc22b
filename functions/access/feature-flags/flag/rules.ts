import type { FlagRecord } from './entity.ts';

/** Maximum feature flags of an environment. */
export const MAX_FLAGS = 500;

/**
 * Reports whether a flag is on for some targets: it is enabled, and one of them is targeted or its default is on.
 * @param targeted ids of the flags that target any of them
 */
export const isOn = (
  flag: Pick<FlagRecord, 'id' | 'enabled' | 'defaultValue'>,
  targeted: ReadonlySet<string>,
): boolean => flag.enabled && (flag.defaultValue || targeted.has(flag.id));
