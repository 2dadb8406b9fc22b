import type { Context, Liquid, Template } from 'liquidjs';

import { JsonError, parseJson } from '../../../kernel/json.ts';
import { LruMap } from '../../../kernel/memory.ts';
import { boundedCase, boundedFilter, boundedOperators, computeWeight } from './bounds.ts';
import { fillIn, framed } from './fill-in.ts';
import { isReserved, MOST_CLAIMS_BYTES, MOST_CONTENT_BYTES } from './rules.ts';
import { cutText } from '../../../kernel/text.ts';

/** The variables of a template. */
export interface TemplateContext {
  user: object;
  organization: object | null;
  organization_membership: object | null;
}

/** The reasons why a template resulted in no claims. */
export class TemplateError extends Error {
  override name = 'TemplateError';
  readonly code: 'invalid_template' | 'too_big' | 'too_slow';

  constructor(code: TemplateError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

const TAGS = new Set(['assign', 'break', 'case', 'comment', 'continue', 'for', 'if', 'unless', '#']);

/**
 * Filters that compute only from their input. Other filters are left out: `raw`, which bypasses the encoding, dates,
 * patterns and expressions.
 */
const FILTERS = new Set([
  ...['abs', 'at_least', 'at_most', 'ceil', 'divided_by', 'floor', 'minus', 'modulo', 'plus', 'round', 'times'],
  ...['append', 'capitalize', 'downcase', 'lstrip', 'prepend', 'remove', 'remove_first', 'replace', 'replace_first'],
  ...['rstrip', 'slice', 'split', 'strip', 'truncate', 'upcase', 'size', 'default', 'url_encode'],
  ...['compact', 'concat', 'first', 'join', 'last', 'map', 'reverse', 'sort', 'sort_natural', 'uniq', 'where'],
]);

/** Maximum units of memory and of work: elements of lists, and characters that are read, made or written. */
const MEMORY_UNITS = 100_000;
/** Maximum characters that a template may write before its values are encoded. */
const MOST_RENDERED = 16 * MOST_CLAIMS_BYTES;

/** The engine's error text for an exceeded time limit. */
const TOO_SLOW = 'template render limit exceeded';

let engine: Promise<Liquid> | undefined;

/** The engine is loaded with the first template, so that an environment without one has no cost. */
async function makeEngine(): Promise<Liquid> {
  const { Liquid, CaseTag, defaultOperators } = await import('liquidjs');
  const made = new Liquid({
    strictFilters: true,
    ownPropertyOnly: true,
    parseLimit: MOST_CONTENT_BYTES,
    memoryLimit: MEMORY_UNITS,
    outputEscape: framedWithin,
    operators: boundedOperators(defaultOperators, MEMORY_UNITS),
    relativeReference: false,
    templates: {},
  });
  for (const name of Object.keys(made.tags)) if (!TAGS.has(name)) delete made.tags[name];
  made.registerTag('case', boundedCase(CaseTag, MEMORY_UNITS));
  for (const [name, filter] of Object.entries(made.filters)) {
    if (!FILTERS.has(name)) delete made.filters[name];
    else if (typeof filter === 'function') made.filters[name] = boundedFilter(name, filter, MEMORY_UNITS);
  }
  // Values are encoded for their position, so the escaping filters of other engines do nothing.
  for (const name of ['json', 'jsonify', 'to_json']) made.registerFilter(name, (value: unknown) => value);
  return made;
}

/**
 * A value that a template writes; it is counted like the output of filters. A list is counted before it is converted to
 * text.
 */
function framedWithin(this: { context: Context }, value: unknown): string {
  if (typeof value === 'object') this.context.memoryLimit.check(computeWeight(value, MEMORY_UNITS));
  const text = framed(value);
  this.context.memoryLimit.use(text.length);
  return text;
}

const parsed = new LruMap<readonly Template[]>(100);

async function findTemplate(content: string): Promise<{ liquid: Liquid; template: readonly Template[] }> {
  const liquid = await (engine ??= makeEngine());
  let template = parsed.get(content);
  if (template === undefined) {
    template = liquid.parse(content);
    parsed.set(content, template);
  }
  return { liquid, template };
}

/**
 * Renders the claims of a template.
 * @param limitMs Time limit in milliseconds.
 * @param isStored True for a stored template, whose claims are without names that were reserved later.
 * @throws TemplateError
 */
export async function renderClaims(
  content: string,
  context: TemplateContext,
  limitMs: number,
  isStored = false,
): Promise<Record<string, unknown>> {
  try {
    const { liquid, template } = await findTemplate(content);
    const rendered = liquid.renderSync([...template], context, { renderLimit: limitMs }) as string;
    if (rendered.length > MOST_RENDERED) throw tooBig();
    return checked(fillIn(rendered), isStored);
  } catch (error) {
    if (error instanceof TemplateError) throw error;
    if (error instanceof JsonError) {
      throw new TemplateError('invalid_template', error.message.replace('The body', 'the result'));
    }
    const message = cutText((error as Error).message, 0, 300);
    throw new TemplateError(message.includes(TOO_SLOW) ? 'too_slow' : 'invalid_template', message);
  }
}

const tooBig = (): TemplateError =>
  new TemplateError('too_big', `the claims have more than ${MOST_CLAIMS_BYTES} bytes`);

function checked(text: string, isStored: boolean): Record<string, unknown> {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TemplateError('invalid_template', 'the result is no JSON object');
  }
  const reserved = Object.keys(value).find((claim) => isReserved(claim, isStored));
  if (reserved !== undefined) {
    throw new TemplateError('invalid_template', `the claim ${reserved} is the service's own and cannot be set`);
  }
  if (Buffer.byteLength(JSON.stringify(value)) > MOST_CLAIMS_BYTES) throw tooBig();
  return Object.fromEntries(Object.entries(value).filter(([claim]) => !isReserved(claim)));
}
