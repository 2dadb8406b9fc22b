import { QueryCommand } from '@aws-sdk/lib-dynamodb';

import { settings } from '../../kernel/settings.ts';
import { fitsKey } from '../../kernel/storage/collection.ts';
import { tableClient } from '../../kernel/storage/client.ts';
import type { GrantRecord } from './entity.ts';

/** What a membership has of its own: roles on resources, and its groups. */
export interface Holdings {
  grants: GrantRecord[];
  /** Ids of its groups. */
  groups: string[];
}

/** What the sort keys of a membership's groups begin with; those of grants begin with a resource's id. */
const GROUP = 'group#';

/**
 * The grants and groups of a membership: one strongly consistent Query, a read unit for each 4 KB (some ten rows), and one more
 * round trip for each further megabyte.
 * @param beginning Of the sort keys, to read only a part: an id of a resource, or {@link GROUP}
 */
export async function readHoldings(environmentId: string, membershipId: string, beginning?: string): Promise<Holdings> {
  const holdings: Holdings = { grants: [], groups: [] };
  if (!fitsKey(membershipId)) return holdings;
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await tableClient().send(
      new QueryCommand({
        TableName: settings().GATEHOUSE_TABLE,
        KeyConditionExpression: beginning === undefined ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :beginning)',
        ExpressionAttributeValues: {
          ':pk': `${environmentId}#grants#${membershipId}`,
          ...(beginning === undefined ? {} : { ':beginning': beginning }),
        },
        ConsistentRead: true,
        ...(ExclusiveStartKey === undefined ? {} : { ExclusiveStartKey }),
      }),
    );
    for (const item of page.Items ?? []) {
      const sk = String(item.sk);
      if (sk.startsWith(GROUP)) holdings.groups.push(sk.slice(GROUP.length));
      else holdings.grants.push(item as GrantRecord);
    }
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  return holdings;
}

/** The groups of a membership and its grants on some resources: a strongly consistent Query for each, in parallel. */
export async function readHoldingsOn(
  environmentId: string,
  membershipId: string,
  resourceIds: readonly string[],
): Promise<Holdings> {
  const beginnings = [GROUP, ...resourceIds.map((id) => `${id}#`)];
  const parts = await Promise.all(beginnings.map((each) => readHoldings(environmentId, membershipId, each)));
  return { grants: parts.flatMap(({ grants }) => grants), groups: parts.flatMap(({ groups }) => groups) };
}
