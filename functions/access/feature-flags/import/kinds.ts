import * as z from 'zod';

import { awaitAll } from '../../../kernel/concurrency.ts';
import { importedId, importKind, type ImportKind, lineRejections, lineFailure } from '../../../kernel/import.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { findOrganization } from '../../../tenancy/organizations/public.ts';
import { findUser, userExistsCheck } from '../../../tenancy/modules/users/public.ts';
import { MAX_FLAGS } from '../flag/rules.ts';
import { CreateFlag } from '../flag/schema.ts';
import { loadFlags } from '../flag/set.ts';
import { stageFlag } from '../flag/stage.ts';
import { customTarget, customTargetIssues } from '../target/custom.ts';
import { stageTarget } from '../target/stage.ts';

const FlagLine = CreateFlag.extend({ object: z.literal('feature_flag'), id: importedId('flag').optional() });

const TargetLine = z.object({
  object: z.literal('feature_flag_target'),
  feature_flag: z.string().min(1).max(64),
  type: z.string().min(1).max(64),
  id: z.string().min(1).max(255),
});

async function takeFlag(unit: Unit, environmentId: string, line: z.output<typeof FlagLine>): Promise<boolean> {
  const set = await loadFlags(environmentId);
  const holder = [...set.bySlug.values()].find(({ id }) => id === line.id);
  if (holder !== undefined && holder.slug !== line.slug) throw lineFailure(`id: it is that of ${holder.slug}`);
  if (set.bySlug.has(line.slug)) return false;
  if (set.bySlug.size >= MAX_FLAGS) throw lineFailure(`slug: there can be ${MAX_FLAGS} feature flags`);
  stageFlag(unit, environmentId, set, line);
  return true;
}

async function takeTarget(
  unit: Unit,
  environmentId: string,
  { feature_flag: slug, type, id }: z.output<typeof TargetLine>,
): Promise<boolean> {
  const isRecord = type === 'user' || type === 'organization';
  const [{ bySlug }, record] = await awaitAll([
    loadFlags(environmentId),
    isRecord ? (type === 'user' ? findUser : findOrganization)(environmentId, id) : undefined,
  ]);
  const flag = bySlug.get(slug);
  if (flag === undefined)
    throw lineFailure(`feature_flag: there is no feature flag ${slug}; import it before its targets`);
  if (isRecord && record === undefined) throw lineFailure(`id: there is no ${type} ${id}`);
  const targetId = isRecord ? id : customTarget(type, id);
  if (targetId === undefined) throw lineRejections.invalid(customTargetIssues(type, id));
  const issue = await stageTarget(unit, flag, targetId, 'id');
  if (issue !== undefined) throw lineRejections.invalid([issue]);
  if (unit.isEmpty) return false;
  if (type === 'user') unit.stage(userExistsCheck(environmentId, id));
  return true;
}

/** The lines of feature flags and their targets. */
export const flagKinds: readonly ImportKind[] = [
  importKind('feature_flag', FlagLine, takeFlag),
  importKind('feature_flag_target', TargetLine, takeTarget),
];
