/** An attribute value in DynamoDB's JSON. */
type Attribute = Readonly<Record<string, unknown>>;

type Item = Readonly<Record<string, Attribute>>;

interface Put {
  Item?: Item;
}

interface Writes extends Put {
  TransactItems?: readonly { Put?: Put }[];
}

/** A row that a call wrote: the name of its entity, and a reader of its attributes. */
export interface WrittenRow {
  entity: string;
  read: (name: string) => unknown;
}

/** The whole rows that a successful call has put into the table. Updates of single attributes are not among them. */
export function listWrittenRows({ Item, TransactItems }: object & Writes): WrittenRow[] {
  const items = TransactItems === undefined ? [Item] : TransactItems.map(({ Put: put }) => put?.Item);
  return items.flatMap((item) => {
    const entity = item?.__edb_e__?.S;
    return item === undefined || typeof entity !== 'string'
      ? []
      : [{ entity, read: (name: string) => readValue(item[name]) }];
  });
}

/** The value of an attribute: texts, numbers, booleans, lists and maps. */
function readValue(attribute: Attribute | undefined): unknown {
  if (attribute === undefined || 'NULL' in attribute) return undefined;
  const [[type, value] = ['', undefined]] = Object.entries(attribute);
  if (type === 'N') return Number(value);
  if (type === 'L') return (value as Attribute[]).map(readValue);
  if (type === 'M')
    return Object.fromEntries(Object.entries(value as Item).map(([name, part]) => [name, readValue(part)]));
  return value;
}
