import type { Conditions, Statement } from '../../topology/grants.ts';

/** A call as IAM evaluates it: an action on a resource, with the values of its condition keys. */
export interface Ask {
  /** The action, such as `dynamodb:PutItem`. */
  action: string;
  resource: string;
  /** The values of condition keys that the call has. */
  keys: ConditionKeys;
}

export type ConditionKeys = Readonly<Record<string, string | readonly string[] | undefined>>;

type Test = (keys: ConditionKeys) => boolean;

interface Compiled {
  isAllow: boolean;
  isOn: (resource: string) => boolean;
  isMet: Test;
}

/** Decides by a policy whether a call is allowed. */
export type Policy = (ask: Ask) => boolean;

/**
 * Compiles the statements of a function's policy. A denial has priority, and what no statement allows is denied.
 * @throws Error for an operator of conditions that no statement of this project uses
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 */
export function compilePolicy(statements: readonly Statement[]): Policy {
  const byAction = new Map<string, Compiled[]>();
  for (const { effect, actions, resources, conditions = {} } of statements) {
    const compiled = {
      isAllow: effect === 'Allow',
      isOn: compilePatterns(resources),
      isMet: compileConditions(conditions),
    };
    for (const action of actions) byAction.set(action, [...(byAction.get(action) ?? []), compiled]);
  }
  return ({ action, resource, keys }) => {
    let isAllowed = false;
    for (const { isAllow, isOn, isMet } of byAction.get(action) ?? []) {
      if ((isAllow && isAllowed) || !isOn(resource) || !isMet(keys)) continue;
      if (!isAllow) return false;
      isAllowed = true;
    }
    return isAllowed;
  };
}

/** Compiles patterns in which `*` is any text and `?` any character. */
function compilePatterns(patterns: readonly string[]): (text: string) => boolean {
  const expressions = patterns.map((pattern) =>
    pattern
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll(/\?+/g, (marks) => `[^]{${marks.length}}`)
      .replaceAll('*', '[^]*'),
  );
  const expression = new RegExp(`^(?:${expressions.join('|')})$`);
  return (text) => expression.test(text);
}

function compileConditions(conditions: Conditions): Test {
  const tests = Object.entries(conditions).flatMap(([operator, values]) =>
    Object.entries(values).map(([key, wanted]) => compileCondition(operator, key, [wanted].flat())),
  );
  return (keys) => tests.every((test) => test(keys));
}

function compileCondition(operator: string, key: string, wanted: readonly string[]): Test {
  const matches = compilePatterns(wanted);
  const listValues = (keys: ConditionKeys): readonly string[] => [keys[key] ?? []].flat();
  switch (operator) {
    case 'StringEquals':
      return (keys) => listValues(keys).some((value) => wanted.includes(value));
    case 'StringNotEquals':
      return (keys) => !listValues(keys).some((value) => wanted.includes(value));
    case 'ForAllValues:StringLike':
      return (keys) => listValues(keys).every(matches);
    case 'ForAnyValue:StringLike':
      return (keys) => listValues(keys).some(matches);
    case 'Null':
      return (keys) => wanted.includes(String(keys[key] === undefined));
    default:
      throw new Error(`The local service does not evaluate conditions with ${operator}`);
  }
}
