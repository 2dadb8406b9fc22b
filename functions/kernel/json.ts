import { cutText } from './text.ts';

/** Maximum nesting of objects and arrays in a body. */
export const MAX_DEPTH = 32;

/** A body that is not valid JSON; the message gives the reason and the position. */
export class JsonError extends Error {
  override name = 'JsonError';
}

// A token of JSON. An unclosed text extends to the end of the body; otherwise each quote in it would be tried as the start
// of another one.
const TOKEN = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[{}[\]:,]/gs;
const HALF_PAIR = /\\u[dD][89a-fA-F]/;
const FORBIDDEN = new Set(['__proto__', 'constructor']);

/**
 * Parses JSON and rejects input that two parsers could read differently or that could harm a reader: bytes that are not
 * UTF-8, half of a surrogate pair, a member named twice (RFC 8259 section 4 leaves its meaning open), a member that
 * names a prototype, and nesting beyond {@link MAX_DEPTH}.
 * @throws JsonError
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  inspect(text);
  try {
    value = JSON.parse(text);
  } catch {
    throw new JsonError('The body is not valid JSON.');
  }
  return value;
}

/** Reads the tokens once before JSON.parse, which recurses into them. */
function inspect(text: string): void {
  const open: (Set<string> | null)[] = [];
  let name: string | undefined;
  for (const [token] of text.matchAll(TOKEN)) {
    const members = open.at(-1);
    if (token === '{' || token === '[') {
      if (open.length >= MAX_DEPTH) throw new JsonError(`The body is nested deeper than ${MAX_DEPTH} levels.`);
      open.push(token === '{' ? new Set() : null);
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (token === ':' && members && name !== undefined) {
      addMember(members, name);
    }
    name = token.startsWith('"') ? token : undefined;
    if (HALF_PAIR.test(token)) rejectHalfPairs(token);
  }
}

/** Half of a surrogate pair is not a character: it cannot be stored or returned (RFC 7493 section 2.1). */
function rejectHalfPairs(token: string): void {
  let text: string;
  try {
    text = JSON.parse(token) as string;
  } catch {
    throw new JsonError('The body is not valid JSON.');
  }
  if (!text.isWellFormed()) throw new JsonError('The body has half of a surrogate pair, which is no character.');
}

function addMember(members: Set<string>, token: string): void {
  const written = token.slice(1, -1);
  if (!written.includes('\\')) return addName(members, written);
  let name: string;
  try {
    name = JSON.parse(token) as string;
  } catch {
    throw new JsonError('The body is not valid JSON.');
  }
  addName(members, name);
}

function addName(members: Set<string>, name: string): void {
  if (FORBIDDEN.has(name)) throw new JsonError(`The body has a member with the reserved name ${name}.`);
  if (members.has(name)) throw new JsonError(`The body names the member ${cutText(name, 0, 100)} twice.`);
  members.add(name);
}

/**
 * Parses a form (`application/x-www-form-urlencoded`).
 * @throws JsonError if a member occurs twice (RFC 6749 section 3.2) or has a reserved name
 */
export function parseForm(text: string): Record<string, string> {
  const members = [...new URLSearchParams(text)];
  const names = new Set<string>();
  for (const [name] of members) addName(names, name);
  return Object.fromEntries(members);
}

/**
 * Decodes UTF-8 bytes.
 * @throws JsonError if they are not UTF-8
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new JsonError('The body is not valid UTF-8.');
  }
}
