import type { Issue } from '../../../kernel/errors.ts';

/** Maximum number of types of custom targets of a flag, since each is a separate rule in the response of the poll. */
export const MAX_CUSTOM_TYPES = 20;

/** Number of characters of a type and id that count as one target, so that the response of the poll stays below 4 MB. */
const CHARACTERS_OF_ONE = 32;

/** The names that the runtime client of the official SDK accepts; it ignores all others. */
const TYPE = /^[a-z][a-z0-9_-]{0,63}$/;
const ID = /^[A-Za-z0-9._:-]{1,255}$/;

/** Target types that name records of this service. */
const RECORD_TYPES: ReadonlySet<string> = new Set(['user', 'organization']);

const isCustomType = (type: string): boolean => TYPE.test(type) && !RECORD_TYPES.has(type);

const isCustomId = (id: string): boolean => ID.test(id) && id !== '.' && id !== '..';

/**
 * The id under which a custom target is stored, made of its type and id. Neither contains a slash, and ids of users and
 * organizations have none, so no two targets have the same id.
 * @returns undefined for a type or id that the runtime client ignores
 */
export const customTarget = (type: string, id: string): string | undefined =>
  isCustomType(type) && isCustomId(id) ? `${type}/${id}` : undefined;

/** The issues of a type and id for which {@link customTarget} is undefined. */
export const customTargetIssues = (type: string, id: string): Issue[] => [
  ...(isCustomType(type)
    ? []
    : [
        {
          field: 'type',
          code: 'invalid_value',
          message:
            'expected up to 64 lower-case letters, digits, "_" and "-", a letter first, and neither "user" nor "organization", ' +
            'which are targeted by their ids under /feature-flags',
        },
      ]),
  ...(isCustomId(id)
    ? []
    : [{ field: 'id', code: 'invalid_value', message: 'expected up to 255 letters, digits and "._:-"' }]),
];

/** The type and id of a stored custom target; undefined for a user or organization. */
export function partsOfCustom(targetId: string): { type: string; id: string } | undefined {
  const at = targetId.indexOf('/');
  return at === -1 ? undefined : { type: targetId.slice(0, at), id: targetId.slice(at + 1) };
}

/**
 * The number of targets as which a target counts: 1, and 1 more for each further 32 characters. An id of a user or
 * organization has fewer.
 */
export const computeWeight = (targetId: string): number => Math.ceil(targetId.length / CHARACTERS_OF_ONE);

/** The number of targets by custom type after a target is added (1) or removed (-1). */
export function countTypes(
  former: Readonly<Record<string, number>>,
  targetId: string,
  change: 1 | -1,
): Record<string, number> {
  const type = partsOfCustom(targetId)?.type;
  if (type === undefined) return { ...former };
  const { [type]: before = 0, ...others } = former;
  return before + change > 0 ? { ...others, [type]: before + change } : others;
}
