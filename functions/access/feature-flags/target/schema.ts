import * as z from 'zod';

import { isId } from '../../../kernel/id-format.ts';
import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import { timestamp } from '../../../kernel/values.ts';
import { partsOfCustom } from './custom.ts';

/** A cursor is the id of a target, which is an id of a user or organization, or a type and an id with a slash between them. */
const cursor = z.string().min(1).max(320).optional();

export const ListTargets = z.object({ ...pageMembers('user', 'asc'), before: cursor, after: cursor });

const FlagTarget = z
  .object({
    object: z.literal('feature_flag_target'),
    id: z.string().describe('The id of a user or organization, or the type and id of a custom target: `team/42`.'),
    type: z.string().describe('`user`, `organization`, or the type of a custom target.'),
    created_at: timestamp,
  })
  .meta({ id: 'FeatureFlagTarget' });

export const FlagTargetList = listSchema(FlagTarget).meta({ id: 'FeatureFlagTargetList' });

const readType = (id: string): string => partsOfCustom(id)?.type ?? (isId('user', id) ? 'user' : 'organization');

/** A target in the form of the API. */
export const presentTarget = ({ id, createdAt }: { id: string; createdAt: string }): z.input<typeof FlagTarget> => ({
  object: 'feature_flag_target',
  id,
  type: readType(id),
  created_at: createdAt,
});
