import type { Language } from './code.ts';

/** A value that can be a part of a call with an SDK: a text, a number, a boolean, a list of texts, or a map of texts. */
type Literal = (value: unknown) => string | undefined;

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const isMap = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((one) => typeof one === 'string');

const pairs = (value: Record<string, string>, between: string): string =>
  Object.entries(value)
    .map(([name, own]) => `${JSON.stringify(name)}${between}${JSON.stringify(own)}`)
    .join(', ');

/**
 * Renders a value in a language; undefined for a value that needs a class of its SDK. The syntax of texts and numbers in
 * these languages is that of JSON.
 */
export const LITERALS: Readonly<Record<Exclude<Language, 'node'>, Literal>> = {
  python: (value) => {
    if (typeof value === 'boolean') return value ? 'True' : 'False';
    if (isTexts(value)) return JSON.stringify(value);
    if (isMap(value)) return `{${pairs(value, ': ')}}`;
    return typeof value === 'object' ? undefined : JSON.stringify(value);
  },
  go: (value) => {
    if (isTexts(value)) return `[]string{${value.map((one) => JSON.stringify(one)).join(', ')}}`;
    if (isMap(value)) return `map[string]string{${pairs(value, ': ')}}`;
    return typeof value === 'object' ? undefined : JSON.stringify(value);
  },
  java: (value) => {
    if (isTexts(value)) return `List.of(${value.map((one) => JSON.stringify(one)).join(', ')})`;
    if (isMap(value)) return `Map.of(${pairs(value, ', ')})`;
    return typeof value === 'object' ? undefined : JSON.stringify(value);
  },
};

/** Fields of queries that the SDKs take as lists; in a query their values are separated by commas. */
const LISTS: readonly string[] = ['events', 'domains', 'statuses'];

/** The values of a query as the SDKs take them. */
export const queryValues = (query: Readonly<Record<string, string>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]): [string, unknown] => {
      if (LISTS.includes(name)) return [name, value.split(',')];
      return [name, name === 'limit' ? Number(value) : value];
    }),
  );
