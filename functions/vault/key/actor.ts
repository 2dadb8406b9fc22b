import type { Actor } from '../../kernel/authentication/caller.ts';

/** Who did something, as the vault's events tell it. */
export const actorMembers = ({ id, source, name }: Actor) => ({
  actor_id: id,
  actor_source: source === 'dashboard' ? ('dashboard' as const) : ('api' as const),
  actor_name: name ?? id,
});
