import type * as z from 'zod';

import type { Issue } from '../errors.ts';
import { cutText } from '../text.ts';

/** Refused members shown at most, so that a hostile body cannot buy a large answer. */
const MAX_ISSUES = 20;

type Parsed<T> = { value: T; issues?: undefined } | { value?: undefined; issues: Issue[] };

/** Parses an input; the issues name each wrong member by its path. */
export const parseInput = <S extends z.ZodType>(schema: S, input: unknown): Parsed<z.output<S>> =>
  parsedOf(schema.safeParse(input));

const parsedOf = <T>(result: z.ZodSafeParseResult<T>): Parsed<T> =>
  result.success ? { value: result.data } : { issues: result.error.issues.slice(0, MAX_ISSUES).map(issueOf) };

/**
 * Parses a body. A null for a member that may be left out and cannot be null is as good as nothing: some official clients
 * send every member that they know. Where null has a meaning (a member that can be null, which it clears) it is kept.
 */
export function parseBody<S extends z.ZodType>(schema: S, body: unknown): Parsed<z.output<S>> {
  const result = schema.safeParse(body);
  if (result.success || !isObject(body)) return parsedOf(result);
  const empty = new Set(result.error.issues.flatMap(nullMember(body)));
  if (empty.size === 0) return parsedOf(result);
  return parseInput(schema, Object.fromEntries(Object.entries(body).filter(([name]) => !empty.has(name))));
}

const isObject = (body: unknown): body is Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Array.isArray(body);

const nullMember =
  (body: Record<string, unknown>) =>
  ({ path: [name] }: z.core.$ZodIssue): string[] =>
    typeof name === 'string' && Object.hasOwn(body, name) && body[name] === null ? [name] : [];

function issueOf(issue: z.core.$ZodIssue): Issue {
  const field = cutText(issue.path.map(String).join('.'), 0, 200);
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined')) {
    return { field, code: 'required', message: 'is required' };
  }
  // Clients show the code: what a rule of one's own refuses is a value like any other that is refused.
  const code = issue.code === 'custom' ? 'invalid_value' : issue.code;
  return { field, code, message: lowerFirst(issue.message) };
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/**
 * A query string as an object: a member named once is its text, one named several times joins with commas, since the
 * contract writes lists that way and some clients repeat the name.
 */
export function queryObject(rawQuery: string): Record<string, string> {
  const members: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [rawName, value] of new URLSearchParams(rawQuery)) {
    const name = rawName.endsWith('[]') ? rawName.slice(0, -2) : rawName;
    members[name] = name in members ? `${members[name]},${value}` : value;
  }
  return { ...members };
}
