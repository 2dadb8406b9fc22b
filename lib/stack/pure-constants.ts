import ts from 'typescript';

/**
 * Reports whether a constant is computed when its file is loaded; functions are not, and the bundler recognizes
 * literals.
 */
const isMade = (value: ts.Expression): boolean =>
  ts.isAsExpression(value) || ts.isSatisfiesExpression(value)
    ? isMade(value.expression)
    : ts.isCallExpression(value) || ts.isObjectLiteralExpression(value) || ts.isArrayLiteralExpression(value);

/**
 * Marks the constants of a source as pure, so that unused ones are left out: for example schemas of a file from which
 * an area imports something else, and an area's operations in its workers. Computing one has no side effects, like
 * importing its file.
 */
export function withPureConstants(path: string, source: string): string {
  const { statements } = ts.createSourceFile(path, source, ts.ScriptTarget.Latest);
  const made = statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .flatMap(({ name, initializer: value }) => (ts.isIdentifier(name) && value && isMade(value) ? [value] : []));
  return made.reduceRight(
    (text, { pos, end }) =>
      `${text.slice(0, pos)} /* @__PURE__ */ (() => (${text.slice(pos, end)}))()${text.slice(end)}`,
    source,
  );
}
