import type { Filter } from 'scim2-parse-filter';

import { ENTERPRISE_SCHEMA, GROUP_SCHEMA, USER_SCHEMA } from './definitions.ts';
import { matches, readMember, parseFilter } from './filter.ts';
import { ScimProblem } from './problem.ts';

/** A path of an attribute (RFC 7644 section 3.5.2): `emails[type eq "work"].value`. */
export interface AttributePath {
  /** The URN of an extension; absent for attributes of the core schema. */
  urn?: string | undefined;
  /** The name of the attribute; absent for an extension as a whole. */
  attribute?: string | undefined;
  filter?: Filter | undefined;
  sub?: string | undefined;
}

const MAX_PATH = 1_024;
const NAME = /^(?:\$ref|[A-Za-z][\w$-]*)$/;
const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const CORE: ReadonlySet<string> = new Set([USER_SCHEMA, GROUP_SCHEMA].map((urn) => urn.toLowerCase()));
const KNOWN: readonly string[] = [ENTERPRISE_SCHEMA];

const isName = (text: string): boolean => NAME.test(text) && !FORBIDDEN.has(text);

/**
 * Parses a path: an attribute with an optional filter and sub-attribute, after the URN of a schema if it has one.
 * @throws ScimProblem `invalidPath`, or `invalidFilter` for the filter within it
 */
export function parsePath(text: string): AttributePath {
  const invalid = () =>
    new ScimProblem('invalidPath', 'The path is not valid: write it such as emails[type eq "work"].value.');
  if (text === '' || text.length > MAX_PATH) throw invalid();
  const { head, inside, rest } = splitFilter(text) ?? {};
  if (head === undefined) throw invalid();
  const filter = inside === undefined ? undefined : parseFilter(inside);
  const { urn, name } = splitUrn(head);
  if (name === undefined) {
    if (filter !== undefined || urn === undefined) throw invalid();
    return { urn };
  }
  const [attribute = '', dotted, ...others] = name.split('.');
  const sub = filter === undefined ? dotted : rest;
  const isOnce = others.length === 0 && (filter === undefined || dotted === undefined);
  if (!isOnce || ![attribute, sub ?? attribute].every(isName)) throw invalid();
  return { urn, attribute, filter, sub };
}

/** Splits a path at its filter: the part before, the filter, and the sub-attribute after it. */
function splitFilter(
  text: string,
): { head: string; inside?: string | undefined; rest?: string | undefined } | undefined {
  const [open, close] = [text.indexOf('['), text.lastIndexOf(']')];
  if (open < 0) return { head: text };
  const rest = text.slice(close + 1);
  if (close < open || (rest !== '' && !rest.startsWith('.'))) return undefined;
  return {
    head: text.slice(0, open),
    inside: text.slice(open + 1, close),
    rest: rest === '' ? undefined : rest.slice(1),
  };
}

/** Splits the URN of a schema from the name after it; names of extensions contain dots, so the last colon separates. */
function splitUrn(head: string): { urn?: string | undefined; name?: string | undefined } {
  if (!/^urn:/i.test(head)) return { name: head };
  const known = KNOWN.find((urn) => urn.toLowerCase() === head.toLowerCase());
  if (known !== undefined) return { urn: known };
  const at = head.lastIndexOf(':');
  const [urn, name] = [head.slice(0, at), head.slice(at + 1)];
  if (CORE.has(urn.toLowerCase())) return { name };
  // The URN of another extension ends with its name: `urn:example:2.0:User`.
  if (/^(?:User|Group)$/i.test(name)) return { urn: head };
  return { urn: KNOWN.find((each) => each.toLowerCase() === urn.toLowerCase()) ?? urn, name };
}

/** Returns the values that a path selects in a resource. `isList` is true if the attribute is multi-valued and the path has no filter. */
export function selectValues(
  resource: Record<string, unknown>,
  { urn, attribute, filter, sub }: AttributePath,
): { values: unknown[]; isList: boolean } {
  const holder = urn === undefined ? resource : readMember(resource, urn);
  if (typeof holder !== 'object' || holder === null) return { values: [], isList: false };
  const value = attribute === undefined ? holder : readMember(holder, attribute);
  if (value === undefined || value === null) return { values: [], isList: false };
  const isList = Array.isArray(value);
  const elements = (isList ? (value as unknown[]) : [value]).filter(
    (element) => filter === undefined || matches(filter, element),
  );
  const values = elements
    .map((element) =>
      sub === undefined
        ? element
        : typeof element === 'object' && element !== null
          ? readMember(element, sub)
          : undefined,
    )
    .filter((each) => each !== undefined && each !== null && each !== '');
  // A filter such as `type eq "work"` selects one value.
  return { values, isList: isList && filter === undefined };
}
