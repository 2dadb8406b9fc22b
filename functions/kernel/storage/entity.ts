import { Entity, type EntityItem, type Schema } from 'electrodb';

// oxlint-disable-next-line typescript/no-explicit-any -- any entity: its own types are taken from it.
export type AnyEntity = Entity<any, any, any, any>;

/** An entity's model, from which ElectroDB's entity is built when it is first used. */
export interface Model<E extends AnyEntity> {
  (): E;
  /** The schema of the entity, of which `rowFormat` makes keys and rows without the entity. */
  readonly schema: object;
}

/** A record as an entity's model describes it. */
export type RecordOf<M extends Model<AnyEntity>> = EntityItem<ReturnType<M>>;

const schemas: object[] = [];

/** The schemas of all entities whose files are loaded, for checks of them. */
export const declaredSchemas = (): readonly object[] => schemas;

/**
 * Declares an entity. ElectroDB takes a millisecond to build one, and a function has some twenty of which a request uses a
 * few, so each is built at its first use. Most calls use none: a deployed function does not even load ElectroDB then (`lib/stack/electrodb-file.ts`).
 */
export function entity<
  A extends string,
  F extends string,
  C extends string,
  S extends Schema<A, F, C, P>,
  P extends string = string,
>(schema: S): Model<Entity<A, F, C, S, P>> {
  schemas.push(schema);
  let built: Entity<A, F, C, S, P> | undefined;
  return Object.assign(() => (built ??= new Entity<A, F, C, S, P>(schema)), { schema });
}
