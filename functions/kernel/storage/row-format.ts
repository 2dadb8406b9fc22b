import type { AnyEntity, Model } from './entity.ts';
import { checkKeySize } from './key-size.ts';
import type { RowKey } from './row.ts';
import type { StoredRow } from './together.ts';

/** The members of an entity's schema that its rows depend on. */
interface EntitySchema {
  model: { entity: string; version: string };
  attributes: Readonly<Record<string, AttributeSchema>>;
  indexes: Readonly<Record<string, IndexSchema>>;
}

/** An access path of an entity. Records that its condition does not accept are not in it. */
interface IndexSchema {
  index?: string;
  condition?: (values: Readonly<Record<string, unknown>>) => boolean;
  pk: KeyTemplate;
  sk?: KeyTemplate;
}

interface AttributeSchema {
  type?: unknown;
  items?: { type?: unknown };
  required?: boolean;
  default?: unknown;
  set?: unknown;
  validate?: unknown;
  get?: unknown;
  hidden?: boolean;
  field?: string;
}

interface KeyTemplate {
  field: string;
  composite: readonly string[];
  template: string;
}

type Values = Readonly<Record<string, unknown>>;

/** Makes the keys of an entity's rows, the rows and the queries of its lists, and reads the attributes of rows. */
export interface RowFormat {
  /** The entity's name. */
  kind: string;
  /** The key of a row, made of the attributes in it. @throws TypeError if one is missing */
  makeKey: (values: Values) => RowKey;
  /**
   * Checks the keys of a row to be written, or only that of the table.
   * @throws Failure of an invalid input if one is longer than DynamoDB accepts
   */
  checkKeys: (row: RowKey | StoredRow, values: Values) => void;
  /**
   * The row of a record, with the keys of its indexes. @throws TypeError if an attribute is missing or has a value of another type
   */
  makeRow: (record: Values) => StoredRow;
  /** The key condition of a whole list, or of a page of a list whose sort key is one attribute; undefined for others. */
  makeListKeys: (index: string, composites: Values, bound?: ListBound) => ListKeys | undefined;
  /** The attribute whose value is the position of a row in a list: the last one of its sort key. */
  sortAttribute: (index: string) => string;
  /** The attributes of a row, without its keys; undefined for a row of another entity. */
  parse: (row: StoredRow) => Record<string, unknown> | undefined;
}

/** The position after or before which a page of a list begins: an id, or the attribute that is the whole sort key. */
export interface ListBound {
  comparison: '>' | '<';
  id: string;
}

/** The parameters of a query that say which rows it reads. */
export interface ListKeys {
  IndexName?: string;
  KeyConditionExpression: string;
  ExpressionAttributeNames: Record<string, string>;
  ExpressionAttributeValues: Record<string, string>;
}

/** The formats by the schemas of the entities. */
const formats = new WeakMap<object, RowFormat>();

/**
 * The format of an entity's rows. ElectroDB reads a row by calling the getters of its attributes, and makes a key, a row or a query by
 * a chain of calls, which take a tenth of a millisecond of CPU time each. Attributes without getters and setters are simply those of
 * the row, and a key is a template; a test compares all with ElectroDB for every entity.
 */
export function rowFormat(model: Model<AnyEntity> | AnyEntity): RowFormat {
  const schema = model.schema as EntitySchema;
  const known = formats.get(schema);
  if (known !== undefined) return known;
  const open = typeof model === 'function' ? model : () => model;
  const isSimple = isPlain(schema);
  const format: RowFormat = {
    kind: schema.model.entity,
    makeKey: compileKey(schema),
    checkKeys: compileKeyCheck(schema),
    makeRow: isSimple ? compileRow(schema) : makeRowByEntity(schema, open),
    makeListKeys: compileLists(schema),
    sortAttribute: (index) => schema.indexes[index]?.sk?.composite.at(-1) ?? 'id',
    parse: isSimple ? compileParser(schema) : parseByEntity(open),
  };
  formats.set(schema, format);
  return format;
}

function compileKey({ indexes }: EntitySchema): RowFormat['makeKey'] {
  const primary = Object.values(indexes).find(({ index }) => index === undefined || index === '');
  if (primary?.sk === undefined) throw new Error('An entity has a primary key with a sort key');
  const [pk, sk] = [compileTemplate(primary.pk), compileTemplate(primary.sk)];
  return (values) => ({ pk: pk(values), sk: sk(values) });
}

function compileKeyCheck({ indexes }: EntitySchema): RowFormat['checkKeys'] {
  const keys = Object.values(indexes).flatMap(({ pk, sk }) => [
    { ...pk, part: 'partition' as const },
    ...(sk === undefined ? [] : [{ ...sk, part: 'sort' as const }]),
  ]);
  return (row, values) => {
    for (const { field, part, composite } of keys) {
      const text = (row as StoredRow)[field];
      if (typeof text === 'string') checkKeySize(text, part, composite, values);
    }
  };
}

