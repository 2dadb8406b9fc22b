import { loadFlags } from '../flag/set.ts';
import { partsOfCustom } from '../target/custom.ts';
import { readMemberIds } from '../target/entity.ts';

/** A flag as a line of an import file, with its id. */
export interface FlagLine {
  object: 'feature_flag';
  id: string;
  slug: string;
  [member: string]: unknown;
}

/** The feature flags of an environment as lines of an import file, in the order of their ids. */
export async function exportFlags(environmentId: string): Promise<FlagLine[]> {
  const { bySlug } = await loadFlags(environmentId);
  return [...bySlug.values()]
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ id, slug, name, description = null, contact = null, tags, enabled, defaultValue }) => ({
      object: 'feature_flag',
      ...{ id, slug, name, description, enabled },
      tags: tags as unknown,
      owner: contact as unknown,
      default_value: defaultValue,
    }));
}

/** The targets of a flag as lines of an import file, at most 10,000. */
export async function exportTargets(environmentId: string, { id: flagId, slug }: FlagLine): Promise<object[]> {
  return (await readMemberIds(environmentId, flagId)).map((targetId) => {
    const type = targetId.startsWith('user_') ? 'user' : 'organization';
    const target = partsOfCustom(targetId) ?? { type, id: targetId };
    return { object: 'feature_flag_target', feature_flag: slug, ...target };
  });
}
