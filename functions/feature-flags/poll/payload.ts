import type * as z from 'zod';

import type { FlagRecord } from '../flag/entity.ts';
import type { PolledFlags } from './schema.ts';

/** A flag with the ids of its targets. */
export interface TargetedFlag {
  flag: Pick<FlagRecord, 'id' | 'slug' | 'enabled' | 'defaultValue'>;
  targetIds: readonly string[];
}

type Payload = z.input<typeof PolledFlags>;

const idsOf = ({ targetIds }: TargetedFlag, kind: 'user' | 'organization'): string[] =>
  targetIds.filter((id) => id.startsWith('user_') === (kind === 'user'));

/** The flags as a map by slug. */
export const flagMap = (flags: readonly TargetedFlag[]): Payload =>
  Object.fromEntries(
    flags.map((targeted) => {
      const { slug, enabled, defaultValue } = targeted.flag;
      const entries = (kind: 'user' | 'organization') =>
        idsOf(targeted, kind).map((id) => ({ id, enabled: true as const }));
      const targets = { users: entries('user'), organizations: entries('organization') };
      return [slug, { slug, enabled, default_value: defaultValue, targets }];
    }),
  );

/** The flags with rules: one for users and one for organizations, since all conditions of a rule must match. */
export const flagRules = (flags: readonly TargetedFlag[]): Payload => ({
  version: 2,
  flags: Object.fromEntries(
    flags.map((targeted) => {
      const { id, slug, enabled, defaultValue } = targeted.flag;
      const rules = (['user', 'organization'] as const).flatMap((target_type) => {
        const values = idsOf(targeted, target_type);
        if (values.length === 0) return [];
        const conditions = [{ target_type, operator: 'one_of' as const, values }];
        return [{ id: `${id}:${target_type}`, kind: 'conditions' as const, value: true as const, conditions }];
      });
      return [slug, { slug, enabled, default_value: defaultValue, off_value: false as const, rules }];
    }),
  ),
});
