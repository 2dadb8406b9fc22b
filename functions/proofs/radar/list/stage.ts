import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Issue } from '../../../kernel/errors.ts';
import { raiseHead, readVersion } from '../../../kernel/storage/head.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { ListType } from '../engine/controls.ts';
import { entryId, listEntries, type ListEntryRecord, wideEntries } from './entity.ts';
import { loadWideEntries, WIDE_HEAD } from './match.ts';
import { isWide } from './rules.ts';

/**
 * Maximum number of networks with a prefix, and of countries, of an environment, since each attempt is compared with all of
 * them.
 */
export const MAX_WIDE = 1_000;

interface ListChange {
  environmentId: string;
  type: ListType;
  /** The entry in its normalized form. */
  entry: string;
  record: ListEntryRecord | undefined;
  /** The lists that have the entry after the change. */
  lists: { allow: boolean; block: boolean };
}

/**
 * Stages the lists of an entry. Changes of networks with a prefix, and of countries, are serialized by their version.
 * @returns the issue if the maximum is exceeded; otherwise undefined
 */
export async function stageEntry(unit: Pick<Unit, 'stage'>, change: ListChange): Promise<Issue | undefined> {
  const { environmentId, type, entry, record, lists } = change;
  const isLeft = lists.allow || lists.block;
  if (isWide(type, entry)) {
    const issue = await stageWide(unit, change);
    if (issue !== undefined) return issue;
  }
  if (record === undefined) {
    unit.stage(listEntries.create({ environmentId, id: entryId(type, entry), type, entry, ...lists }).write);
  } else unit.stage(isLeft ? listEntries.revise(record, lists).write : listEntries.remove(record));
  return undefined;
}

async function stageWide(
  unit: Pick<Unit, 'stage'>,
  { environmentId, entry: id, lists }: ListChange,
): Promise<Issue | undefined> {
  const [version, entries] = await awaitAll([readVersion(environmentId, WIDE_HEAD), loadWideEntries(environmentId)]);
  const former = entries.find((each) => each.id === id);
  if (former === undefined && entries.length >= MAX_WIDE) {
    const message = `would be one too many: there can be ${MAX_WIDE} networks and countries. Remove one first, or name a larger network`;
    return { field: 'entry', code: 'too_big', message };
  }
  unit.stage(raiseHead(environmentId, WIDE_HEAD, version));
  if (former === undefined) unit.stage(wideEntries.create({ environmentId, id, ...lists }).write);
  else unit.stage(lists.allow || lists.block ? wideEntries.revise(former, lists).write : wideEntries.remove(former));
  return undefined;
}
