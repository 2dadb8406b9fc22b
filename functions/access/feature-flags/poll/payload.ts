import type * as z from 'zod';

import type { FlagRecord } from '../flag/entity.ts';
import { partsOfCustom } from '../target/custom.ts';
import type { PolledFlags } from './schema.ts';

/** A flag with the ids of its targets. */
export interface TargetedFlag {
  flag: Pick<FlagRecord, 'id' | 'slug' | 'enabled' | 'defaultValue'>;
  targetIds: readonly string[];
}

type Payload = z.input<typeof PolledFlags>;

/** The targets of a flag: users, organizations, and custom targets by their type. */
function sortTargets({ targetIds }: TargetedFlag) {
  const users: string[] = [];
  const organizations: string[] = [];
  const custom = new Map<string, string[]>();
  for (const targetId of targetIds) {
    const parts = partsOfCustom(targetId);
    if (parts === undefined) (targetId.startsWith('user_') ? users : organizations).push(targetId);
    else {
      const ids = custom.get(parts.type);
      if (ids === undefined) custom.set(parts.type, [parts.id]);
      else ids.push(parts.id);
    }
  }
  return { users, organizations, custom };
}

const listEntries = (ids: readonly string[]) => ids.map((id) => ({ id, enabled: true as const }));

/** The flags as a map by slug. */
export const flagMap = (flags: readonly TargetedFlag[]): Payload =>
  Object.fromEntries(
    flags.map((targeted) => {
      const { slug, enabled, defaultValue } = targeted.flag;
      const { users, organizations, custom } = sortTargets(targeted);
      const custom_targets = [...custom].flatMap(([type, ids]) =>
        listEntries(ids).map((entry) => ({ type, ...entry })),
      );
      const targets = {
        users: listEntries(users),
        organizations: listEntries(organizations),
        ...(custom_targets.length > 0 && { custom_targets }),
      };
      return [slug, { slug, enabled, default_value: defaultValue, targets }];
    }),
  );

/** The flags with rules, one for each type of target, since all conditions of a rule must match. */
export const flagRules = (flags: readonly TargetedFlag[]): Payload => ({
  version: 2,
  flags: Object.fromEntries(
    flags.map((targeted) => {
      const { id, slug, enabled, defaultValue } = targeted.flag;
      const { users, organizations, custom } = sortTargets(targeted);
      const byType: [string, string[]][] = [['user', users], ['organization', organizations], ...custom];
      const rules = byType.flatMap(([target_type, values]) => {
        if (values.length === 0) return [];
        const conditions = [{ target_type, operator: 'one_of' as const, values }];
        return [{ id: `${id}:${target_type}`, kind: 'conditions' as const, value: true as const, conditions }];
      });
      return [slug, { slug, enabled, default_value: defaultValue, off_value: false as const, rules }];
    }),
  ),
});
