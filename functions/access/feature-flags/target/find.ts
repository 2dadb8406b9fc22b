import { awaitAll } from '../../../kernel/concurrency.ts';
import { readTogether } from '../../../kernel/storage/together.ts';
import type { FlagRecord } from '../flag/entity.ts';
import { isOn } from '../flag/rules.ts';
import { loadFlags } from '../flag/set.ts';
import { targets } from './entity.ts';

/** The ids of the flags that target at least one of these ids, by one BatchGetItem for each hundred ids. */
export async function readTargeting(environmentId: string, ids: readonly string[]): Promise<Set<string>> {
  const found = await targets.getMany(environmentId, [...new Set(ids)]);
  return new Set(found.flatMap(({ flagIds }) => flagIds as string[]));
}

/** The sorted slugs of {@link findFlagsThatAreOn}, of the ids that are given: a session may have no organization. */
export async function findSlugsThatAreOn(
  environmentId: string,
  ids: readonly (string | undefined)[],
): Promise<string[]> {
  const given = ids.filter((id) => id !== undefined);
  return (await findFlagsThatAreOn(environmentId, given)).map(({ slug }) => slug);
}

/**
 * The flags that are on for any of some users and organizations, sorted by slug. It takes one request while this
 * instance has cached the version of the flags, otherwise two in turn.
 */
export async function findFlagsThatAreOn(environmentId: string, ids: readonly string[]): Promise<FlagRecord[]> {
  const [{ bySlug }, targeted] = await readTogether(() =>
    awaitAll([loadFlags(environmentId), readTargeting(environmentId, ids)]),
  );
  return [...bySlug.values()].filter((flag) => isOn(flag, targeted)).sort((a, b) => (a.slug < b.slug ? -1 : 1));
}
