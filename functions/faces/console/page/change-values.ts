import type { FieldKind } from '../change-table.ts';
import { CHANGES } from '../change-table.ts';
import type { Sent } from './declare.ts';

/** The values of a change by the path of their member. */
export type Values = Readonly<Record<string, unknown>>;

/** The name of the form's field for a member. */
export const fieldName = (path: string): string => `m.${path}`;

/** The members of a change with their kinds. */
export const listFields = (operation: string): [path: string, kind: FieldKind][] =>
  Object.entries(CHANGES[operation]?.fields ?? {});

/** The members of a change whose stored values the API returns. */
export const listReadableFields = (operation: string): [path: string, kind: FieldKind][] =>
  listFields(operation).filter(([, kind]) => kind !== 'secret');

/** The paths of the members of a change with secrets, which the API never returns. */
export const listSecrets = (operation: string): string[] =>
  listFields(operation).flatMap(([path, kind]) => (kind === 'secret' ? [path] : []));

/** True for a member that null resets. */
const isNullable = (kind: FieldKind): boolean => (typeof kind === 'string' ? kind.endsWith('?') : kind.includes(''));

/** The kind of a member without the mark of its null. */
export const plainKind = (kind: FieldKind): FieldKind => (typeof kind === 'string' ? kind.replace('?', '') : kind);

/** The values of a response for the members of a change; without secrets. */
export const pickValues = (operation: string, body: unknown): Values =>
  Object.fromEntries(
    listReadableFields(operation).map(([path]) => [
      path,
      path.split('.').reduce((value, name) => findMember(value, name), body),
    ]),
  );

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const findMember = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** A value as the text of its field. */
export function printValue(kind: FieldKind, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean' && plainKind(kind) === 'boolean') return value ? 'on' : '';
  if (plainKind(kind) === 'lines' && Array.isArray(value)) return value.join('\n');
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** The sent values of a change. @returns `invalid` with the members that are no valid JSON */
export function readValues(operation: string, sent: Sent): { values: Values; invalid: string[] } {
  const values: Record<string, unknown> = {};
  const invalid: string[] = [];
  for (const [path, kind] of listFields(operation)) {
    try {
      values[path] = readValue(kind, (sent[fieldName(path)] ?? '').replaceAll('\r\n', '\n'));
    } catch {
      invalid.push(path);
    }
  }
  return { values, invalid };
}

function readValue(kind: FieldKind, text: string): unknown {
  const plain = plainKind(kind);
  if (plain === 'boolean') return text === 'on';
  if (plain === 'lines')
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
  // A blank can be a value, such as the separator of scopes.
  if ((plain === 'text' ? text : text.trim()) === '') return isNullable(kind) ? null : undefined;
  if (plain === 'json' || plain === 'map') return JSON.parse(text) as unknown;
  // The API names a text that is no number.
  if (plain === 'integer' || plain === 'number') return Number.isNaN(Number(text)) ? text : Number(text);
  return text;
}

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Reports whether two values are the same; none, null and an empty list are. */
export const isSame = (one: unknown, other: unknown): boolean =>
  (isNothing(one) && isNothing(other)) ||
  (one === undefined && other === false) ||
  JSON.stringify(one) === JSON.stringify(other);

/** The members whose values differ. A secret differs if one was sent. */
export const listChanges = (operation: string, before: Values, after: Values): string[] =>
  listFields(operation)
    .filter(([path, kind]) => (kind === 'secret' ? after[path] !== undefined : !isSame(before[path], after[path])))
    .map(([path]) => path);

/** The members that a change empties although they have no empty value: the API would leave them as they are. */
export const listEmptied = (operation: string, before: Values, after: Values): string[] =>
  CHANGES[operation]?.whole === true
    ? []
    : listChanges(operation, before, after).filter((path) => after[path] === undefined);

/** The part of a body that is sent as a whole if a member of it differs: its outermost group that is replaced, or the member. */
function findUnit(operation: string, path: string): string {
  const { merged = [] } = CHANGES[operation] ?? {};
  const names = path.split('.');
  const depth = names.findIndex((_, at) => !merged.includes(names.slice(0, at + 1).join('.')));
  return names.slice(0, depth + 1).join('.');
}

/** The new value of a member for the API, which removes a member of a map by null. */
function makeValue(kind: FieldKind, before: unknown, after: unknown): unknown {
  if (plainKind(kind) !== 'map' || !isObject(before) || !isObject(after)) return after;
  return { ...Object.fromEntries(Object.keys(before).map((name) => [name, null])), ...after };
}

/** The body of a change: all members where absent ones return to their default, otherwise those that differ with their groups. */
export function makeBody(operation: string, before: Values, after: Values): Record<string, unknown> {
  const units = new Set(listChanges(operation, before, after).map((path) => findUnit(operation, path)));
  const body: Record<string, unknown> = {};
  for (const [path, kind] of listFields(operation)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    const isSent = CHANGES[operation]?.whole === true || units.has(findUnit(operation, path));
    if (after[path] === undefined || !isSent) continue;
    let holder = body;
    for (const name of names) holder = (holder[name] ??= {}) as Record<string, unknown>;
    holder[last] = makeValue(kind, before[path], after[path]);
  }
  return body;
}
