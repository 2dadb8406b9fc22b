/** The previous values of the changed members, for `previous_attributes` of an event; empty if none changed. */
export function changedMembers<T extends object>(former: T, next: T): Partial<T> {
  const names = Object.keys(next) as (keyof T)[];
  const changed = names.filter(
    (name) => name !== 'updated_at' && JSON.stringify(former[name]) !== JSON.stringify(next[name]),
  );
  return Object.fromEntries(changed.map((name) => [name, former[name] ?? null])) as Partial<T>;
}
