import { makeClientId } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { changedMembers } from '../../../kernel/events/previous.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { listIds } from '../../../kernel/storage/window.ts';
import { findOrganizations } from '../../../tenancy/organizations/public.ts';
import { findUsersById } from '../../../tenancy/modules/users/public.ts';
import type { FlagRecord } from '../flag/entity.ts';
import { flagPayload } from '../flag/schema.ts';
import { flagMembers, tallies } from './entity.ts';

/** Maximum number of organizations, and of users, in an event. */
const MOST = 100;
const PREFIXES = ['org_', 'user_'] as const;

/** The members that the context of each event of a flag has. */
export const flagContext = ({ environmentId }: Pick<FlagRecord, 'environmentId'>): { client_id: string } => ({
  client_id: makeClientId(environmentId),
});

/** The rule of a flag: its default, and its targets. */
export interface Rule {
  flag: FlagRecord;
  /** The number of all targets. */
  count: number;
  /** The ids of the first organizations and users. */
  ids: readonly string[];
}

/** The ids of the first organizations and users that are targets of a flag, by two strongly consistent Queries in parallel. */
export async function readTargetIds({ environmentId, id: flagId }: FlagRecord): Promise<string[]> {
  const pages = await awaitAll(
    PREFIXES.map(async (prefix) => {
      const list = flagMembers.list('primary', { environmentId, flagId });
      const { records } = await list.toPage({ scan: 'asc', after: prefix, limit: MOST });
      return listIds(records).filter((id) => id.startsWith(prefix));
    }),
  );
  return pages.flat();
}

/** The rule of a flag as it is stored, by one wave of reads. */
export async function readRule(flag: FlagRecord): Promise<Rule> {
  const [tally, ids] = await awaitAll([tallies.get(flag.environmentId, flag.id), readTargetIds(flag)]);
  return { flag, count: tally?.count ?? 0, ids };
}

/**
 * Emits `flag.rule_updated` with the rule before and after a change. It reads the names of the targets, by two BatchGetItems
 * in parallel; targets that were deleted are left out.
 */
export async function emitRuleChange(unit: Pick<Unit<'flag.rule_updated'>, 'emit'>, former: Rule, next: Rule) {
  const { flag } = next;
  const ids = [...new Set([...former.ids, ...next.ids])];
  const [organizations, users] = await awaitAll([
    findOrganizations(
      flag.environmentId,
      ids.filter((id) => id.startsWith('org_')),
    ),
    findUsersById(
      flag.environmentId,
      ids.filter((id) => id.startsWith('user_')),
    ),
  ]);
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  const describe = (rule: Rule) => {
    const listed = rule.ids.toSorted();
    const present = <T>(make: (id: string) => T | undefined): T[] =>
      listed.flatMap((id) => make(id) ?? []).slice(0, MOST);
    return {
      access_type: rule.flag.defaultValue ? ('all' as const) : rule.count > 0 ? ('some' as const) : ('none' as const),
      configured_targets: {
        organizations: present((id) => {
          const name = organizations.get(id)?.name;
          return name === undefined ? undefined : { id, name };
        }),
        users: present((id) => {
          const email = emails.get(id);
          return email === undefined ? undefined : { id, email };
        }),
      },
    };
  };
  const context = describe(next);
  const data = changedMembers(flagPayload(former.flag), flagPayload(flag));
  const changed = changedMembers(describe(former), context);
  unit.emit('flag.rule_updated', flagPayload(flag), {
    context: { ...flagContext(flag), ...context },
    previousAttributes: {
      ...(data.default_value === undefined ? {} : { data: { default_value: data.default_value } }),
      ...(Object.keys(changed).length === 0 ? {} : { context: changed }),
    },
  });
}
