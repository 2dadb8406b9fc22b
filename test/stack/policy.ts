type Json = Record<string, unknown>;

/** A statement of a policy as templates have it. */
export interface Statement extends Json {
  Effect: 'Allow' | 'Deny';
  Action: string | string[];
  Resource?: unknown;
  Condition?: Record<string, Record<string, unknown>>;
}

/** A call as IAM sees it: values of the condition keys that the call has. */
export interface Ask {
  action: string;
  resource: string;
  keys?: Readonly<Record<string, string | readonly string[]>>;
}

/**
 * Decides as IAM does whether a call is allowed by a role's policy, where the resource's policy leaves it to IAM: a denial in
 * either wins. Knows the operators that this project uses, and throws for others.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 * @param nameOf What a resource of a template is called in {@link Ask}.
 */
export function isAllowed(
  {
    role,
    resource = [],
    nameOf,
  }: { role: readonly Statement[]; resource?: readonly Statement[]; nameOf: (value: unknown) => string },
  ask: Ask,
): boolean {
  const applies = (statement: Statement, isOfResource: boolean): boolean =>
    list(statement.Action).some((action) => isLike(ask.action, String(action))) &&
    (isOfResource || list(statement.Resource).some((each) => isLike(ask.resource, nameOf(each)))) &&
    Object.entries(statement.Condition ?? {}).every(([operator, keys]) =>
      Object.entries(keys).every(([key, wanted]) => holds(operator, ask.keys?.[key], list(wanted).map(textOf))),
    );
  const denied =
    role.some((each) => each.Effect === 'Deny' && applies(each, false)) ||
    resource.some((each) => each.Effect === 'Deny' && applies(each, true));
  return !denied && role.some((each) => each.Effect === 'Allow' && applies(each, false));
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [value]);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function isLike(text: string, pattern: string): boolean {
  const parts = pattern.replace(/^"\*"$/, '*').split('*');
  return new RegExp(`^${parts.map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`).test(text);
}

function holds(operator: string, given: string | readonly string[] | undefined, wanted: readonly string[]): boolean {
  const values = given === undefined ? [] : list(given).map(textOf);
  switch (operator) {
    case 'StringEquals':
      return values.some((value) => wanted.includes(value));
    case 'StringNotEquals':
      return !values.some((value) => wanted.includes(value));
    case 'ForAnyValue:StringLike':
      return values.some((value) => wanted.some((pattern) => isLike(value, pattern)));
    case 'Null':
      return wanted.includes(String(given === undefined));
    default:
      throw new Error(`the simulation does not know ${operator}`);
  }
}
