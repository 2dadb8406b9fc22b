import { apiKey } from '../../../../kernel/authentication/api-key.ts';
import { clock } from '../../../../kernel/clock.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { orFail } from '../../../../kernel/errors.ts';
import { newId } from '../../../../kernel/ids.ts';
import { operation } from '../../../../kernel/operation.ts';
import { readPage } from '../../../../kernel/pagination.ts';
import { actionEndpoints } from '../endpoint/entity.ts';
import { actionEndpointNotFound } from '../endpoint/errors.ts';
import type { ActionType } from '../settings.ts';
import { contextOf } from './ask.ts';
import { actionExecutions } from './entity.ts';
import { ActionExecutionList, ActionTest, ListActionExecutions, presentExecution } from './schema.ts';
import { sendAction } from './send.ts';

const listActionExecutions = operation({
  id: 'action_executions.list',
  method: 'GET',
  path: '/x/actions/endpoints/{id}/executions',
  summary: 'List the denials and failures of an action endpoint',
  description: 'Requests that the endpoint allowed are not stored. The others are kept for 30 days.',
  auth: apiKey,
  query: ListActionExecutions,
  responses: { 200: ActionExecutionList },
  errors: [actionEndpointNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, query, fail }) {
    const [, page] = await awaitAll([
      orFail(actionEndpoints.get(environmentId, params.id), () => fail(actionEndpointNotFound)),
      readPage(
        query,
        async (window) => {
          const list = actionExecutions.list('primary', { environmentId, endpointId: params.id });
          const { records, ...rest } = await list.toPage(window);
          return { records: records.filter(({ expiresAt = 0 }) => expiresAt > clock.seconds()), ...rest };
        },
        presentExecution,
      ),
    ]);
    return { status: 200, body: page };
  },
});

/** The members of a test request, about a person who does not exist. */
const SAMPLES = {
  authentication: (time: string) => ({
    user: {
      object: 'user',
      id: 'user_01HZZZZZZZZZZZZZZZZZZZZZZZ',
      email: 'ada@example.com',
      email_verified: true,
      first_name: 'Ada',
      last_name: 'Lovelace',
      profile_picture_url: null,
      last_sign_in_at: null,
      external_id: null,
      metadata: {},
      created_at: time,
      updated_at: time,
    },
    authentication_method: 'Password',
    ip_address: '192.0.2.1',
    user_agent: 'Gatehouse-Actions/1',
  }),
  user_registration: () => ({
    user_data: {
      object: 'user_data',
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      first_name: 'Ada',
      last_name: 'Lovelace',
    },
    authentication_method: 'Password',
    ip_address: '192.0.2.1',
    user_agent: 'Gatehouse-Actions/1',
  }),
} as const satisfies Record<ActionType, (time: string) => Readonly<Record<string, unknown>>>;

const testActionEndpoint = operation({
  id: 'action_endpoints.test',
  method: 'POST',
  path: '/x/actions/endpoints/{id}/test',
  summary: 'Send a test request to an action endpoint',
  description:
    'The request is signed like any other and is about ada@example.com. The response says what would have been decided; nothing is stored and no event is emitted. A disabled endpoint is asked too.',
  auth: apiKey,
  operator: 'config.change',
  responses: { 200: ActionTest },
  errors: [actionEndpointNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const endpoint = await orFail(actionEndpoints.get(environmentId, params.id), () => fail(actionEndpointNotFound));
    const id = newId('action_execution');
    const sample = SAMPLES[endpoint.type](clock.timestamp());
    const outcome = await sendAction(endpoint, contextOf(endpoint.type, id, sample));
    return {
      status: 200,
      body: {
        object: 'action_test' as const,
        id,
        action_endpoint_id: endpoint.id,
        type: endpoint.type,
        verdict: outcome.verdict,
        failure: outcome.failure ?? null,
        error_message: outcome.message ?? null,
        http_status: outcome.status ?? null,
        duration_ms: outcome.durationMs,
      },
    };
  },
});

export const actionExecutionOperations = [listActionExecutions, testActionEndpoint] as const;
