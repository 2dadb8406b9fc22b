import { awaitAll } from '../../../kernel/concurrency.ts';
import { newId } from '../../../kernel/ids.ts';
import { changedMembers } from '../../../kernel/events/previous.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { ALL_TARGETS, countAll, tallies } from '../target/entity.ts';
import { emitRuleChange, flagContext, readRule } from '../target/rule.ts';
import { flagRemoval } from './entity.ts';
import { type FlagRecord, flagRows } from './entity.ts';
import { flagPayload } from './schema.ts';
import { type FlagSet, stageFlags } from './set.ts';

/** The data of a new flag. */
export interface NewFlag {
  /** The original id of an imported flag. */
  id?: string | undefined;
  slug: string;
  name?: string | undefined;
  description?: string | null | undefined;
  owner?: object | null | undefined;
  tags?: string[] | undefined;
  enabled?: boolean | undefined;
  default_value?: boolean | undefined;
}

/** Stages a new flag with `flag.created`. The caller has checked the slug and the number of flags. */
export function stageFlag(
  unit: Unit<'flag.created'>,
  environmentId: string,
  set: FlagSet,
  {
    id = newId('flag'),
    slug,
    name = slug,
    description,
    owner,
    tags = [],
    enabled = false,
    default_value: defaultValue = false,
  }: NewFlag,
): FlagRecord {
  const { record, write } = flagRows.create({
    ...{ environmentId, id, slug, name, tags, enabled, defaultValue },
    description: description ?? undefined,
    contact: owner ?? undefined,
  });
  stageFlags(unit, environmentId, set, [write, tallies.create({ environmentId, id, count: 0 }).write]);
  unit.emit('flag.created', flagPayload(record), { context: flagContext(record) });
  return record;
}

/** The changed members of a flag. Absent fields are unchanged, and null clears a field. */
export interface FlagChanges {
  name?: string | undefined;
  description?: string | null | undefined;
  owner?: object | null | undefined;
  tags?: string[] | undefined;
  enabled?: boolean | undefined;
  default_value?: boolean | undefined;
}

/**
 * Stages changes of a flag, with `flag.rule_updated` for its default and `flag.updated` for other members. It has no effect
 * if nothing changes.
 * @returns the flag after the change
 */
export async function stageFlagChange(
  unit: Unit<'flag.updated' | 'flag.rule_updated'>,
  set: FlagSet,
  former: FlagRecord,
  { name = former.name, description, owner, tags = former.tags as string[], ...switches }: FlagChanges,
): Promise<FlagRecord> {
  const { enabled = former.enabled, default_value: defaultValue = former.defaultValue } = switches;
  const { record, write } = flagRows.revise(former, {
    ...{ name, tags, enabled, defaultValue },
    description: description === undefined ? former.description : (description ?? undefined),
    contact: owner === undefined ? (former.contact as object | undefined) : (owner ?? undefined),
  });
  const { updated_at: _time, ...changed } = changedMembers(flagPayload(former), flagPayload(record)) as Record<
    string,
    unknown
  >;
  const { default_value: formerDefault, ...others } = changed;
  if (Object.keys(changed).length === 0) return former;
  stageFlags(unit, former.environmentId, set, [write]);
  if (Object.keys(others).length > 0) {
    const details = { context: flagContext(record), previousAttributes: { data: others } };
    unit.emit('flag.updated', flagPayload(record), details);
  }
  if (formerDefault !== undefined) {
    const rule = await readRule(former);
    await emitRuleChange(unit, rule, { ...rule, flag: record });
  }
  return record;
}

/**
 * Stages the deletion of a flag, with `flag.deleted`. From the response on it is off for all; a worker removes the rows of
 * its targets, which no longer count.
 */
export async function stageFlagRemoval(unit: Unit<'flag.deleted'>, set: FlagSet, flag: FlagRecord): Promise<void> {
  const { environmentId, id } = flag;
  const [own, all] = await awaitAll([tallies.get(environmentId, id), tallies.get(environmentId, ALL_TARGETS)]);
  stageFlags(unit, environmentId, set, [flagRows.remove(flag)]);
  if (own !== undefined) {
    unit.stage(tallies.remove(own));
    if (own.count > 0) {
      unit.stage(countAll(environmentId, all, (all?.count ?? 0) - own.count));
      flagRemoval.stage(unit, environmentId, { flagId: id });
    }
  }
  unit.emit('flag.deleted', flagPayload(flag), { context: flagContext(flag) });
}
