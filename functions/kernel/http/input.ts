import type * as z from 'zod';

import type { Issue } from '../errors.ts';
import { cutText } from '../text.ts';
import { withoutNulls } from './nulls.ts';

/** Maximum invalid members in a response, so that a hostile body cannot cause a large response. */
const MAX_ISSUES = 20;

type Parsed<T> = { value: T; issues?: undefined } | { value?: undefined; issues: Issue[] };

/** Parses an input; the issues name each invalid member by its path. */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): Parsed<z.output<S>> {
  const { success, data, error } = schema.safeParse(input);
  return success ? { value: data } : { issues: error.issues.slice(0, MAX_ISSUES).map(issueOf) };
}

/** Parses a body; null counts as absence for each member that does not accept it. */
export const parseBody = <S extends z.ZodType>(schema: S, body: unknown): Parsed<z.output<S>> =>
  parseInput(schema, withoutNulls(schema, body));

function issueOf(issue: z.core.$ZodIssue): Issue {
  const field = cutText(issue.path.map(String).join('.'), 0, 200);
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined')) {
    return { field, code: 'required', message: 'is required' };
  }
  // Clients show the code, so a custom rule has the same code as any other invalid value.
  const code = issue.code === 'custom' ? 'invalid_value' : issue.code;
  return { field, code, message: lowerFirst(issue.message) };
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/**
 * Parses a query string to an object. The values of a repeated member are joined with commas, since the contract writes
 * lists that way and some clients repeat the name.
 */
export function queryObject(rawQuery: string): Record<string, string> {
  const members: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [rawName, value] of new URLSearchParams(rawQuery)) {
    const name = rawName.endsWith('[]') ? rawName.slice(0, -2) : rawName;
    members[name] = name in members ? `${members[name]},${value}` : value;
  }
  return { ...members };
}
