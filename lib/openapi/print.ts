/** Maximum columns of a line in the committed document. */
const WIDTH = 120;

/**
 * Prints JSON in which an object or array is on one line if it fits, and otherwise has a line for each member: half the
 * size of `JSON.stringify(value, null, 2)`, and few lines to review for an added operation.
 */
export function printJson(value: unknown, indent = '', used = 0): string {
  const compact = onOneLine(value);
  if (value === null || typeof value !== 'object' || indent.length + used + compact.length <= WIDTH) return compact;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const lines = Object.entries(value).map(([key, member]) => {
    const label = isList ? '' : `${JSON.stringify(key)}: `;
    return `${inner}${label}${printJson(member, inner, label.length + 1)}`;
  });
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

function onOneLine(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${onOneLine(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
