/**
 * The check of an environment's own style rules with the parser of css-tree, some 80 KiB, which a deployed function loads as a
 * file of its own when the rules are changed (`lib/stack/apart.ts`).
 */
import generate from 'css-tree/generator';
import parse, { type CssNode } from 'css-tree/parser';

import { CONDITION, EXCEPTIONS, type Property, PROPERTIES, SELECTORS, STATES } from './allowed.ts';

/** A rejected style: the line at which the first fault begins, from 1, and the reason. */
export interface StyleFault {
  line: number;
  message: string;
}

class Rejected extends Error {
  readonly line: number;

  constructor(node: CssNode, message: string) {
    super(message);
    this.line = node.loc?.start.line ?? 1;
  }
}

const list = (node: CssNode | null | undefined): CssNode[] => [...(node?.children ?? [])];

/** A value with one blank between its parts and none around commas. */
function writeValue(node: CssNode): string {
  const parts = list(node).map((part) =>
    part.type === 'Function' ? `${part.name ?? ''}(${writeValue(part)})` : generate(part),
  );
  return parts.join(' ').replaceAll(' , ', ',').toLowerCase();
}

/** A part of the rules in an error: shortened, since it may be long. */
const quote = (text: string): string => `"${text.length > 60 ? `${text.slice(0, 60)}…` : text}"`;

/** The selectors of the pages for those of a rule. */
function checkSelectors(rule: CssNode): { named: string[]; written: string } {
  const given = list(rule.prelude);
  const named: string[] = [];
  const written = given.map((selector) => {
    const text = generate(selector);
    const state = STATES.find((one) => text.endsWith(one)) ?? '';
    const name = text.slice(0, text.length - state.length);
    const own = Object.hasOwn(SELECTORS, name) ? SELECTORS[name] : undefined;
    if (selector.type !== 'Selector' || own === undefined) {
      throw new Rejected(selector, `${quote(text)} is not an allowed selector: ${Object.keys(SELECTORS).join(', ')}`);
    }
    named.push(name);
    return `${own}${state}`;
  });
  if (written.length === 0) throw new Rejected(rule, 'the rule has no selector');
  return { named, written: written.join(',') };
}

const findProperty = (selector: string, name: string): Property | undefined => EXCEPTIONS[selector]?.[name];

function checkDeclaration(declaration: CssNode, selectors: readonly string[]): string {
  const { type, property = '', important, value } = declaration;
  if (type !== 'Declaration' || value === undefined)
    throw new Rejected(declaration, 'a rule can contain declarations only');
  const name = property.toLowerCase();
  const allowed = Object.hasOwn(PROPERTIES, name) ? PROPERTIES[name] : undefined;
  if (allowed === undefined) {
    throw new Rejected(
      declaration,
      `${quote(property)} is not an allowed property: ${Object.keys(PROPERTIES).join(', ')}`,
    );
  }
  if (important !== false) throw new Rejected(declaration, '"!important" is not allowed');
  const other = selectors.find((selector) => allowed.only?.includes(selector) === false);
  if (other !== undefined) {
    throw new Rejected(
      declaration,
      `"${name}" is not allowed for ${quote(other)}, only for: ${allowed.only?.join(', ')}`,
    );
  }
  const text = writeValue(value);
  const failed = selectors.map((selector) => findProperty(selector, name) ?? allowed).find(({ check }) => !check(text));
  if (failed !== undefined) {
    throw new Rejected(declaration, `${quote(text)} is not an allowed value of "${name}": ${failed.values}`);
  }
  return `${name}:${text}`;
}

function checkRule(rule: CssNode): string {
  const { named, written } = checkSelectors(rule);
  return `${written}{${list(rule.block)
    .map((declaration) => checkDeclaration(declaration, named))
    .join(';')}}`;
}

function checkMedia(rule: CssNode): string {
  const conditions = rule.prelude
    ? generate(rule.prelude)
        .toLowerCase()
        .split(/ ?and ?/)
    : [];
  if (
    rule.name?.toLowerCase() !== 'media' ||
    conditions.length === 0 ||
    !conditions.every((one) => CONDITION.test(one))
  ) {
    const message =
      '"@media" is the only allowed rule of this kind, with prefers-color-scheme, min-width and max-width';
    throw new Rejected(rule, message);
  }
  const inner = list(rule.block).map((one) => {
    if (one.type !== 'Rule') throw new Rejected(one, '"@media" can contain rules only');
    return checkRule(one);
  });
  return `@media ${conditions.join(' and ')}{${inner.join('')}}`;
}

/**
 * Checks style rules by {@link SELECTORS} and {@link PROPERTIES}.
 * @returns the same rules as the service writes them, so that no parser can read them in another way, or the first fault
 */
function checkStyle(text: string): { style: string } | { fault: StyleFault } {
  const faults: StyleFault[] = [];
  const sheet = parse(text, {
    positions: true,
    onParseError: ({ message, line }) => faults.push({ line: line ?? 1, message: `cannot be read: ${message}` }),
  });
  const [fault] = faults;
  if (fault !== undefined) return { fault };
  try {
    const rules = list(sheet)
      .filter(({ type }) => type !== 'Comment')
      .map((node) => {
        if (node.type === 'Atrule') return checkMedia(node);
        if (node.type === 'Rule') return checkRule(node);
        throw new Rejected(node, 'only rules and "@media" are allowed');
      });
    return { style: rules.join('') };
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    return { fault: { line: error.line, message: error.message } };
  }
}

/** The check of style rules. */
export const styles = { checkStyle } as const;
