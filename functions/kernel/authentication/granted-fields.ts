/**
 * The members that the holder of a grant sends to an operation and sees of its response: paths such as `saml_options.idp_sso_url`,
 * each with everything below it. A path goes through the elements of a list without naming them: `data.id`.
 */
export interface GrantedFields {
  /** Members of the body; any other one is rejected. */
  body?: readonly string[];
  /** Members of the response; any other one is left out. */
  response?: readonly string[];
}

/** The operations that a grant allows, by their ids. */
export type GrantedOperations = Readonly<Record<string, GrantedFields>>;

/** The union of what several parts allow. */
export function mergeOperations(parts: readonly GrantedOperations[]): GrantedOperations {
  const merged = new Map<string, { body: Set<string>; response: Set<string> }>();
  for (const [id, fields] of parts.flatMap((part) => Object.entries(part))) {
    const known = merged.get(id) ?? { body: new Set(), response: new Set() };
    for (const name of fields.body ?? []) known.body.add(name);
    for (const name of fields.response ?? []) known.response.add(name);
    merged.set(id, known);
  }
  return Object.fromEntries(
    [...merged].map(([id, { body, response }]) => [id, { body: [...body], response: [...response] }]),
  );
}

/** The paths below one member. */
const below = (paths: readonly string[], name: string): string[] =>
  paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/**
 * Finds a member of a body that no path allows.
 * @returns its path; undefined if there is none, and for a body that is no object, which every schema rejects
 */
export function findForeignMember(body: unknown, paths: readonly string[]): string | undefined {
  if (Array.isArray(body)) {
    return body.map((one) => findForeignMember(one, paths)).find((found) => found !== undefined);
  }
  if (!isObject(body)) return undefined;
  for (const [name, value] of Object.entries(body)) {
    if (paths.includes(name)) continue;
    const inner = below(paths, name);
    if (inner.length === 0 || !isObject(value)) return name;
    const found = findForeignMember(value, inner);
    if (found !== undefined) return `${name}.${found}`;
  }
  return undefined;
}

/** The part of a response that some paths allow. A value in place of the object that a path expects is left out, except null. */
export function pickMembers(value: unknown, paths: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => pickMembers(one, paths));
  if (!isObject(value)) return value === null ? null : undefined;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
      if (paths.includes(name)) return [[name, member]];
      const inner = below(paths, name);
      return inner.length === 0 ? [] : [[name, pickMembers(member, inner)]];
    }),
  );
}