/** @param isPartial True if missing attributes are empty in the key, as in an index whose condition accepts records without them */
function compileTemplate({ template }: KeyTemplate, isPartial = false): (values: Values) => string {
  // The parts are literals, and at odd positions the names of attributes.
  const parts = template.split(/\$\{(\w+)\}/);
  return (values) => {
    let text = parts[0] ?? '';
    for (let at = 1; at < parts.length; at += 2) {
      const value = values[parts[at] ?? ''] ?? (isPartial ? '' : undefined);
      if (value === undefined) throw new TypeError(`The key ${template} has no ${parts[at]}`);
      text += `${value as string}${parts[at + 1] ?? ''}`;
    }
    return text;
  };
}

/** Reports whether each attribute of a record is the attribute of its row with the same name and value. */
function isPlain({ attributes }: EntitySchema): boolean {
  return Object.entries(attributes).every(([name, attribute]) => {
    const { type, items, get, set, validate, default: fallback, hidden, field = name } = attribute;
    const isNested = type === 'map' || type === 'set' || (type === 'list' && items?.type !== 'string');
    const isChanged =
      get !== undefined || set !== undefined || validate !== undefined || typeof fallback === 'function';
    return !isChanged && hidden !== true && field === name && !isNested;
  });
}

/** Reports whether a value is valid for an attribute. */
type Check = (value: unknown) => boolean;

function compileCheck({ type }: AttributeSchema): Check {
  if (Array.isArray(type)) return (value) => type.includes(value);
  if (type === 'any') return () => true;
  if (type === 'list') return (value) => Array.isArray(value) && value.every((each) => typeof each === 'string');
  return (value) => typeof value === type;
}

function compileRow({ model, attributes, indexes }: EntitySchema): RowFormat['makeRow'] {
  const compiled = Object.entries(attributes).map(([name, attribute]) => {
    const { required = false, default: fallback } = attribute;
    return { name, required, fallback, isValid: compileCheck(attribute) };
  });
  const keys = Object.values(indexes).map(({ condition, pk, sk }) => ({
    condition,
    fields: [pk, ...(sk === undefined ? [] : [sk])].map((key) => ({
      field: key.field,
      make: compileTemplate(key, condition !== undefined),
    })),
  }));
  return (record) => {
    const row: Record<string, unknown> = {};
    for (const { name, required, fallback, isValid } of compiled) {
      const value = record[name] ?? (record[name] === undefined ? fallback : null);
      if (value === undefined ? required : !isValid(value))
        throw new TypeError(`${model.entity}.${name} is ${value === undefined ? 'missing' : 'of another type'}`);
      if (value !== undefined) row[name] = value;
    }
    for (const { condition, fields } of keys) {
      if (condition !== undefined && !condition(row)) continue;
      for (const { field, make } of fields) row[field] = make(row);
    }
    row.__edb_e__ = model.entity;
    row.__edb_v__ = model.version;
    return row;
  };
}

/** ElectroDB makes no row without the name of a table, which is no part of the row. */
const NO_TABLE = 'none';

function makeRowByEntity(schema: EntitySchema, open: () => AnyEntity): RowFormat['makeRow'] {
  const sparse = sparseAttributes(schema);
  return (record) => {
    const given = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
    const { Item } = open()
      .put({ ...Object.fromEntries(sparse.map((name) => [name, ''])), ...given } as never)
      .params<{ Item: Record<string, unknown> }>({ table: NO_TABLE });
    for (const name of sparse) if (!(name in given)) delete Item[name];
    return Item;
  };
}

/**
 * The optional attributes of an entity's sparse indexes, without a default. ElectroDB requires a value for each, even if the index's condition
 * leaves the record out. They are passed as empty, which no such condition accepts, and not stored.
 */
function sparseAttributes({ attributes, indexes }: EntitySchema): string[] {
  return Object.values(indexes)
    .filter(({ condition }) => condition !== undefined)
    .flatMap(({ pk, sk }) => [...pk.composite, ...(sk?.composite ?? [])])
    .filter((name) => attributes[name]?.required !== true && attributes[name]?.default === undefined);
}

/** The template of a sort key that is the value of one attribute. */
const IS_ONE_ATTRIBUTE = /^\$\{\w+\}$/;

function compileLists({ indexes }: EntitySchema): RowFormat['makeListKeys'] {
  const lists = new Map(
    Object.entries(indexes).flatMap(([name, { index, pk, sk }]) =>
      sk?.template.startsWith('${') === true ? [[name, { index, pk, sk, make: compileTemplate(pk) }]] : [],
    ),
  );
  return (name, composites, bound) => {
    const list = lists.get(name);
    if (list === undefined || list.pk.composite.length !== Object.keys(composites).length) return undefined;
    const { index, pk, sk, make } = list;
    const isBound = bound !== undefined;
    if (isBound && !IS_ONE_ATTRIBUTE.test(sk.template)) return undefined;
    return {
      ...(index === undefined || index === '' ? {} : { IndexName: index }),
      KeyConditionExpression: isBound ? `#pk = :pk and #sk1 ${bound.comparison} :sk1` : '#pk = :pk',
      ExpressionAttributeNames: { '#pk': pk.field, ...(isBound && { '#sk1': sk.field }) },
      ExpressionAttributeValues: { ':pk': make(composites), ...(isBound && { ':sk1': bound.id }) },
    };
  };
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
  (open: () => AnyEntity): RowFormat['parse'] =>
  (row) =>
    open().parse({ Item: row } as never, { ignoreOwnership: false }).data ?? undefined;
