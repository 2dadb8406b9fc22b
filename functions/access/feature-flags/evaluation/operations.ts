import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { declareError, type FailureDetails } from '../../../kernel/errors.ts';
import { isCached } from '../../../kernel/http/incoming-request.ts';
import { messagesWith400 } from '../../../kernel/http/error-response.ts';
import { sha256Hex } from '../../../kernel/keys/hash.ts';
import { operation } from '../../../kernel/operation.ts';
import { flagNotFound } from '../flag/errors.ts';
import { loadFlags } from '../flag/set.ts';
import { readTargeting } from '../target/find.ts';
import { contextTargets, evaluateFlag } from './rules.ts';
import { EvaluatedFlag, EvaluatedFlags, EvaluateFlags } from './schema.ts';

const invalidContext = declareError({
  status: 400,
  code: 'invalid_request_parameters',
  message: 'The context is not an object, or has more than 50 targets. Send {"context": {"targetingKey": "user_…"}}.',
});

/**
 * The targets in a context.
 * @param members the members of an error that OFREP requires in addition
 * @throws Failure for a context that is not an object or names too many targets
 */
function readTargets(
  context: unknown,
  fail: (error: typeof invalidContext, details: FailureDetails) => Error,
  members: object = {},
): string[] {
  const given = context ?? {};
  const targets = typeof given === 'object' && !Array.isArray(given) ? contextTargets({ ...given }) : undefined;
  if (targets !== undefined) return targets;
  const issue = { field: 'context', code: 'invalid_context', message: 'is not an object with at most 50 targets' };
  const errorDetails = invalidContext.message;
  throw fail(invalidContext, { issues: [issue], members: { ...members, errorCode: 'INVALID_CONTEXT', errorDetails } });
}

const evaluateOne = operation({
  id: 'feature_flags.evaluate',
  method: 'POST',
  path: '/ofrep/v1/evaluate/flags/{key}',
  beyondContract: true,
  summary: 'Evaluate a feature flag for a context (OFREP)',
  description:
    'Implements the OpenFeature Remote Evaluation Protocol (OFREP), for which OpenFeature SDKs have a provider.',
  auth: apiKey,
  operator: 'people.read',
  body: EvaluateFlags,
  bodyOptional: true,
  responses: { 200: EvaluatedFlag },
  errors: [invalidContext, flagNotFound],
  emits: [],
  idempotency: 'none',
  errorForm: messagesWith400,
  async handle({ environmentId, params: { key }, body, fail }) {
    const targets = readTargets(body.context, fail, { key });
    const [{ bySlug }, targeted] = await awaitAll([loadFlags(environmentId), readTargeting(environmentId, targets)]);
    const flag = bySlug.get(key);
    if (flag === undefined) {
      const errorDetails = 'There is no feature flag with this key in this environment.';
      throw fail(flagNotFound, { members: { key, errorCode: 'FLAG_NOT_FOUND', errorDetails } });
    }
    return { status: 200, body: evaluateFlag(flag, targeted) };
  },
});

const evaluateAll = operation({
  id: 'feature_flags.evaluate_all',
  method: 'POST',
  path: '/ofrep/v1/evaluate/flags',
  beyondContract: true,
  summary: 'Evaluate all feature flags for a context (OFREP)',
  description:
    'Send the `ETag` of the last response as `If-None-Match`: while no value of this context has changed, the response ' +
    'is a 304 without a body.',
  auth: apiKey,
  operator: 'people.read',
  body: EvaluateFlags,
  bodyOptional: true,
  responses: { 200: EvaluatedFlags, 304: null },
  errors: [invalidContext],
  emits: [],
  idempotency: 'none',
  errorForm: messagesWith400,
  async handle({ environmentId, body, fail, request }) {
    const targets = readTargets(body.context, fail);
    const [{ bySlug }, targeted] = await awaitAll([loadFlags(environmentId), readTargeting(environmentId, targets)]);
    const flags = [...bySlug.values()].map((flag) => evaluateFlag(flag, targeted));
    const etag = `"${sha256Hex(JSON.stringify(flags))}"`;
    const headers = { etag, 'cache-control': 'private, no-cache' };
    return isCached(request, etag) ? { status: 304, headers } : { status: 200, body: { flags }, headers };
  },
});

/** The operations of OFREP, the OpenFeature Remote Evaluation Protocol 0.2, which evaluate flags as lists and tokens do. */
export const evaluationOperations = [evaluateOne, evaluateAll] as const;
