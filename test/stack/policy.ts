type Json = Record<string, unknown>;

/** A statement of a policy in the form of a template. */
export interface Statement extends Json {
  Effect: 'Allow' | 'Deny';
  Action: string | string[];
  Resource?: unknown;
  Condition?: Record<string, Record<string, unknown>>;
}

/** A call as IAM evaluates it, with the values of its condition keys. */
export interface Ask {
  action: string;
  resource: string;
  keys?: Readonly<Record<string, string | readonly string[]>>;
}

/**
 * Evaluates like IAM whether a role's policy allows a call, if the resource's policy delegates to IAM. A denial in either
 * has priority. It supports the operators that this project uses, and throws for others.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 * @param formatName Names a resource of a template as in {@link Ask}.
 */
export function isAllowed(
  {
    role,
    resource = [],
    formatName: nameOf,
  }: { role: readonly Statement[]; resource?: readonly Statement[]; formatName: (value: unknown) => string },
  ask: Ask,
): boolean {
  const applies = (statement: Statement, isOfResource: boolean): boolean =>
    list(statement.Action).some((action) => isLike(ask.action, String(action))) &&
    (isOfResource || list(statement.Resource).some((each) => isLike(ask.resource, nameOf(each)))) &&
    Object.entries(statement.Condition ?? {}).every(([operator, keys]) =>
      Object.entries(keys).every(([key, wanted]) => isMet(operator, ask.keys?.[key], list(wanted).map(formatText))),
    );
  const denied =
    role.some((each) => each.Effect === 'Deny' && applies(each, false)) ||
    resource.some((each) => each.Effect === 'Deny' && applies(each, true));
  return !denied && role.some((each) => each.Effect === 'Allow' && applies(each, false));
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [value]);

const formatText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function isLike(text: string, pattern: string): boolean {
  const parts = pattern.replace(/^"\*"$/, '*').split('*');
  const escaped = parts.map((part) => part.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('?', '.'));
  return new RegExp(`^${escaped.join('.*')}$`).test(text);
}

function isMet(operator: string, given: string | readonly string[] | undefined, wanted: readonly string[]): boolean {
  const values = given === undefined ? [] : list(given).map(formatText);
  switch (operator) {
    case 'StringEquals':
      return values.some((value) => wanted.includes(value));
    case 'StringNotEquals':
      return !values.some((value) => wanted.includes(value));
    // True without any value, as in IAM.
    case 'ForAllValues:StringLike':
      return values.every((value) => wanted.some((pattern) => isLike(value, pattern)));
    case 'ForAnyValue:StringLike':
      return values.some((value) => wanted.some((pattern) => isLike(value, pattern)));
    case 'Null':
      return wanted.includes(String(given === undefined));
    default:
      throw new Error(`the simulation does not know ${operator}`);
  }
}
