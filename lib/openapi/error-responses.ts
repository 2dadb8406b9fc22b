import { type DeclaredError, general } from '../../functions/kernel/errors.ts';
import { type ErrorForm, inForm, SCIM_ERROR_SCHEMA } from '../../functions/kernel/http/error-response.ts';
import type { Operation } from '../../functions/kernel/operation.ts';
import type { JsonSchema } from '../../functions/faces/reference/document/format.ts';
import { listSharedHeaders } from './shared-headers.ts';

/** The format of an error's body: the declaration's own format, otherwise the operation's. */
type BodyForm = ErrorForm['name'] | 'text';

const text = { type: 'string' } as const;

/** The schema of one invalid member in the kernel's `errors`. */
export const InputIssue: JsonSchema = {
  type: 'object',
  description: 'One error of a request.',
  properties: {
    field: { type: 'string', description: 'The path of the field; empty for the request as a whole.' },
    code: text,
    message: text,
  },
  required: ['field', 'code', 'message'],
};

const ISSUES: JsonSchema = { type: 'array', items: { $ref: '#/components/schemas/InputIssue' } };

/**
 * The error responses of an operation by status: those it declares, and those of the kernel: no key (401), a limited
 * key (403), an invalid body (400, 413), input that does not match its schema, the errors of shared headers, and 429 and 503
 * for authenticated operations. A code that an operation declares with several messages is
 * listed with each of them.
 */
export function listErrorResponses(operation: Operation, area: { errorForm: ErrorForm }): Map<number, DeclaredError[]> {
  const form = operation.errorForm ?? area.errorForm;
  const isKeyed = operation.auth.security.length > 0;
  const hasBody = operation.body !== undefined;
  const all: DeclaredError[] = [...operation.errors];
  if (isKeyed) all.push(general.unauthorized, general.forbidden, general.tooManyRequests, general.unavailable);
  if (hasBody) all.push(general.malformedBody, general.payloadTooLarge);
  if (hasBody || operation.query !== undefined) {
    all.push(general.invalidParameters);
  }
  if (isKeyed && operation.method !== 'GET') all.push(general.concurrentRequest, general.environmentFenced);
  all.push(...listSharedHeaders(operation).flatMap(({ errors }) => errors));

  const byStatus = new Map<number, DeclaredError[]>();
  for (const [at, error] of all.map((each) => inForm(each, form)).entries()) {
    const known = byStatus.get(error.status) ?? [];
    // An operation can declare several meanings of a code, which replace the one of the kernel.
    const isOwn = at < operation.errors.length;
    const isKnown = known.some(
      ({ code, form: own, message }) =>
        code === error.code && own === error.form && (!isOwn || message === error.message),
    );
    if (!isKnown) known.push(error);
    byStatus.set(error.status, known);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

/**
 * The schema of an error's body, with one variant for each format of its errors.
 * @param named errors that reject one member and may contain details about it
 */
export function errorSchema(
  errors: readonly DeclaredError[],
  form: ErrorForm,
  named: readonly DeclaredError[] = [],
): JsonSchema {
  const byForm = new Map<BodyForm, DeclaredError[]>();
  for (const error of errors) {
    const own: BodyForm = error.form ?? form.name;
    byForm.set(own, [...(byForm.get(own) ?? []), error]);
  }
  const variants = [...byForm].flatMap(([own, group]) => listVariants(own, group, named));
  const [only] = variants;
  return variants.length === 1 && only !== undefined ? only : { anyOf: variants };
}

function listVariants(form: BodyForm, errors: readonly DeclaredError[], named: readonly DeclaredError[]): JsonSchema[] {
  const codes = [...new Set(errors.map(({ code }) => code))].sort();
  if (form === 'error') return [body({ error: text }, ['error'])];
  if (form === 'text') return codes.map((code) => ({ type: 'string', const: code }));
  if (form === 'scim') {
    const types = errors.filter(({ status }) => status === 400 || status === 409).map(({ code }) => code);
    const scimType = types.length > 0 && { scimType: { type: 'string', enum: [...new Set(types)].sort() } };
    const schemas = { type: 'array', items: { type: 'string', const: SCIM_ERROR_SCHEMA } };
    return [body({ schemas, status: text, ...scimType, detail: text }, ['schemas', 'status', 'detail'])];
  }
  if (form === 'oauth') {
    return [body({ error: { type: 'string', enum: codes }, error_description: text }, ['error', 'error_description'])];
  }
  // The gateway in front of the functions also throttles, with responses that have no error code.
  if (codes.length === 1 && codes[0] === general.tooManyRequests.code) {
    return [body({ code: { type: 'string', enum: codes }, message: text }, ['message'])];
  }
  const invalidInput = codes.includes(general.invalidParameters.code) && [
    body({ code: { type: 'string', const: general.invalidParameters.code }, message: text, errors: ISSUES }, [
      'code',
      'message',
      'errors',
    ]),
  ];
  const others = codes.filter((code) => code !== general.invalidParameters.code);
  const details = named.some(({ code }) => others.includes(code)) ? { errors: ISSUES } : {};
  const coded = others.length > 0 && [
    body({ code: { type: 'string', enum: others }, message: text, ...details }, ['code', 'message']),
  ];
  return [...(invalidInput || []), ...(coded || [])];
}

const body = (properties: Record<string, JsonSchema>, required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties,
  required: [...required],
});
