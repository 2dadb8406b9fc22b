import type { AnyEntity } from './entity.ts';
import type { RowKey } from './row.ts';
import type { StoredRow } from './together.ts';

/** The members of an entity's schema that its rows depend on. */
interface EntitySchema {
  model: { entity: string; version: string };
  attributes: Readonly<Record<string, AttributeSchema>>;
  indexes: Readonly<Record<string, { index?: string; pk: KeyTemplate; sk?: KeyTemplate }>>;
}

interface AttributeSchema {
  type?: unknown;
  items?: { type?: unknown };
  get?: unknown;
  hidden?: boolean;
  field?: string;
}

interface KeyTemplate {
  field: string;
  template: string;
}

/** Makes the keys of an entity's rows, and reads their attributes. */
export interface RowFormat {
  /** The key of a row, made of the attributes in it. @throws TypeError if one is missing */
  makeKey: (values: Readonly<Record<string, unknown>>) => RowKey;
  /** The attributes of a row, without its keys; undefined for a row of another entity. */
  parse: (row: StoredRow) => Record<string, unknown> | undefined;
}

const formats = new WeakMap<AnyEntity, RowFormat>();

/**
 * The format of an entity's rows. ElectroDB reads a row by calling the getters of its attributes, and makes a key by a chain
 * of calls, which together take a tenth of a millisecond of CPU time. Attributes without getters are simply those of the row, and a
 * key is a template; a test compares both with ElectroDB for every entity.
 */
export function rowFormat(entity: AnyEntity): RowFormat {
  const known = formats.get(entity);
  if (known !== undefined) return known;
  const schema = entity.schema as unknown as EntitySchema;
  const format = {
    makeKey: compileKey(schema),
    parse: isPlain(schema) ? compileParser(schema) : parseByEntity(entity),
  };
  formats.set(entity, format);
  return format;
}

function compileKey({ indexes }: EntitySchema): RowFormat['makeKey'] {
  const primary = Object.values(indexes).find(({ index }) => index === undefined || index === '');
  if (primary?.sk === undefined) throw new Error('An entity has a primary key with a sort key');
  const [pk, sk] = [compileTemplate(primary.pk), compileTemplate(primary.sk)];
  return (values) => ({ pk: pk(values), sk: sk(values) });
}

function compileTemplate({ template }: KeyTemplate): (values: Readonly<Record<string, unknown>>) => string {
  // The parts are literals, and at odd positions the names of attributes.
  const parts = template.split(/\$\{(\w+)\}/);
  return (values) => {
    let text = parts[0] ?? '';
    for (let at = 1; at < parts.length; at += 2) {
      const value = values[parts[at] ?? ''];
      if (value === undefined || value === null) throw new TypeError(`The key ${template} has no ${parts[at]}`);
      text += `${value as string}${parts[at + 1] ?? ''}`;
    }
    return text;
  };
}

/** Reports whether each attribute of a record is the attribute of its row with the same name and value. */
function isPlain({ attributes }: EntitySchema): boolean {
  return Object.entries(attributes).every(([name, { type, items, get, hidden, field = name }]) => {
    const isNested = type === 'map' || type === 'set' || (type === 'list' && items?.type !== 'string');
    return get === undefined && hidden !== true && field === name && !isNested;
  });
}

function compileParser({ model, attributes }: EntitySchema): RowFormat['parse'] {
  const names: ReadonlySet<string> = new Set(Object.keys(attributes));
  return (row) => {
    if (row.__edb_e__ !== model.entity || row.__edb_v__ !== model.version) return undefined;
    const record: Record<string, unknown> = {};
    for (const name in row) if (names.has(name)) record[name] = row[name];
    return record;
  };
}

const parseByEntity =
  (entity: AnyEntity): RowFormat['parse'] =>
  (row) =>
    entity.parse({ Item: row } as never, { ignoreOwnership: false }).data ?? undefined;
