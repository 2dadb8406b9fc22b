import type { ModelPlan } from '../functions/tenancy/roles/public.ts';

const SIGNS = { create: '+', update: '~', delete: '-' } as const;

const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;

/** A plan as text: its changes, then the holders of each role that gain and lose permissions, counted. */
export function describePlan({ changes, effects }: ModelPlan): string {
  if (changes.length === 0) return 'No changes.';
  const lines = changes.map(({ action, kind, slug }) => `${SIGNS[action]} ${action} ${kind.replace('_', ' ')} ${slug}`);
  for (const { role, gained, lost, memberships, groups, is_exact: isExact } of effects) {
    const holders = `${isExact ? '' : 'more than '}${count(memberships, 'membership')} and ${count(groups, 'group')}`;
    lines.push('', `Role ${role}, assigned to ${holders}:`);
    if (gained.length > 0) lines.push(`  gains ${count(gained.length, 'permission')}: ${gained.join(', ')}`);
    if (lost.length > 0) lines.push(`  loses ${count(lost.length, 'permission')}: ${lost.join(', ')}`);
  }
  return lines.join('\n');
}
