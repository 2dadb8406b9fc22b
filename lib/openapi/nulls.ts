type Node = Record<string, unknown>;

/** Keywords whose values are data, not schemas. */
const DATA = new Set(['default', 'examples', 'example', 'enum', 'const', 'required']);

/**
 * Marks in the schema of a body that its optional members accept null: if the schema itself does not accept it, null
 * means absence (`http/nulls.ts`), and the member has `x-null: absent`.
 */
export function showNulls(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(showNulls);
  if (node === null || typeof node !== 'object') return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (DATA.has(key)) return [key, value];
      return [
        key,
        key === 'properties' ? describeMembers(value as Record<string, Node>, node as Node) : showNulls(value),
      ];
    }),
  );
}

function describeMembers(properties: Record<string, Node>, { required = [] }: Node): Record<string, Node> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, member]) => {
      const own = showNulls(member) as Node;
      return [name, (required as string[]).includes(name) || takesNull(own) ? own : orNull(own)];
    }),
  );
}

/** Reports whether a schema accepts null; a schema without a type accepts any value. */
const takesNull = ({ type, anyOf, oneOf, ...own }: Node): boolean => {
  const variants = (anyOf ?? oneOf) as Node[] | undefined;
  if (variants !== undefined) return variants.some(takesNull);
  if (type !== undefined) return [type].flat().includes('null');
  return !['$ref', 'allOf', 'const', 'enum', 'not'].some((keyword) => keyword in own);
};

function orNull(schema: Node): Node {
  const marked = { 'x-null': 'absent' };
  const { type, anyOf, description, deprecated, default: usual, ...own } = schema;
  const about = {
    ...(description === undefined ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(usual === undefined ? {} : { default: usual }),
  };
  if (anyOf !== undefined) return { ...schema, anyOf: [...(anyOf as Node[]), { type: 'null' }], ...marked };
  if (type === undefined) return { anyOf: [own, { type: 'null' }], ...about, ...marked };
  const { const: only, enum: values, ...bounds } = own;
  const choice = values ?? (only === undefined ? undefined : [only]);
  return {
    type: [type, 'null'].flat(),
    ...(choice === undefined ? {} : { enum: [...(choice as unknown[]), null] }),
    ...bounds,
    ...about,
    ...marked,
  };
}
