/** The former values of the members that changed, as `previous_attributes` of an event tells them; empty when none did. */
export function changedMembers<T extends object>(former: T, next: T): Partial<T> {
  const names = Object.keys(next) as (keyof T)[];
  const changed = names.filter(
    (name) => name !== 'updated_at' && JSON.stringify(former[name]) !== JSON.stringify(next[name]),
  );
  return Object.fromEntries(changed.map((name) => [name, former[name] ?? null])) as Partial<T>;
}
