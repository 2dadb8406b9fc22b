import type { Actor } from '../../kernel/authentication/caller.ts';

/** The actor of a change, in the form that the vault's events have. */
export const actorMembers = ({ id, source, name }: Actor) => ({
  actor_id: id,
  actor_source: source === 'dashboard' ? ('dashboard' as const) : ('api' as const),
  actor_name: name ?? id,
});
