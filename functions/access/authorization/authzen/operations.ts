import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { anyCaller } from '../../../kernel/authentication/caller.ts';
import { messagesWith400 } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import { settings } from '../../../kernel/settings.ts';
import { logDecisions } from '../decision-log/log.ts';
import { decide } from './evaluate.ts';
import {
  Configuration,
  Evaluation,
  type EvaluationRequest,
  EvaluationResult,
  Evaluations,
  EvaluationsResult,
  MAX_EVALUATIONS,
} from './schema.ts';

const evaluate = operation({
  id: 'authzen.evaluation',
  method: 'POST',
  path: '/access/v1/evaluation',
  beyondContract: true,
  summary: 'Evaluate access (AuthZEN)',
  description:
    'Implements the Access Evaluation API of the OpenID AuthZEN Authorization API 1.0. The action is a permission. An unknown subject, action ' +
    'or resource is denied.',
  auth: apiKey,
  operator: 'people.read',
  body: Evaluation,
  responses: { 200: EvaluationResult },
  errors: [],
  emits: [],
  idempotency: 'none',
  errorForm: messagesWith400,
  async handle({ environmentId, body, request }) {
    const decided = await decide(environmentId, [body]);
    await logDecisions(environmentId, request.id, 'authzen', decided);
    return { status: 200, body: { decision: decided[0]?.isAuthorized === true } };
  },
});

const evaluateMany = operation({
  id: 'authzen.evaluations',
  method: 'POST',
  path: '/access/v1/evaluations',
  beyondContract: true,
  summary: 'Evaluate access many times (AuthZEN)',
  description:
    `Implements the Access Evaluations API, with up to ${MAX_EVALUATIONS} evaluations. An incomplete entry is denied, with an error of its own. ` +
    'With `deny_on_first_deny` the response ends after the first denial, with `permit_on_first_permit` after the first permit.',
  auth: apiKey,
  operator: 'people.read',
  body: Evaluations,
  responses: { 200: EvaluationsResult },
  errors: [],
  emits: [],
  idempotency: 'none',
  errorForm: messagesWith400,
  async handle({ environmentId, body, request, invalid }) {
    const { subject, action, resource, context, evaluations = [], options } = body;
    const defaults = { subject, action, resource, context };
    const isSingle = evaluations.length === 0;
    const parsed = (isSingle ? [{}] : evaluations).map((entry) => Evaluation.safeParse({ ...defaults, ...entry }));
    if (isSingle && parsed[0]?.success === false) {
      const issues = parsed[0].error.issues.map(({ path, message }) => ({
        field: path.join('.'),
        code: 'invalid_value',
        message,
      }));
      throw invalid(issues);
    }
    const valid = parsed.flatMap((entry) => (entry.success ? [entry.data] : []));
    const decided = await decide(environmentId, valid satisfies EvaluationRequest[]);
    let next = 0;
    const results = parsed.map((entry) => {
      if (entry.success) return { decision: decided[next++]?.isAuthorized === true };
      const [issue] = entry.error.issues;
      const message = `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is invalid'}`;
      return { decision: false, context: { error: { status: 400, message } } };
    });
    const ends = { execute_all: undefined, deny_on_first_deny: false, permit_on_first_permit: true };
    const end = ends[options?.evaluations_semantic ?? 'execute_all'];
    const last = end === undefined ? -1 : results.findIndex(({ decision }) => decision === end);
    const included = last < 0 ? results : results.slice(0, last + 1);
    const logged = parsed.slice(0, included.length).filter(({ success }) => success).length;
    await logDecisions(environmentId, request.id, 'authzen', decided.slice(0, logged));
    return { status: 200, body: isSingle ? { decision: included[0]?.decision === true } : { evaluations: included } };
  },
});

const getConfiguration = operation({
  id: 'authzen.configuration',
  method: 'GET',
  path: '/.well-known/authzen-configuration',
  beyondContract: true,
  summary: 'Get the metadata of the policy decision point (AuthZEN)',
  auth: anyCaller,
  responses: { 200: Configuration },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle() {
    const base = settings().GATEHOUSE_BASE_URL;
    const body = {
      policy_decision_point: base,
      access_evaluation_endpoint: `${base}/access/v1/evaluation`,
      access_evaluations_endpoint: `${base}/access/v1/evaluations`,
      search_subject_endpoint: `${base}/access/v1/search/subject`,
      search_resource_endpoint: `${base}/access/v1/search/resource`,
      search_action_endpoint: `${base}/access/v1/search/action`,
    };
    return { status: 200, body, headers: { 'cache-control': 'public, max-age=300' } };
  },
});

/** The evaluations and the metadata of the OpenID AuthZEN Authorization API 1.0, which use the same code as checks. */
export const authZenOperations = [evaluate, evaluateMany, getConfiguration] as const;
