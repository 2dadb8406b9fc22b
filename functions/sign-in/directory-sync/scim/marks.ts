import { clock } from '../../../kernel/clock.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { systemActor } from '../../../kernel/authentication/caller.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity } from '../../../kernel/storage/entity.ts';
import {
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  partition,
  recordAttributes,
  sortedBy,
} from '../../../kernel/storage/record.ts';
import { unguarded } from '../../../kernel/storage/write.ts';

const LIFETIME_SECONDS = 3_600;

/**
 * A position in a list that is read by index: the id after which a page continues, so that page 1,000 costs as much as the
 * first. It expires after an hour; without it the resources before the page are read.
 */
const MarkEntity = entity({
  model: model('scim-page'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...expiringAttributes,
    list: { type: 'string', required: true, readOnly: true },
    /** The number of the page's first resource, with leading zeros. */
    position: { type: 'string', required: true, readOnly: true },
    /** The id of the resource before the page. */
    after: { type: 'string', required: true },
  },
  indexes: {
    primary: {
      pk: partition('pk', 'scim-page', 'list'),
      sk: sortedBy('sk', 'position'),
    },
    owned: ownedIndex,
  },
});

const marks = collection(MarkEntity, 'internal');

const formatPosition = (index: number): string => String(index).padStart(12, '0');

/** A position in a list: the resource with this index follows the resource with this id. */
export interface Mark {
  index: number;
  after: string | undefined;
}

const BEGINNING: Mark = { index: 1, after: undefined };

/** Finds the last stored position at or before an index, or the beginning of the list, by one strongly consistent Query. */
export async function findMark(environmentId: string, list: string, index: number): Promise<Mark> {
  if (index === 1) return BEGINNING;
  const query = marks
    .entity()
    .query.primary({ environmentId, list })
    .lte({ position: formatPosition(index) });
  const [found] = await marks.select('primary', query).take(1, 'desc');
  if (found === undefined || (found.expiresAt ?? 0) <= clock.seconds()) return BEGINNING;
  return { index: Number(found.position), after: found.after };
}

/** Stores the position at which a page begins, by one write without a condition. */
export async function keepMark(
  environmentId: string,
  list: string,
  mark: Required<Mark>,
  owner: string | undefined,
): Promise<void> {
  const { index, after = '' } = mark;
  const position = formatPosition(index);
  const fields = { environmentId, id: `${list}#${position}`, list, position, after, owner };
  const { write } = marks.create({ ...fields, expiresAt: clock.seconds() + LIFETIME_SECONDS });
  await applyWork(environmentId, systemActor, async (unit) => unit.stage(unguarded(write)));
}
