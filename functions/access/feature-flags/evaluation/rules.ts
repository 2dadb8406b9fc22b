import type * as z from 'zod';

import { isId } from '../../../kernel/id-format.ts';
import type { FlagRecord } from '../flag/entity.ts';
import { isOn } from '../flag/rules.ts';
import { customTarget } from '../target/custom.ts';
import type { EvaluatedFlag } from './schema.ts';

/** Maximum targets in a context, since each costs a read. */
const MAX_CONTEXT_TARGETS = 50;

type Context = Readonly<Record<string, unknown>>;

const readId = (value: unknown): string | undefined => {
  const id = typeof value === 'object' && value !== null ? (value as Context).id : undefined;
  return typeof id === 'string' ? id : undefined;
};

/** The target that a typed member of a context names. For a user or organization the id must be an id of its kind. */
function readTarget(type: string, id: string): string | undefined {
  if (type === 'user') return isId('user', id) ? id : undefined;
  if (type === 'organization') return isId('org', id) ? id : undefined;
  return customTarget(type, id);
}

/**
 * The targets in the context of an evaluation: `targetingKey`, `userId` and `organizationId` with ids, and members like
 * those of the official runtime client, `{ team: { id: "42" } }`. All other fields are ignored.
 * @returns undefined for more than 50 targets
 */
export function contextTargets(context: Context): string[] | undefined {
  const { targetingKey, userId, organizationId, ...typed } = context;
  const named: [string, unknown][] = [
    ['user', targetingKey],
    ['organization', targetingKey],
    ['user', userId],
    ['organization', organizationId],
    ...Object.entries(typed).map(([type, value]): [string, unknown] => [type, readId(value)]),
  ];
  const targets = new Set(named.flatMap(([type, id]) => (typeof id === 'string' ? (readTarget(type, id) ?? []) : [])));
  return targets.size > MAX_CONTEXT_TARGETS ? undefined : [...targets];
}

/**
 * A flag in the form of OFREP. The reason is `DISABLED` if it is off for all, `TARGETING_MATCH` if a target of the context
 * turns it on, and `STATIC` if its default decides.
 * @param targeted ids of the flags that target the context
 */
export function evaluateFlag(flag: FlagRecord, targeted: ReadonlySet<string>): z.output<typeof EvaluatedFlag> {
  const value = isOn(flag, targeted);
  const decided = value && !flag.defaultValue ? 'TARGETING_MATCH' : 'STATIC';
  return { key: flag.slug, value, variant: value ? 'on' : 'off', reason: flag.enabled ? decided : 'DISABLED' };
}
